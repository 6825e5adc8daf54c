import ArgumentParser
import Config
import Search

struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources", abstract: "What can be searched.", subcommands: [List.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the sources: name, title, where each comes from.",
      discussion: "  riffle sources list")

    @Option(help: ArgumentHelp("Read this file instead of the user's config.toml.", valueName: "file"))
    var config: String?

    func run() throws {
      let world = World.live()
      let message = Message(isColored: false, isQuiet: false)
      let setup: Setup
      do throws(Complaint) { setup = try Setup(world, file: config) } catch {
        message.failure(error.message)
        throw ExitCode(error.status.rawValue)
      }
      let (entries, problems) = setup.catalogue.all()
      let rows = entries.map { [$0.source.id, $0.source.title, "\($0.provenance)"] }
      for line in Columns.lines(rows) { print(line) }
      for problem in problems { message.failure("\(problem)") }
      if !problems.isEmpty { throw ExitCode(ExitStatus.configuration.rawValue) }
    }
  }
}
