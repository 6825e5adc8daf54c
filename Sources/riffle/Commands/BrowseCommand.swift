import ArgumentParser
import Glibc
import Terminal

struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Search interactively (the default).",
    discussion: """
      Rows arrive as a table; the next page loads as you near the end. Press ? for all keys.
      Without a terminal this is the same as search.

        riffle unicode arrow
        riffle github language:swift topic:cli --set sort=stars
      """)

  @OptionGroup(title: "How it is asked") var request: RequestOptions

  func run() throws {
    let world = World.live()
    guard var options = TerminalOptions(environment: world.environment), world.isOutputTerminal else {
      return try SearchCommand.standingIn(for: request).run()
    }
    let message = Message(request, world)
    let departure: Departure
    do {
      let run = try PreparedRun(request, world, mode: .interactive)
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      options.apply(run.settings)
      defer { _ = blocking { await run.close() } }
      departure = try Interactive(prepared: run, world: world, options: options).run()
    } catch let complaint as Complaint {
      message.failure(complaint.message)
      throw ExitCode(complaint.status.rawValue)
    } catch let error as SystemError {
      message.failure("the terminal cannot be used: \(error); riffle search works without one")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    switch departure {
    case .finished: break
    case .signal(let number): Signals.raise(number)
    case .hangup: Signals.raise(SIGHUP)
    }
  }
}
