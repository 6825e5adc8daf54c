package import Search
import Terminal
import Text

/// A request to run a program for rows; answered by a `ProgramReport`.
package struct ProgramRequest: Sendable {
  /// The name of the action.
  package let name: String
  package let program: RowCommand
  package let rows: RowSelection
  /// The number of each row for messages, from 1: its place in the list.
  package let places: [Int]
}

/// How the runs of a program ended.
package struct ProgramReport: Sendable, Hashable {
  package enum End: Sendable, Hashable {
    /// 128 plus the number of the signal if one ended it, as in a shell.
    case status(Int32)
    /// Why it was not run.
    case notRun(String)
    /// It still runs.
    case running
    /// The user stopped it.
    case stopped

    var isFailure: Bool {
      switch self {
      case .status(let status): status != 0
      case .notRun: true
      case .running, .stopped: false
      }
    }
  }

  package struct Run: Sendable, Hashable {
    /// As typed in a shell; "" if there is none.
    package let command: String
    package let output: [String]
    package fileprivate(set) var end: End

    package init(command: String, output: [String] = [], end: End) {
      self.command = command
      self.output = output
      self.end = end
    }
  }

  /// The name of the action, or the command that the user typed.
  package let name: String
  /// Whether the output is what the user asked for.
  package let isForOutput: Bool
  /// In order; without those whose text would exceed the limit.
  package private(set) var runs: [Run] = []
  package private(set) var count = 0
  package private(set) var failures = 0
  /// The end of the first run that failed.
  package private(set) var firstFailure: End?
  private var size = 0
  /// The number of rows that the program reads.
  package let rowCount: Int
  /// How many of them were written to it so far.
  package var rowsWritten = 0

  /// The limit of the texts of all runs, in bytes.
  package static let limit = 1 << 20

  package init(name: String, isForOutput: Bool = false, rowCount: Int = 0) {
    self.name = name
    self.isForOutput = isForOutput
    self.rowCount = rowCount
  }

  /// `12,000 of 100,000 rows`; nil unless rows are being written to a program.
  var progress: String? {
    guard rowCount > 1, rowsWritten < rowCount else { return nil }
    return "\(Digits.grouped(rowsWritten)) of \(Digits.counted(rowCount, "row"))"
  }

  /// Takes the runs of another report.
  package mutating func replaceRuns(with other: ProgramReport) {
    (runs, count, failures) = (other.runs, other.count, other.failures)
    (firstFailure, size) = (other.firstFailure, other.size)
  }

  package mutating func append(_ run: Run) {
    count += 1
    if run.end.isFailure {
      failures += 1
      firstFailure = firstFailure ?? run.end
    }
    size += run.output.reduce(run.command.utf8.count + 100) { $0 + $1.utf8.count }
    if runs.isEmpty || size <= Self.limit { runs.append(run) }
  }

  /// The report with a run that has not ended.
  package func appending(_ run: Run) -> ProgramReport {
    var report = self
    report.append(run)
    return report
  }

  /// Notes that the user stopped the program.
  mutating func stop() {
    for index in runs.indices where runs[index].end == .running { runs[index].end = .stopped }
  }

  /// How many runs are not in `runs`.
  var leftOut: Int { max(0, count - runs.count) }

  var hasOutput: Bool { runs.contains { !$0.output.isEmpty } }

  /// `clone: done`, `clone failed with status 1`, `clone: 2 of 12 failed: row 3 has no full_name`.
  var summary: String {
    switch firstFailure {
    case nil: return count == 1 ? "\(name): done" : "\(name): done, \(Digits.grouped(count)) times"
    case .status(let status)? where count == 1: return "\(name) failed with status \(status)"
    case .notRun(let reason)? where count == 1: return "\(name): \(reason)"
    case let end?:
      let reason = if case .notRun(let reason) = end { reason } else { end.text }
      return "\(name): \(Digits.grouped(failures)) of \(Digits.grouped(count)) failed: \(reason)"
    }
  }
}

extension ProgramReport.End {
  package var text: String {
    switch self {
    case .status(let status): "status \(status)"
    case .notRun(let reason): "not run: \(reason)"
    case .running: "running"
    case .stopped: "stopped"
    }
  }
}

extension PagerState {
  /// The most rows for which a program runs without a question.
  private static let rowsWithoutQuestion = 5

  /// Runs the program of an action for the marked rows, else for the selected one.
  mutating func run(_ action: RowAction) {
    let count = picked.numbers.count
    if count == 0 { return notifyNoRow() }
    if count > Self.rowsWithoutQuestion {
      overlays.ask(.run(action))
    } else {
      runNow(action)
    }
  }

  mutating func runNow(_ action: RowAction) {
    guard case .run(let program) = action.effect else { return }
    let rows = picked
    if rows.numbers.isEmpty { return notifyNoRow() }
    let places = places(of: rows.numbers)
    let isNext = !effects.hasProgram
    request(.run(ProgramRequest(name: action.name, program: program, rows: rows, places: places)))
    if !isNext {
      notify("\(action.name): waiting for the previous program")
    } else if !program.usesTerminal {
      notify("\(action.name): running")
    }
  }

  /// Runs a shell command that reads the marked rows, else the selected one.
  mutating func pipe(to command: String) {
    let rows = picked
    if rows.numbers.isEmpty { return notifyNoRow() }
    let isNext = !effects.hasProgram
    request(.pipe(rows, into: command))
    notify("\(command): \(isNext ? "running" : "waiting for the previous program")" + hint("cancel", "stop"))
  }

  /// Ends the program that runs without the terminal; false if there is none.
  mutating func stopProgram() -> Bool {
    guard let name = effects.stopProgram() else { return false }
    notify("\(name): stopped", .warning)
    return true
  }

  /// The number of each row as shown: its place in the list, from 1; of a row that is not listed, that in the order of
  /// the service. O(listed rows) if sorted.
  private func places(of numbers: [Int]) -> [Int] {
    guard let order = list.order, order.rules.sort != nil else {
      return numbers.map { (list.position(of: $0) ?? $0) + 1 }
    }
    let places = Dictionary(
      order.rows.enumerated().map { (Int($1), $0 + 1) }, uniquingKeysWith: { first, _ in first })
    return numbers.map { places[$0] ?? $0 + 1 }
  }

  mutating func take(_ report: ProgramReport) {
    effects.report = report
    let isWanted = report.failures > 0 || report.isForOutput
    let showsOutput = isWanted && report.hasOutput && overlays.isEmpty && focus == .table
    if showsOutput { overlays.toggle(.output) }
    let isInPopup = overlays.shownPopup?.kind == .output
    let hint = report.hasOutput || report.count > 1 && report.failures > 0
    notify(
      report.summary + (hint && !isInPopup ? self.hint("program-output", "output", in: baseMode) : ""),
      report.failures > 0 ? .error : .success, brief: report.summary)
  }
}
