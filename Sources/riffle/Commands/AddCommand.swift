import ArgumentParser
import Search

/// `riffle add`: writes a source from one page of an API.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Create a source from the URL of an API.",
    discussion: """
      Give the URL of one page of JSON results, preferably of a search with many results. It is requested without \
      credentials. The findings are printed to stderr and the source to stdout; with --name, or after you confirm, \
      the source is also saved to your source folder.

        riffle add 'https://hn.algolia.com/api/v1/search?query=swift&hitsPerPage=20'
        riffle add --name books 'https://openlibrary.org/search.json?q=tea&limit=20'
        riffle add --dry-run 'http://127.0.0.1:8000/pages?q=arrow' > arrows.toml
      """)

  @Argument(help: ArgumentHelp("URL of a page, as for a browser or curl.", valueName: "url"))
  var url: String

  @Option(help: ArgumentHelp("Save the source under this name, without asking.", valueName: "name"))
  var name: String?

  @Flag(help: "Do not save the source.")
  var dryRun = false

  @Option(help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"))
  var config: String?

  mutating func validate() throws {
    if let name, !SourceName.isValid(name) {
      throw ValidationError(
        "invalid value \"\(name)\" for --name: use a-z, 0-9 and -, and do not start with -")
    }
  }

  func run() throws {
    let dependencies = Dependencies.live()
    let message = Message(dependencies)
    do throws(CommandError) {
      let configuration = try Configuration(dependencies, file: config)
      try SourceAddition(
        dependencies: dependencies, message: message, configuration: configuration, isDryRun: dryRun
      ).run(url, name: name)
    } catch {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }
}
