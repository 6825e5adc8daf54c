import ArgumentParser
import Glibc
import Output
import Pager
import Terminal

/// `riffle pick`: prints the rows that are chosen in the pager.
struct PickCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick",
    abstract: "Select rows interactively and print them.",
    discussion: """
      The pager runs on the terminal, even in a pipe. Enter prints the marked rows, or else the selected row, to \
      stdout, in the order of the table and as tsv by default.

        riffle pick github swift tui -c @link | xargs -n 1 xdg-open
        riffle pick unicode arrow --template '{character}' | wl-copy

      Exit status: 0 rows printed, 130 canceled, 64 no terminal; otherwise the same as search.
      """)

  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "Output") var form: FormatOptions

  mutating func validate() throws {
    if form.resume {
      throw ValidationError("--resume cannot be used with pick, only with search")
    }
    // Reported before the user chooses rows, not after.
    if !form.namesFormat, let problem = form.problem(with: "tsv") { throw ValidationError(problem) }
  }

  func run() throws {
    let dependencies = Dependencies.live()
    let message = Message(request, dependencies)
    try message.reporting(terminalFailure: .usage) {
      guard let options = TerminalOptions(environment: dependencies.environment) else {
        throw CommandError(
          "pick needs a terminal: TERM is empty or dumb. Use riffle search, which needs none", .usage)
      }
      if form.output == nil { try Descriptor.requireStandardOutput() }
      let interactive = try Interactive(request, dependencies, .pick, options)
      for note in interactive.notes { message.note(note) }
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      let outcome = try interactive.run()
      outcome.exitReason.endProcess()
      guard let choice = outcome.choice else { throw ExitCode(Self.leftWithoutChoosing) }
      try print(choice, dependencies)
    }
  }

  /// The exit status a shell reports for an interrupt (128 + SIGINT).
  private static let leftWithoutChoosing: Int32 = 130

  private func print(_ choice: Choice, _ dependencies: Dependencies) throws {
    signal(SIGPIPE, SIG_IGN)
    let prepared = choice.session.prepared
    var writer = try formOrTSV.writer(for: prepared.source, prepared.settings, dependencies, resuming: nil)
    let target = try form.target()
    do {
      try writer.write(choice.rows, from: choice.session.reader) { bytes in
        if let code = target.write(bytes) { throw WriteFailure(code: code) }
      }
    } catch let error as WriteFailure {
      // A closed pipe is not a failure.
      if error.code == EPIPE { return }
      throw CommandError("cannot write output: \(String(cString: strerror(error.code)))", .output)
    } catch let error as ColumnSelectionError {
      throw CommandError("\(error)", .usage)
    } catch let error as RowReader.Failure {
      throw CommandError("\(error)", .failed)
    }
  }

  private struct WriteFailure: Error {
    let code: Int32
  }

  private var formOrTSV: FormatOptions {
    var form = form
    if !form.namesFormat { form.format = FormatName(rawValue: "tsv") }
    return form
  }
}
