import ArgumentParser
import Search

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Look at an address, guess a source, and keep it.",
    discussion: """
      Give it an address that returns a page of JSON, best of a search that finds much. It is asked without \
      credentials; what was seen is told on stderr, the source is written to stdout, and to your folder of sources \
      with --name, or when you say so.

        riffle add 'https://hn.algolia.com/api/v1/search?query=swift&hitsPerPage=20'
        riffle add --name books 'https://openlibrary.org/search.json?q=tea&limit=20'
        riffle add --dry-run 'http://127.0.0.1:8000/pages?q=arrow' > arrows.toml
      """)

  @Argument(help: ArgumentHelp("The address of a page, as a browser or curl takes it.", valueName: "url"))
  var url: String

  @Option(help: ArgumentHelp("Write the source under this name, without a question.", valueName: "name"))
  var name: String?

  @Flag(help: "Write no file.")
  var dryRun = false

  @Option(help: ArgumentHelp("Read this file instead of the user's config.toml.", valueName: "file"))
  var config: String?

  mutating func validate() throws {
    if let name, !SourceName.isValid(name) {
      throw ValidationError("--name \(name): a name has only a-z, 0-9 and -, and does not begin with -")
    }
  }

  func run() throws {
    let world = World.live()
    let message = Message(world)
    do throws(Complaint) {
      let setup = try Setup(world, file: config)
      try SourceAddition(world: world, message: message, setup: setup, isDryRun: dryRun).run(url, name: name)
    } catch {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }
}
