import Glibc
import JSON
import Locking
import Output
import Pager
import Search
import Text

/// Runs the programs of row actions.
struct ProgramRunner: Sendable {
  let reader: RowReader
  let terminal: TerminalPrograms

  /// The most lines of output that are kept of one run.
  private static let maxLines = 20_000

  /// The arguments of one run, or why there is none.
  private typealias Command = Result<[String], RowCommand.ArgumentError>

  /// Called with what a program has printed so far.
  typealias Progress = @Sendable (ProgramReport) -> Void

  func outcome(of request: ProgramRequest, _ progress: @escaping Progress = { _ in }) async -> EffectOutcome {
    let commands: [Command]
    do { commands = try self.commands(for: request) } catch { return .failed("\(request.name): \(error)") }
    return .ran(await report(on: commands, of: request, progress))
  }

  /// What a command reads: `put` passes on the text of rows, and how many rows have been passed on by then.
  typealias RowInput = @Sendable (_ put: ([UInt8], _ rows: Int) throws(Errno) -> Void) throws -> Void

  /// Runs a command of the shell that reads this number of rows.
  func outcome(
    of command: String, reading input: RowInput?, rows count: Int = 0,
    _ progress: @escaping Progress = { _ in }
  ) async -> EffectOutcome {
    let shown = Lock(ProgramReport(name: command, isForOutput: true, rowCount: count))
    let note: @Sendable ((inout ProgramReport) -> Void) -> Void = { change in
      progress(
        shown.withLock { report in
          change(&report)
          return report
        })
    }
    let bytes: ChildProgram.Input? = input.map { input in
      { @Sendable put in
        var next = Deadline(after: .zero)
        try input { (bytes, rows) throws(Errno) in
          try put(bytes)
          if next.milliseconds > 0, rows < count { return }
          next = Deadline(after: ChildProgram.progressInterval)
          note { $0.rowsWritten = rows }
        }
      }
    }
    let empty = ProgramReport(name: command)
    let run = await run(["sh", "-c", command], as: command, reading: bytes, after: empty) { report in
      note { $0.replaceRuns(with: report) }
    }
    var report = ProgramReport(name: command, isForOutput: true)
    report.append(run)
    return .ran(report)
  }

  private func report(
    on commands: [Command], of request: ProgramRequest, _ progress: @escaping Progress
  ) async -> ProgramReport {
    var report = ProgramReport(name: request.name)
    let usesTerminal = request.program.usesTerminal
    var ends = usesTerminal ? await terminal.run(commands.compactMap { try? $0.get() })[...] : []
    for command in commands {
      if Task.isCancelled, !usesTerminal { break }
      switch command {
      case .failure(let refusal): report.append(ProgramReport.Run(command: "", end: .notRun("\(refusal)")))
      case .success(let words) where usesTerminal:
        let end = ends.popFirst() ?? .notRun("canceled")
        report.append(ProgramReport.Run(command: Self.line(words), end: end))
      case .success(let words): report.append(await run(words, after: report, progress))
      }
    }
    return report
  }

  /// - Parameters:
  ///   - line: The command as the user typed it; nil for the words.
  ///   - report: The runs before this one.
  private func run(
    _ words: [String], as line: String? = nil, reading input: ChildProgram.Input? = nil,
    after report: ProgramReport,
    _ progress: @escaping Progress
  ) async -> ProgramReport.Run {
    let command = line ?? Self.line(words)
    let note: @Sendable (ChildProgram.Output) -> Void = { output in
      progress(
        report.appending(
          ProgramReport.Run(command: command, output: Self.lines(of: output), end: .running)))
    }
    note(ChildProgram.Output())
    do {
      let output = try await ChildProgram.output(
        of: words, reading: input, upTo: ProgramReport.limit, among: terminal.background, progress: note)
      return ProgramReport.Run(command: command, output: Self.lines(of: output), end: .status(output.status))
    } catch {
      let end = (error as? ChildProgram.RunError).map { Self.end(of: words, $0) } ?? .notRun("\(error)")
      return ProgramReport.Run(command: command, end: end)
    }
  }

  /// The command line as typed in a shell, quoted where necessary.
  static func line(_ words: [String]) -> String {
    words.map { word in
      let isPlain = word.wholeMatch(of: /[A-Za-z0-9_.\/:=@%+,\-]+/) != nil
      return isPlain ? word : ShellWord(word).description
    }.joined(separator: " ")
  }

  /// How a program ended that could not be run.
  fileprivate static func end(of words: [String], _ failure: ChildProgram.RunError) -> ProgramReport.End {
    let reason =
      switch failure {
      case .notInstalled: "not installed"
      case .notStarted(let reason): reason
      case .timedOut, .ended, .endless: "\(failure)"
      }
    return .notRun("cannot run \(words.first ?? ""): \(reason)")
  }

