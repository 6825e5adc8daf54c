import JSON
import Output
import Pager
import Search
import Text

/// Runs the programs of row actions.
struct ProgramRunner: Sendable {
  let reader: RowReader

  /// The most lines of output that are kept of one run.
  private static let mostLines = 20_000

  /// The arguments of one run, or why there is none.
  private typealias Command = Result<[String], RowProgram.Refusal>

  func outcome(of request: ProgramRequest) async -> EffectOutcome {
    let commands: [Command]
    do { commands = try self.commands(for: request) } catch { return .failed("\(request.name): \(error)") }
    return .ran(await report(on: commands, of: request))
  }

  private func report(on commands: [Command], of request: ProgramRequest) async -> ProgramReport {
    var report = ProgramReport(name: request.name)
    for command in commands {
      if Task.isCancelled { break }
      switch command {
      case .failure(let refusal): report.append(ProgramReport.Run(command: "", end: .notRun("\(refusal)")))
      case .success(let words): report.append(await run(words))
      }
    }
    return report
  }

  private func run(_ words: [String]) async -> ProgramReport.Run {
    let command = Self.line(words)
    do {
      let output = try await ChildProgram.output(of: words, upTo: ProgramReport.limit)
      return ProgramReport.Run(command: command, output: Self.lines(of: output), end: .status(output.status))
    } catch {
      let program = words.first ?? ""
      let reason = (error as? ChildProgram.Failure).map { Self.reason($0) } ?? "\(error)"
      return ProgramReport.Run(command: command, end: .notRun("cannot run \(program): \(reason)"))
    }
  }

  /// The command line as typed in a shell, quoted where necessary.
  static func line(_ words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty && word.utf8.allSatisfy { "-_./:=@%+,".utf8.contains($0) || $0.isAlphanumeric }
      return isPlain ? word : ShellWord(word).description
    }.joined(separator: " ")
  }

  static func reason(_ failure: ChildProgram.Failure) -> String {
    switch failure {
    case .notInstalled: "not installed"
    case .notStarted(let reason): reason
    case .timedOut, .ended, .endless: "\(failure)"
    }
  }

  /// The lines that a terminal would show: a line that was written over is left out, and so are colors.
  static func lines(of output: ChildProgram.Output) -> [String] {
    var lines = output.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    var texts = lines.prefix(mostLines).map { line in
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
    var all: [RowProgram.Values] = []
    var places = request.places[...]
    let paths = request.program.paths.map { ($0, ValueExpression([.path($0)])) }
    try reader.forEachPage(of: request.rows) { rows in
      for node in rows.nodes {
        var values = RowProgram.Values(
          row: places.popFirst() ?? 0, values: [:], options: rows.reply.options)
        for (path, expression) in paths { values.values[path] = rows.reply.text(of: expression, at: node) }
        switch request.program.rows {
        case .each: commands.append(Self.command(request.program, [values]))
        case .together: all.append(values)
        }
      }
    }
    return request.program.rows == .each ? commands : [Self.command(request.program, all)]
  }

  private static func command(_ program: RowProgram, _ rows: [RowProgram.Values]) -> Command {
    Result { () throws(RowProgram.Refusal) in try program.arguments(for: rows) }
  }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
