import App
import ArgumentParser
import Search

struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.sources.rawValue, abstract: "List, show, check, add, edit and remove sources.",
    discussion: """
        riffle sources                         list all sources
        riffle sources list git issues         list those with these words
        riffle sources show github             print one as TOML
        riffle sources check mine.toml         check it for errors
        riffle sources add mine.toml           install it and allow its credentials
        riffle sources edit mine               edit it, then check it
        riffle sources remove mine             remove its file
      """,
    subcommands: [
      ListSources.self, ShowSource.self, CheckSource.self, AddSource.self, EditSource.self, RemoveSource.self,
      SourcesPath.self,
    ],
    defaultSubcommand: ListSources.self)
}

struct ListSources: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List sources by subject: name, title, credential and file.",
    discussion: """
      With words, only sources that have all of them in their name, aliases, title or subject are listed. \
      "riffle sources find" does the same.

        riffle sources list
        riffle sources list stripe
        riffle sources list packages

      Files that cannot be used are reported on stderr, and the exit status is 78.
      """, aliases: ["find"])

  @Argument(
    help: ArgumentHelp("List only sources with these words.", valueName: "word"),
    completion: Completions.sources)
  var words: [String] = []

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Configuration(dependencies, file: settings.config).listSources(words, message)
  }
}

struct ShowSource: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a source as TOML, with all changes to it.",
    discussion: """
      The document includes the sources it extends and the settings that override it. Comments name its location, and \
      which credentials it may send where. No credential is read.

        riffle sources show github
        riffle sources show ./mine.toml
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "name"),
    completion: Completions.sources)
  var name: String

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Configuration(dependencies, file: settings.config).showSource(name, message)
  }
}

struct CheckSource: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check sources for errors, or show what one reads from a saved response.",
    discussion: """
      Without a name, all sources are checked. Only --live sends a request: it loads one page, and prints the values \
      found for each setting of the source.

        riffle sources check
        riffle sources check mine.toml
        riffle sources check mine.toml --live --query tea --trust
        curl -sD head.txt -o page.json 'https://api.example.org/search?q=tea'
        riffle sources check mine.toml --response page.json --headers head.txt

      Exit status: 0 no problems, 1 the response cannot be read or lacks fields the source reads, 78 a source has \
      errors.
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "name|file"),
    completion: Completions.sources)
  var name: String?

  @Option(help: ArgumentHelp("Body of a saved response.", valueName: "file"), completion: .file())
  var response: String?

  @Option(
    help: ArgumentHelp(
      "Headers of the response; without a status line, the status is 200.", valueName: "file"),
    completion: .file())
  var headers: String?

  @Option(help: ArgumentHelp("Page number of the response.", valueName: "number"))
  var page = 1

  @Flag(help: "Request one page, and show what the source reads from it.")
  var live = false

  @Option(
    help: ArgumentHelp("With --live: the query (default: the first example).", valueName: "words"))
  var query: String?

  @Option(
    help: ArgumentHelp("With --live: set an option of the source. May be repeated.", valueName: "name=value"))
  var set: [NameValue] = []

  @Flag(help: "With --live: let a source that is not trusted use its credentials.")
  var trust = false

  @OptionGroup var settings: ConfigOption

  mutating func validate() throws {
    if name == nil, response != nil { throw ValidationError("--response needs a source") }
    if response == nil, headers != nil { throw ValidationError("--headers needs --response") }
    if live, response != nil { throw ValidationError("--live and --response cannot be used together") }
    if live, name == nil { throw ValidationError("--live needs a source") }
    if !live, query != nil || !set.isEmpty || trust {
      throw ValidationError("--query, --set and --trust need --live")
    }
    try Bound.check(["page": page], atLeast: 1)
  }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    let configuration = try Configuration(dependencies, file: settings.config)
    guard let name else { return try configuration.checkSources(message) }
    if live {
      var request = try RequestOptions.unset()
      request.source = name
      request.words = query.map { [$0] } ?? []
      request.set = set
      request.trust = trust
      _ = try configuration.checkSource(name, response: nil, headers: nil, page: 1, message)
      return try configuration.checkSource(live: request, message)
    }
    return try configuration.checkSource(name, response: response, headers: headers, page: page, message)
  }
}

struct AddSource: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Install a source file and allow it to use its credentials.",
    discussion: """
      Shows each credential the source would send and where, and asks for confirmation. An existing source of the \
      same name is never overwritten.

        riffle sources add mine.toml
        riffle sources add --yes mine.toml
      """)

  @Argument(
    help: ArgumentHelp("TOML file of a source.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var file: String

  @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
  var yes = false

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Configuration(dependencies, file: settings.config).installSource(file, isAgreed: yes, message)
  }
}

