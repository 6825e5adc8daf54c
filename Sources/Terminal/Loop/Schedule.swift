/// When the loop must act though nothing happens. With nothing due it sleeps without end.
struct Schedule {
  /// Frames are at least this far apart; the first after a pause, and those that follow input, are drawn at once.
  private static let frameInterval = Duration.milliseconds(16)
  /// A window that is being dragged changes its size many times.
  private static let resizeDelay = Duration.milliseconds(15)
  private static let sequencePatience = Duration.milliseconds(500)
  private static let pastePatience = Duration.seconds(2)

  let escapeDelay: Duration
  private(set) var isFrameNeeded = true
  private var nextFrame: ContinuousClock.Instant?
  private var resize: ContinuousClock.Instant?
  private var lapse: ContinuousClock.Instant?
  private var silence: ContinuousClock.Instant?

  init(escapeDelay: Duration) {
    self.escapeDelay = escapeDelay
  }

  mutating func needFrame() { isFrameNeeded = true }

  /// Somebody has typed and waits for it: all that was typed by now makes one frame.
  mutating func needFrameAfterInput() {
    isFrameNeeded = true
    nextFrame = nil
  }

  /// - Parameters:
  ///   - isVisible: whether anything was written.
  ///   - lasting: how long the frame is right; nil without end.
  mutating func drewFrame(at now: ContinuousClock.Instant, isVisible: Bool, lasting: Duration?) {
    isFrameNeeded = false
    lapse = lasting.map { lapse ?? now + $0 }
    if isVisible { nextFrame = now + Schedule.frameInterval }
  }

  mutating func needResize(at now: ContinuousClock.Instant) {
    if resize == nil { resize = now + Schedule.resizeDelay }
  }

  /// Bytes came, after which the parser waits for more, or not.
  mutating func read(at now: ContinuousClock.Instant, pending: InputParser.Pending?) {
    silence = pending.map { pending in
      switch pending {
      case .escape: now + escapeDelay
      case .sequence: now + Schedule.sequencePatience
      case .paste: now + Schedule.pastePatience
      }
    }
  }

  mutating func takeResize(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&resize, now) }

  mutating func takeLapse(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&lapse, now) }

  mutating func takeSilence(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&silence, now) }

  func isFrameDue(at now: ContinuousClock.Instant) -> Bool { isFrameNeeded && nextFrame ?? now <= now }

  /// How long to sleep; nil without end.
  /// - Parameter canDraw: false while the terminal has not taken the last frame.
  func pause(from now: ContinuousClock.Instant, canDraw: Bool) -> Duration? {
    let frame = isFrameNeeded && canDraw ? nextFrame ?? now : nil
    return [resize, silence, lapse, frame].compactMap { $0 }.min().map { max(.zero, $0 - now) }
  }

  private static func take(_ deadline: inout ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Bool
  {
    guard let due = deadline, due <= now else { return false }
    deadline = nil
    return true
  }
}
