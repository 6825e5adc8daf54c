import Glibc
import Search
import Terminal
import Text

/// Shows the progress of a run on stderr: on a terminal, one line that is redrawn and erased at the end;
/// elsewhere an occasional line.
struct ProgressDisplay: Sendable {
  enum Style: Sendable {
    case overwriting(columns: Int)
    case lines
    /// Only waits of several seconds are shown.
    case longWaits
  }

  let style: Style
  let zone: LocalZone
  let message: Message
  /// Whether the terminal shows progress of its own (OSC 9;4).
  var hasTerminalProgress = false

  var showsTotal: Bool { if case .longWaits = style { false } else { true } }

  /// Shows a run until its end, then erases the line. Redraws only when the run's clock has moved.
  func follow(_ states: AsyncStream<OneShotState>) async {
    var pen = ProgressPen(style: style, zone: zone)
    var isBusy = false
    for await state in states {
      if state.isFinished { break }
      if hasTerminalProgress, isBusy == state.isResting {
        isBusy.toggle()
        await put(isBusy ? ControlSequence.showProgress : ControlSequence.clearProgress)
      }
      if state.isResting {
        await erase(&pen)
      } else if let text = pen.text(showing: state) {
        await put(text)
      }
    }
    if isBusy { await put(ControlSequence.clearProgress) }
    await erase(&pen)
  }

  private func erase(_ pen: inout ProgressPen) async {
    if pen.shown.isEmpty { return }
    pen.shown = ""
    await put("\r\(ControlSequence.eraseToRowEnd)")
  }

  private func put(_ text: String) async {
    await message.thread.outcome { message.write(text) }
  }
}

extension ReportOptions {
  /// The progress style; nil to show none.
  ///
  /// - Parameter isFile: Whether rows are written to a file, not to stdout.
  func progressStyle(_ dependencies: Dependencies, isQuiet: Bool, isFile: Bool) -> ProgressDisplay.Style? {
    let columns = dependencies.errors.isTerminal ? dependencies.errors.columns ?? 80 : nil
    switch progress ?? .auto {
    case .never: return nil
    case .always: return columns.map { .overwriting(columns: $0) } ?? .lines
    case .auto where isQuiet: return nil
    case .auto where verbose: return .longWaits
    // On a terminal, rows and progress would overwrite each other.
    case .auto where dependencies.output.isTerminal && !isFile: return .longWaits
    case .auto: return columns.map { .overwriting(columns: $0) } ?? .longWaits
    }
  }
}

/// The line currently shown, and when the last line was written.
private struct ProgressPen {
  let style: ProgressDisplay.Style
  let zone: LocalZone
  var shown = ""
  var shownAt: Double?
  var writtenAt: Double?
  var reportedWait: Double?

  /// The text to write for this state; nil if there is none.
  mutating func text(showing state: OneShotState) -> String? {
    guard state.clock != shownAt else { return nil }
    shownAt = state.clock
    let line = ProgressLine(lists: state.lists, now: state.clock, startedAt: state.start.now, zone: zone)
    switch style {
    case .overwriting(let columns): return overwriting(line.text, columns)
    case .lines where state.clock - (writtenAt ?? state.start.now) >= 10:
      return row(line.text, at: state.clock)
    case .lines, .longWaits: return wait(line, at: state.clock)
    }
  }

  private mutating func overwriting(_ text: String, _ columns: Int) -> String? {
    let cut = Sanitized(text).fitted(to: max(1, columns - 1), .leading, .codePoints).string
    guard cut != shown else { return nil }
    shown = cut
    return "\r\(cut)\(ControlSequence.eraseToRowEnd)"
  }

  /// Returns the line once for each wait.
  private mutating func wait(_ line: ProgressLine, at now: Double) -> String? {
    guard let wait = line.currentWait, wait.until - now >= 3, reportedWait != wait.until, let text = line.wait
    else { return nil }
    reportedWait = wait.until
    return row("\(text) (Ctrl-C: stop)", at: now)
  }

  private mutating func row(_ text: String, at now: Double) -> String {
    writtenAt = now
    return "riffle: \(Sanitized(text).string)\n"
  }
}

/// The progress of a run in one line: rows, pages, total, rate, budget and time left, or what it is waiting
/// for.
struct ProgressLine {
  let lists: ParentTraversal
  /// The time in seconds since 1970.
  let now: Double
  let startedAt: Double
  let zone: LocalZone

  private var session: Session { lists.current }

  var text: String {
    var facts = [Digits.counted(lists.rowCount, "row"), "page \(lists.pageCount)"]
    if lists.isWalk { facts.append("\(Digits.counted(lists.doneCount, "list")) done") }
    if !lists.isWalk, let total = session.total { facts.append("of \(total.text)") }
    if !lists.isWalk, let part = session.partText?.part { facts.append(part) }
    if let rate { facts.append("\(Digits.compact(rate) ?? "") rows/s") }
    if let budget { facts.append(budget) }
    if let wait { facts.append(wait) } else if let timeLeft { facts.append(timeLeft) }
    return facts.joined(separator: " · ")
  }

  /// What the run is waiting for, and for how much longer; nil if it is not waiting.
  var wait: String? {
    guard let wait = currentWait else { return nil }
    let left = DurationText.words(seconds: max(1, wait.until - now))
    return switch wait.reason {
    case .pacing: "next page in \(left)"
    case .retry(let error):
      "retrying in \(left): \(error.kind == .rateLimited ? error.fullMessage : error.message)"
    }
  }

  /// The wait for the next page, else the one for the total.
  var currentWait: Wait? {
    if case .waiting(_, let wait) = session.phase { wait } else { session.totalWait }
  }

  /// Rows per second since the first one.
  private var rate: Double? {
    let elapsed = now - startedAt
    return lists.rowCount > 0 && elapsed >= 1 ? Double(lists.rowCount) / elapsed : nil
  }

  private var budget: String? {
    guard let budget = session.budget, let remaining = budget.remaining else { return nil }
    let share = budget.limit.map { "\(remaining)/\($0) requests" } ?? "\(remaining) requests"
    guard let reset = budget.resetsAt.flatMap({ Timestamp(epoch: $0) }) else { return share }
    return "\(share), reset \(reset.clock(in: zone))"
  }

  private var timeLeft: String? {
    guard !lists.isWalk, let rate, let rest = session.rowsWanted.map({ $0 - session.freshCount }), rest > 0
    else {
      return nil
    }
    let seconds = (Double(rest) / rate).rounded(.up)
    return seconds < 864_000 ? "\(DurationText.text(.seconds(Int64(seconds)))) left" : nil
  }
}
