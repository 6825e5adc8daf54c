import ArgumentParser
import Glibc
import Pager
import Terminal

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
    let world = World.live()
    guard let options = TerminalOptions(environment: world.environment), world.isOutputTerminal else {
      return try SearchCommand.standingIn(for: request).run()
    }
    let message = Message(request, world)
    try message.telling {
      let interactive = try Interactive(request, world, .browse, options)
      for note in interactive.notes { message.note(note) }
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      try interactive.run().departure.endProcess()
    }
  }
}

extension Departure {
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
  func telling(terminalFailure: ExitStatus = .failed, _ work: () throws -> Void) throws {
    do { try work() } catch let complaint as Complaint {
      failure(complaint.message)
      throw ExitCode(complaint.status.rawValue)
    } catch let error as SystemError {
      failure("cannot use the terminal: \(error). Use riffle search, which needs none")
      throw ExitCode(terminalFailure.rawValue)
    }
  }
}
