import Glibc
import Search
import Terminal
import Text

/// Shows on stderr how far a run is: on a terminal one line drawn over and over and erased at the end;
/// elsewhere a line now and then.
struct ProgressDisplay: Sendable {
  enum Style: Sendable {
    case overwriting(columns: Int)
    case lines
    /// Only waits of several seconds are told.
    case longWaits
  }

  let style: Style
  let utcOffset: Int

  var showsTotal: Bool { if case .longWaits = style { false } else { true } }

  /// Follows a run to its end and takes away what it has drawn. Something is drawn only when the run's clock has moved.
  func follow(_ states: AsyncStream<OneShotState>) async {
    var pen = ProgressPen(style: style, utcOffset: utcOffset)
    for await state in states {
      if state.isFinished { break }
      pen.show(state)
    }
    pen.erase()
  }
}

/// What is on the line now, and when the last one was written.
private struct ProgressPen {
  let style: ProgressDisplay.Style
  let utcOffset: Int
  private var shown = ""
  private var shownAt: Double?
  private var writtenAt: Double?
  private var toldWait: Double?

  init(style: ProgressDisplay.Style, utcOffset: Int) {
    self.style = style
    self.utcOffset = utcOffset
  }

  mutating func show(_ state: OneShotState) {
    guard state.clock != shownAt else { return }
    shownAt = state.clock
    let line = ProgressLine(
      session: state.session, now: state.clock, startedAt: state.startedAt, utcOffset: utcOffset)
    switch style {
    case .overwriting(let columns): overwrite(line.text, columns)
    case .lines where state.clock - (writtenAt ?? state.startedAt) >= 10: write(line.text, at: state.clock)
    case .lines, .longWaits: tellWait(line, state.session, at: state.clock)
    }
  }

  private mutating func overwrite(_ text: String, _ columns: Int) {
    let cut = Sanitized(text).fitted(to: max(1, columns - 1), .leading, .codePoints).string
    guard cut != shown else { return }
    shown = cut
    Self.put("\r\(cut)\(ControlSequence.eraseToRowEnd)")
  }

  /// Once for each wait.
  private mutating func tellWait(_ line: ProgressLine, _ session: Session, at now: Double) {
    guard case .waiting(_, let wait) = session.phase, wait.until - now >= 3, toldWait != wait.until,
      let text = line.wait
    else { return }
    toldWait = wait.until
    write("\(text) (Ctrl-C stops)", at: now)
  }

  private mutating func write(_ text: String, at now: Double) {
    writtenAt = now
    Self.put("riffle: \(Sanitized(text).string)\n")
  }

  mutating func erase() {
    if !shown.isEmpty { Self.put("\r\(ControlSequence.eraseToRowEnd)") }
    shown = ""
  }

  private static func put(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
