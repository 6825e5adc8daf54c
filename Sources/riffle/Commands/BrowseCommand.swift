import ArgumentParser
import Glibc
import Pager
import Terminal

/// `riffle browse`, also without its name: opens the pager.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Search interactively.",
    discussion: """
      This is the default command. Results appear in a table, and the next page loads as you near the end. Press \
      ? for all keys. Without a source, you choose one from a list. Without a terminal, browse works like search.

        riffle unicode arrow
        riffle github language:swift topic:cli --set sort=stars
      """)

  @OptionGroup(title: "Request") var request: RequestOptions

  func run() throws {
    let dependencies = Dependencies.live()
    guard let options = TerminalOptions(environment: dependencies.environment), dependencies.isOutputTerminal
    else {
      return try SearchCommand.substitute(for: request).run()
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
