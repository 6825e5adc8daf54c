import ArgumentParser
import Config

/// Options that affect the request, shared by all commands that request a source.
struct RequestOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A source: its name, an alias, or the path of a TOML file.", valueName: "source"),
    completion: Completions.sources)
  var source: String?

  @Argument(help: ArgumentHelp("Words to search for, joined by spaces.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp("Set an option of the source. May be repeated.", valueName: "name=value"),
    completion: Completions.settings)
  var set: [NameValue] = []

  @Option(
    help: ArgumentHelp("Add a parameter to every request. May be repeated.", valueName: "name=value"))
  var param: [NameValue] = []

  @Option(
    name: [.customShort("H", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add a header to every request; $NAME reads a variable. May be repeated.", valueName: "'Name: value'"))
  var requestHeader: [String] = []

  @Option(help: ArgumentHelp("Rows to ask for per page.", valueName: "rows"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("Pages in flight at once, where pages are numbered.", valueName: "pages"))
  var concurrency: Int?

  @Option(
    help: ArgumentHelp(
      "The longest single wait for a rate limit or a retry: 400ms 60s 5m 2h, or unlimited (2m).",
      valueName: "duration"))
  var maxWait: String?

  @Option(help: ArgumentHelp("The longest a page may take, head and body (60s).", valueName: "duration"))
  var timeout: String?

  @Option(help: ArgumentHelp("Attempts after the first for a failed page.", valueName: "count"))
  var retries: Int?

  @Option(
    help: ArgumentHelp("Read this file instead of the user's config.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Record the session in a new file, for riffle replay: the rows, and what is typed, queries of the history "
        + "included; no credentials.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Let a source given by path use credentials, for this run.")
  var trust = false

  @Flag(help: "Take any certificate a server shows: whoever is on the way can read and change everything.")
  var insecure = false

  @Option(help: "Colour text for people.")
  var color: ColorChoice?

  @Flag(name: [.short, .long], help: "No notes on stderr; a failure is still said.")
  var quiet = false

  static let insecureWarning =
    "--insecure: certificates are not checked; what is sent and read can be seen and changed"

  mutating func validate() throws {
    for (name, value, least) in [
      ("page-size", pageSize, 1), ("concurrency", concurrency, 1), ("retries", retries, 0),
    ] {
      if let value, value < least {
        throw ValidationError("--\(name) \(value): at least \(least) is needed")
      }
    }
  }
}