struct EditSource: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a source in VISUAL, EDITOR or vi, then check it.",
    discussion: """
      For a built-in source, riffle creates a file for your changes; if you leave it unchanged, it is deleted.

        riffle sources edit books
        riffle sources edit github
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source.", valueName: "name"), completion: Completions.sources)
  var name: String

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Configuration(dependencies, file: settings.config).editSource(name, message)
  }
}

struct RemoveSource: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove the file of one of your sources.",
    discussion: """
      If the file changed a built-in source, the original is restored.

        riffle sources remove books
        riffle sources remove --yes books
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of your source.", valueName: "name"), completion: Completions.sources)
  var name: String

  @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
  var yes = false

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Configuration(dependencies, file: settings.config).removeSource(name, isAgreed: yes, message)
  }
}

struct SourcesPath: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of your sources directory, or of one source.",
    discussion: """
        ls "$(riffle sources path)"
        $EDITOR "$(riffle sources path books)"
      """)

  @Argument(help: ArgumentHelp("Name of your source.", valueName: "name"), completion: Completions.sources)
  var name: String?

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try dependencies.print("\(Configuration(dependencies, file: settings.config).sourcePath(of: name))\n")
  }
}

struct AddCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.add.rawValue,
    abstract: "Create a source from a URL, a curl command, or an API description.",
    discussion: """
      Give the URL of one page of JSON results, preferably of a search with many results. A curl command from API \
      documentation or from the developer tools of a browser works, too. riffle prints its findings to stderr and the \
      source to stdout. With --name, or after you confirm, riffle saves the source to your sources \
      directory.

        riffle add 'https://hn.algolia.com/api/v1/search?query=swift&hitsPerPage=20'
        riffle add --name books 'https://openlibrary.org/search.json?q=tea&limit=20'
        riffle add -H 'X-Key: $FORGE_KEY' 'https://api.example.org/issues?size=20'
        riffle add --curl - < request.txt
        riffle add --dry-run 'http://127.0.0.1:8000/characters?q=arrow' > arrows.toml

      To confirm the pages, riffle sends at most 20 requests. It waits as long as the service asks (Retry-After, \
      rate limit headers), but not more than 30 seconds, and prints how many requests it sent.

      Credentials in the URL, the headers and the body are used for the requests of this command, but never \
      written. The source reads them from environment variables, and riffle prints their names.

      An API description (OpenAPI 3 or Swagger 2.0, in JSON or YAML) is given as a URL or a file. Its lists appear in \
      a table, where Enter adds the selected one, or those marked with x. Without a terminal, they are printed. \
      --endpoint names one. riffle requests the first page to confirm the list. If that needs a credential, pass it \
      with -H; for path parameters, use --set. With --all, riffle adds all lists as described.

        riffle add openapi.json
        riffle add openapi.json --endpoint /orders -H 'X-Key: $SHOP_KEY'
        riffle add openapi.json --all --name shop
      """)

  @Argument(help: ArgumentHelp("URL of a page, or URL or file of an API description.", valueName: "url|file"))
  var url: String?

  @Option(
    help: ArgumentHelp("Use the request of a curl command; - reads it from stdin.", valueName: "command"))
  var curl: String?

  @Option(help: ArgumentHelp("With an API description: the path of the list to add.", valueName: "path"))
  var endpoint: String?

  @Flag(help: "With an API description: add all of its lists.")
  var all = false

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp(
      "With an API description: an option for the first page. May be repeated.", valueName: "name=value"))
  var set: [NameValue] = []

  @Option(
    name: [.customShort("H", allowingJoined: true), .customLong("request-header")],
    help: ArgumentHelp(
      "Add a request header; $NAME is replaced by that variable. May be repeated.", valueName: "'Name: value'"
    ))
  var requestHeader: [String] = []

  @Option(help: ArgumentHelp("Save the source under this name, without asking.", valueName: "name"))
  var name: String?

  @Flag(help: "With --name: replace your source of this name.")
  var force = false

  @Flag(help: "Do not save the source.")
  var dryRun = false

  @OptionGroup var settings: ConfigOption

  mutating func validate() throws {
    if let name, !SourceName.isValid(name) {
      throw ValidationError(
        "invalid value \"\(name)\" for --name: use a-z, 0-9 and -, and do not start with -")
    }
    if force, name == nil { throw ValidationError("--force needs --name") }
    if url != nil, curl != nil { throw ValidationError("a URL and --curl cannot be used together") }
    if all, endpoint != nil { throw ValidationError("--all and --endpoint cannot be used together") }
    if url == nil, curl == nil { throw ValidationError("expected a URL, a file or --curl") }
  }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    let isLine = url?.hasPrefix("curl ") ?? false
    let origin = (isLine ? url : curl).map { AddedRequest.curl($0) } ?? .place(url ?? "")
    return try Configuration(dependencies, file: settings.config).addSource(
      origin, lists: all ? .all : endpoint.map { .endpoint($0) } ?? .asked, options: set,
      headers: requestHeader,
      name: name, isReplacing: force, isDryRun: dryRun,
      message)
  }
}