  /// The lines that a terminal would show: a line that was written over is left out, and so are colors.
  static func lines(of output: ChildProgram.Output) -> [String] {
    var lines = output.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    var texts = lines.prefix(maxLines).map { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let shown = line.split(separator: UInt8(ascii: "\r")).last ?? []
      return Sanitized(utf8: shown).string
    }
    let rest = lines.count - texts.count
    if rest > 0 { texts.append("(\(Digits.counted(rest, "more line")))") }
    if output.leftOut > 0 { texts.append("(\(Digits.grouped(output.leftOut)) more bytes)") }
    return texts
  }

  // MARK: Arguments

  private func commands(for request: ProgramRequest) throws -> [Command] {
    var commands: [Command] = []
    var all: [RowCommand.Values] = []
    var places = request.places[...]
    let paths = request.program.paths.map { ($0, ValueExpression([.path($0)])) }
    try reader.forEachPage(of: request.rows) { rows in
      for node in rows.nodes {
        var values = RowCommand.Values(
          row: places.popFirst() ?? 0, values: [:], options: rows.response.options)
        for (path, expression) in paths { values.values[path] = rows.response.text(of: expression, at: node) }
        switch request.program.rows {
        case .each: commands.append(Self.command(request.program, [values]))
        case .together: all.append(values)
        }
      }
    }
    return request.program.rows == .each ? commands : [Self.command(request.program, all)]
  }

  private static func command(_ program: RowCommand, _ rows: [RowCommand.Values]) -> Command {
    Result { () throws(RowCommand.ArgumentError) in try program.arguments(for: rows) }
  }
}

// MARK: On the terminal

/// Runs programs on the terminal, while the screen is given back. It passes them from the effect to the screen's
/// thread, and reports how they ended.
final class TerminalPrograms: Sendable {
  /// Those that run without the terminal.
  let background = RunningPrograms()

  private struct Request {
    let commands: [[String]]
    let ended: CheckedContinuation<[ProgramReport.End], Never>
  }

  private struct State {
    var waiting: [Request] = []
    var isClosed = false
  }

  private let state = Lock(State())
  private let wakeScreen: @Sendable () -> Void

  /// - Parameter wakeScreen: Schedules a redraw.
  init(wakeScreen: @escaping @Sendable () -> Void) { self.wakeScreen = wakeScreen }

  /// - Returns: How each program ended; fewer if the user canceled the others, none if the screen is closed.
  func run(_ commands: [[String]]) async -> [ProgramReport.End] {
    if commands.isEmpty || Task.isCancelled { return [] }
    return await withCheckedContinuation { ended in
      let isWaiting = state.withLock { state in
        if !state.isClosed { state.waiting.append(Request(commands: commands, ended: ended)) }
        return !state.isClosed
      }
      if isWaiting { wakeScreen() } else { ended.resume(returning: []) }
    }
  }

  /// What to do on the terminal now: it runs the programs, then waits for Enter.
  var next: (@Sendable (_ stop: () -> Void) -> Void)? {
    guard let request = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
      return nil
    }
    return { stop in request.ended.resume(returning: Self.run(request.commands, stop)) }
  }

  /// How long programs in the background have to end when the screen is closed.
  private static let grace = Duration.seconds(1)

  /// - Parameter isUrgent: Whether programs in the background are killed at once.
  func close(isUrgent: Bool) {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for request in waiting { request.ended.resume(returning: []) }
    background.end(within: isUrgent ? .zero : Self.grace)
  }

  private static func run(_ commands: [[String]], _ stop: () -> Void) -> [ProgramReport.End] {
    guard let terminal = ForegroundTerminal() else { return [.notRun("the terminal cannot be opened")] }
    defer { terminal.close() }
    var ends: [ProgramReport.End] = []
    for words in commands {
      terminal.print("\(Sanitized(ProgramRunner.line(words)))\n")
      do throws(ChildProgram.RunError) {
        ends.append(.status(try terminal.run(words, stop)))
      } catch { ends.append(ProgramRunner.end(of: words, error)) }
      if ends.last != .status(0), let end = ends.last { terminal.print("riffle: \(Sanitized(end.text))\n") }
      // Ctrl-C and Ctrl-\ are also meant for the programs after this one.
      if ends.last == .status(128 + SIGINT) || ends.last == .status(128 + SIGQUIT) { break }
    }
    terminal.print("riffle: press Enter to return")
    terminal.waitForEnter()
    return ends
  }
}
