import ArgumentParser

struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources", abstract: "What can be searched.",
    discussion: """
        riffle sources                         all there are, and where they come from
        riffle sources show github             one of them, as it is in effect
        riffle sources check mine.toml --reply page.json
        riffle sources add mine.toml           keep it, and let it use its credentials
      """,
    subcommands: [ListSources.self, ShowSource.self, CheckSource.self, KeepSource.self, SourcesPath.self],
    defaultSubcommand: ListSources.self)
}

/// Options shared by all subcommands.
struct SourcesOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read this file instead of the user's config.toml.", valueName: "file"))
  var config: String?

  /// Runs a subcommand; an error is printed and exits with its status.
  func perform(_ work: (Setup, World, Message) throws(Complaint) -> ExitStatus) throws {
    let world = World.live()
    let message = Message(world)
    let status: ExitStatus
    do throws(Complaint) { status = try work(try Setup(world, file: config), world, message) } catch {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
