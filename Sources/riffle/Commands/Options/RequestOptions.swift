import ArgumentParser
import Config

/// Options that affect the request, shared by all commands that request a source.
struct RequestOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "source"),
    completion: Completions.sources)
  var source: String?

  @Argument(help: ArgumentHelp("Words to search for.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp("Set an option of the source. May be repeated.", valueName: "name=value"),
    completion: Completions.settings)
  var set: [NameValue] = []

  @Option(
    help: ArgumentHelp("Add a query parameter to every request. May be repeated.", valueName: "name=value"))
  var param: [NameValue] = []

  @Option(
    name: [.customShort("H", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add a request header; $NAME is replaced by that variable. May be repeated.", valueName: "'Name: value'"
    ))
  var requestHeader: [String] = []

  @Option(help: ArgumentHelp("Request this many rows per page.", valueName: "rows"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("Load this many numbered pages at once.", valueName: "pages"))
  var concurrency: Int?

  @Option(
    help: ArgumentHelp(
      "Longest wait before a retry, such as 60s, 5m or unlimited (default: 2m).",
      valueName: "duration"))
  var maxWait: String?

  @Option(
    help: ArgumentHelp("Time limit for each page, including its body (default: 60s).", valueName: "duration"))
  var timeout: String?

  @Option(help: ArgumentHelp("Retry a failed page up to this many times.", valueName: "count"))
  var retries: Int?

  @Option(
    help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Record the session to a new file, for riffle replay.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Let a source given by path use credentials.")
  var trust = false

  @Flag(help: "Do not check TLS certificates; others can read and change traffic.")
  var insecure = false

  @Option(help: "When to use color.")
  var color: ColorChoice?

  @Flag(name: [.short, .long], help: "Print errors only.")
  var quiet = false

  static let insecureWarning =
    "--insecure: certificates are not checked. Others can read and change the traffic"

  mutating func validate() throws {
    for (name, value, least) in [
      ("page-size", pageSize, 1), ("concurrency", concurrency, 1), ("retries", retries, 0),
    ] {
      if let value, value < least {
        throw ValidationError("invalid value \"\(value)\" for --\(name): must be at least \(least)")
      }
    }
  }
}
