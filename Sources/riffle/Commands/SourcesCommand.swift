import ArgumentParser

/// `riffle sources`: lists, shows, checks and adds sources.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources", abstract: "List, show, check and add sources.",
    discussion: """
        riffle sources                         list all sources
        riffle sources show github             print one as TOML
        riffle sources check mine.toml         check it for errors
        riffle sources add mine.toml           install it and allow its credentials
      """,
    subcommands: [ListSources.self, ShowSource.self, CheckSource.self, AddSource.self, SourcesPath.self],
    defaultSubcommand: ListSources.self)
}

/// Options shared by all subcommands.
struct SourcesOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"))
  var config: String?

  /// Runs a subcommand; an error is printed and exits with its status.
  func perform(_ work: (Configuration, Dependencies, Message) throws(CommandError) -> ExitStatus) throws {
    let dependencies = Dependencies.live()
    let message = Message(dependencies)
    let status: ExitStatus
    do throws(CommandError) {
      status = try work(try Configuration(dependencies, file: config), dependencies, message)
    } catch {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
