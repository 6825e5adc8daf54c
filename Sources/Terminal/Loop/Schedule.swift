/// The times at which the loop must act without input. If nothing is due, it sleeps indefinitely.
struct Schedule {
  /// The minimum interval between frames; the first one after a pause, and those after input, are drawn
  /// immediately.
  private static let frameInterval = Duration.milliseconds(16)
  /// A window being resized by dragging changes its size many times.
  private static let resizeDelay = Duration.milliseconds(15)
  private static let sequenceTimeout = Duration.milliseconds(500)
  private static let pasteTimeout = Duration.seconds(2)

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

  /// Schedules an immediate frame after input; all input available by then shares one frame.
  mutating func needFrameAfterInput() {
    isFrameNeeded = true
    nextFrame = nil
  }

  /// - Parameters:
  ///   - isVisible: Whether anything was written.
  ///   - lasting: How long the frame is valid; nil if indefinitely.
  mutating func drewFrame(at now: ContinuousClock.Instant, isVisible: Bool, lasting: Duration?) {
    isFrameNeeded = false
    lapse = lasting.map { lapse ?? now + $0 }
    if isVisible { nextFrame = now + Schedule.frameInterval }
  }

  mutating func needResize(at now: ContinuousClock.Instant) {
    if resize == nil { resize = now + Schedule.resizeDelay }
  }

  /// Restarts or clears the parser's timeout after input.
  mutating func read(at now: ContinuousClock.Instant, pending: InputParser.Pending?) {
    silence = pending.map { pending in
      switch pending {
      case .escape: now + escapeDelay
      case .sequence: now + Schedule.sequenceTimeout
      case .paste: now + Schedule.pasteTimeout
      }
    }
  }

  mutating func takeResize(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&resize, now) }

  mutating func takeLapse(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&lapse, now) }

  mutating func takeSilence(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&silence, now) }

  func isFrameDue(at now: ContinuousClock.Instant) -> Bool { isFrameNeeded && nextFrame ?? now <= now }

  /// How long to sleep; nil if indefinitely.
  /// - Parameter canDraw: False while the terminal has not accepted the last frame.
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

/// Buffers output for the terminal, so that keys can be read while a slow terminal accepts it in parts.
struct OutputQueue {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// Writes as much as the terminal accepts now. Returns false if the terminal is gone.
  mutating func flush(to tty: borrowing TTY) -> Bool {
    while !isEmpty {
      switch tty.write(bytes[sent..<portionEnd]) {
      case .count(let count): sent += count
      case .blocked: return true
      case .hangup: return false
      }
    }
    removeAll()
    return true
  }

  /// Linux passes a write of up to this many bytes to a terminal in one piece (the page size of its terminal
  /// buffers).
  private static let portion = 1_792

  /// The end of the next write: before a sequence, so that a terminal that draws after each read does not
  /// draw part of a cluster.
  var portionEnd: Int {
    let limit = sent + OutputQueue.portion
    guard limit < bytes.count else { return bytes.count }
    return bytes[sent + 1..<limit].lastIndex(of: ASCII.escape) ?? limit
  }
}

/// Recognizes the keys that always end the program: Ctrl-\, and Ctrl-C three times within a second.
struct ExitKeys {
  enum Verdict: Equatable { case proceed, quit, interrupt }

  /// The recognized keys. They also work during a paste, where they are not passed on.
  static let keys: Set = [Key("\\", .ctrl), Key("c", .ctrl)]

  private static let window = Duration.seconds(1)

  private var times: [ContinuousClock.Instant] = []

  mutating func verdict(on key: Key, at now: ContinuousClock.Instant) -> Verdict {
    if key == Key("\\", .ctrl) { return .quit }
    guard key == Key("c", .ctrl) else { return .proceed }
    times.removeAll { now - $0 > ExitKeys.window }
    times.append(now)
    return times.count >= 3 ? .interrupt : .proceed
  }
}
