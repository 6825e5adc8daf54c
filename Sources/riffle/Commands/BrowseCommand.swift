import ArgumentParser
import Glibc
import Output
import Pager
import Terminal

/// `riffle browse`, also without its name: opens the pager.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.browse.rawValue,
    abstract: "Search interactively.",
    discussion: """
      This is the default command. Results appear in a table, and the next page loads as you near the end. Press \
      ? for all keys. Without a source, you choose one from a list. Without a terminal, browse works like search.

        riffle unicode arrow
        riffle github language:swift topic:cli --set sort=stars
      """)

  @OptionGroup(title: "Request") var request: RequestArguments

  func run() throws {
    let dependencies = Dependencies.live()
    let arguments = request
    let request = request.options
    guard let options = TerminalOptions(environment: dependencies.environment), dependencies.isOutputTerminal
    else {
      return try SearchCommand.substitute(for: arguments).run()
    }
    let message = Message(request, dependencies)
    try message.reporting {
      let interactive = try Interactive(request, dependencies, .browse, options)
      for note in interactive.notes { message.note(note) }
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      try interactive.run().exitReason.endProcess()
    }
  }
}

extension LoopExit {
  /// If the session ended because of a signal, ends the process by that signal, so that the shell sees it.
  func endProcess() {
    switch self {
    case .finished: break
    case .signal(let number): Signals.raise(number)
    case .hangup: Signals.raise(SIGHUP)
    }
  }
}

extension Message {
  /// Runs a command on the screen; prints a failure and exits with its status.
  ///
  /// - Parameter terminalFailure: The exit status if there is no usable terminal.
  func reporting(terminalFailure: ExitStatus = .failed, _ work: () throws -> Void) throws {
    do { try work() } catch let error as CommandError {
      failure(error.message)
      throw ExitCode(error.status.rawValue)
    } catch let error as SystemError {
      failure("\(error). Use riffle search, which needs no terminal")
      throw ExitCode(terminalFailure.rawValue)
    }
  }
}

/// `riffle pick`: prints the rows that are chosen in the pager.
struct PickCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.pick.rawValue,
    abstract: "Select rows interactively and print them.",
    discussion: """
      The pager runs on the terminal, even in a pipe. Enter prints the marked rows, or else the selected row, to \
      stdout, in the order of the table and as tsv by default.

        riffle pick github swift tui -c @link | xargs -n 1 xdg-open
        riffle pick unicode arrow --template '{character}' | wl-copy

      Exit status: 0 rows printed, 130 canceled, 64 no terminal; otherwise the same as search.
      """)

  @OptionGroup(title: "Request") var request: RequestArguments
  @OptionGroup(title: "Output") var form: FormatArguments

  mutating func validate() throws {
    if form.resume {
      throw ValidationError("--resume cannot be used with pick, only with search")
    }
    // Reported before the user chooses rows, not after.
    if !form.options.namesFormat, let problem = form.options.problem(with: "tsv") {
      throw ValidationError(problem)
    }
  }

  func run() throws {
    let dependencies = Dependencies.live()
    let (request, form) = (request.options, form.options)
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
      guard let choice = outcome.choice else { return try RunEnd.canceled.leave() }
      try print(choice, dependencies)
    }
  }

  private func print(_ choice: Choice, _ dependencies: Dependencies) throws {
    signal(SIGPIPE, SIG_IGN)
    let prepared = choice.session.prepared
    var writer = try formOrTSV.writer(for: prepared.source, prepared.settings, dependencies, resuming: nil)
    let target = try form.options.target()
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
    var form = form.options
    if !form.namesFormat { form.format = "tsv" }
    return form
  }
}

/// `riffle replay`: plays a recording.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.replay.rawValue,
    abstract: "Replay a recorded session.",
    discussion: """
      Shows the session as it happened, waiting at most one second between events. Any key jumps to the end, where \
      you can look through the rows; nothing is loaded, opened, copied or written. q or Ctrl-C quits. Without a \
      terminal, or for a recording of riffle search, the final state is printed.

      A recording contains the rows and everything typed, including queries from the history, but no credentials.

        riffle browse github swift --record session.riffle
        riffle replay session.riffle
        riffle replay session.riffle | less
      """)

  @Argument(
    help: ArgumentHelp("Recording made by --record or save-recording.", valueName: "file"),
    completion: .file())
  var file: String

  func run() throws {
    let dependencies = Dependencies.live()
    let message = Message(dependencies)
    try message.reporting {
      do {
        let recording = try RecordingReader(file)
        if recording.header.lostEvents > 0 {
          message.note("the first \(recording.header.lostEvents) events were dropped: the screen may differ")
        }
        if let options = TerminalOptions(environment: dependencies.environment),
          dependencies.isOutputTerminal,
          case .pager(let initialState) = recording.header.initialState
        {
          try ReplayScreen.run(recording, initialState, on: options, dependencies).endProcess()
        } else {
          let (text, fault) = LastScreen.text(of: recording)
          try Descriptor.print(text)
          guard let fault else { return }
          if !fault.isCut { throw fault }
          message.note("\(fault)")
        }
      } catch let fault as RecordingFault {
        throw CommandError("\(fault)", .failed)
      }
    }
  }
}
