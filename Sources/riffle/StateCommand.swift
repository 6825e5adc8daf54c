import App
import ArgumentParser

struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.state.rawValue, abstract: "List, show and reset the states of --since-last.",
    discussion: """
        riffle search github-issues 'repo:apple/swift-nio is:open' --since-last
        riffle state                     list all states
        riffle state show NAME           print what one contains
        riffle state reset NAME          remove it: the next run writes all rows

      A state contains a 24-byte hash of each row of the last complete run, and the query. Only --deleted adds \
      the ids of the rows. A state is a file in $XDG_STATE_HOME/riffle/since or ~/.local/state/riffle/since that only you \
      can read.
      """,
    subcommands: [ListStates.self, ShowState.self, ResetState.self], defaultSubcommand: ListStates.self)
}

struct ListStates: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List all states: name, source, query, rows and last complete run.",
    discussion: "Files that cannot be used are reported on stderr, and the exit status is 1.")

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try StateCommands(dependencies, message).list()
  }
}

struct ShowState: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Check a state, and print what it contains.")

  @Argument(help: ArgumentHelp("Name of a state.", valueName: "name"), completion: Completions.states)
  var name: String

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try StateCommands(dependencies, message).show(name)
  }
}

struct ResetState: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Remove a state, so that the next run writes all rows.")

  @Argument(help: ArgumentHelp("Name of a state.", valueName: "name"), completion: Completions.states)
  var name: String

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try StateCommands(dependencies, message).reset(name)
  }
}
