package import ArgumentParser
import Config
import Search
package import Text

/// Options that affect the request, shared by all commands that request a source.
package struct RequestOptions: ParsableArguments, Sendable {
  @Argument(
    help: ArgumentHelp(
      "Name or alias of a source, path of its TOML file, or @NAME for a saved search.", valueName: "source"),
    completion: Completions.sources)
  package var source: String?

  @Argument(help: ArgumentHelp("Words to search for.", valueName: "query"))
  package var words: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp("Set an option of the source. May be repeated.", valueName: "name=value"),
    completion: Completions.settings)
  package var set: [NameValue] = []

  @Option(
    help: ArgumentHelp("Add a query parameter to every request. May be repeated.", valueName: "name=value"))
  package var param: [NameValue] = []

  @Option(
    name: [.customShort("H", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add a request header, as curl -H does; $NAME reads a variable. May be repeated.",
      valueName: "'Name: value'"
    ))
  package var requestHeader: [String] = []

  @Option(help: ArgumentHelp("Request up to this many rows per page.", valueName: "rows"))
  package var pageSize: Int?

  @Option(help: ArgumentHelp("Load this many numbered pages at once.", valueName: "pages"))
  package var concurrency: Int?

  @Option(
    help: ArgumentHelp(
      "Longest wait before a retry, such as 60s, 5m or unlimited (default: 2m).", valueName: "duration"))
  package var maxWait: String?

  @Option(
    help: ArgumentHelp("Time limit for each page, including its body (default: 60s).", valueName: "duration"))
  package var timeout: String?

  @Option(help: ArgumentHelp("Retry a failed page up to this many times.", valueName: "count"))
  package var retries: Int?

  @OptionGroup package var settings: ConfigOption

  @Option(
    help: ArgumentHelp("Record the session to a new file, for riffle replay.", valueName: "file"),
    completion: .file())
  package var record: String?

  @Flag(help: "Let a source use credentials even if it is not trusted.")
  package var trust = false

  @Flag(help: "Do not check TLS certificates; others can read and change traffic.")
  package var insecure = false

  @Option(help: ArgumentHelp("When to use color.", valueName: "when"))
  package var color: Occasion?

  @Flag(name: [.short, .long], help: "Print only errors and warnings.")
  package var quiet = false

  @Option(
    help: ArgumentHelp("Refresh at this interval, such as 60s; at least 5s.", valueName: "duration"))
  package var watch: String?

  package init() {}

  package mutating func validate() throws {
    try Bound.check(["page-size": pageSize, "concurrency": concurrency], atLeast: 1)
    try Bound.check(["retries": retries], atLeast: 0)
  }

  /// The file of `--config`.
  var config: String? { settings.config }

  package var messageStyle: MessageStyle { MessageStyle(color: color, isQuiet: quiet) }

  static let insecureWarning =
    "--insecure: certificates are not checked. Others can read and change the traffic"
}

extension RequestOptions {
  /// The options that correspond to settings, as the topmost settings layer.
  var settingValues: [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    values["search.page_size"] = pageSize.map(SettingValue.integer)
    values["search.concurrency"] = concurrency.map(SettingValue.integer)
    values["search.retries"] = retries.map(SettingValue.integer)
    values["search.max_wait"] = maxWait.map(SettingValue.text)
    values["search.timeout"] = timeout.map(SettingValue.text)
    values["pager.watch"] = watch.map(SettingValue.text)
    values["output.color"] = color.map { .text($0.rawValue) }
    return values
  }

  /// - Parameter open: The options whose values come from the rows of parents; they are empty in the query.
  func query(for source: Source, leaving open: Set<String> = []) throws(CommandError) -> Query {
    var options = try source.chosenOptions(set, of: "source \(source.id)")
    if let parent = source.parent, !open.contains(parent.name), options[parent.name] == nil,
      source.options.contains(where: { $0.name == parent.name && $0.defaultValue == nil })
    {
      throw CommandError(
        "source \(source.id) has a list for each \(parent.name). Choose one with --set \(parent.name)=…, or add --each to search all of them",
        .usage)
    }
    var settled = source
    settled.options.removeAll { open.contains($0.name) }
    do { _ = try settled.optionValues(options) } catch { throw CommandError("\(error)", .usage) }
    for name in open { options[name] = "" }
    let text = words.joined(separator: " ")
    if !source.usesQuery, text.contains(where: { $0 != " " }) {
      throw CommandError(
        "source \(source.id) takes no query: its request has no {query}. Omit the query. To filter rows, use "
          + "--filter of riffle search, or & in the pager", .usage)
    }
    if let limit = source.input.maxLength, text.count > limit {
      throw CommandError(
        "the query is too long: source \(source.id) accepts at most \(limit) characters", .usage)
    }
    return Query(text, options: options)
  }
}

extension RequestOptions {
  /// The command line as it was typed, with `QUERY` after the source.
  func line(withQueryIn arguments: [String]) -> String {
    var words = arguments.isEmpty ? ["search", source ?? ""] : arguments
    let place = source.flatMap { words.firstIndex(of: $0) } ?? words.count - 1
    words.insert("QUERY", at: place + 1)
    return "riffle \(ShellCommand.line(words))"
  }
}

extension Source {
  /// The values of `--set`, by the names of the options.
  ///
  /// - Parameter what: What has the options, for the message.
  /// - Throws: If there is no such option.
  func chosenOptions(_ pairs: [NameValue], of what: String) throws(CommandError) -> [String: String] {
    var chosen: [String: String] = [:]
    for pair in pairs {
      guard let option = option(named: pair.name) else {
        let names = options.map(\.name)
        let advice =
          NearestName.question(pair.name, among: names)
          ?? (names.isEmpty ? "It has none" : "Its options are: \(names.joined(separator: ", "))")
        throw CommandError("\(what) has no option \"\(pair.name)\". \(advice)", .usage)
      }
      chosen[option.name] = pair.value
    }
    return chosen
  }
}

/// The option of all commands that read settings.
package struct ConfigOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("Use this settings file instead of config.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  package var config: String?

  package init() {}
}

/// A `name=value` argument.
package struct NameValue: Sendable, ExpressibleByArgument {
  let name: String
  let value: String

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}

/// The smallest value of options that are numbers.
package enum Bound {
  /// - Throws: For the first option whose value is given and too small.
  package static func check(_ options: KeyValuePairs<String, Int?>, atLeast least: Int) throws {
    for case (let name, let value?) in options where value < least {
      throw ValidationError(
        "invalid value \"\(value)\" for --\(name): expected an integer of at least \(least)")
    }
  }
}

extension Occasion: ExpressibleByArgument {}

/// How messages are written.
package struct MessageStyle {
  package let color: Occasion?
  package let isQuiet: Bool

  package init(color: Occasion? = nil, isQuiet: Bool = false) {
    self.color = color
    self.isQuiet = isQuiet
  }
}

extension ParsableArguments {
  /// The options of a command line that sets none. Reading one of `Self()` is an error: it has no values yet.
  package static func unset() throws(CommandError) -> Self {
    do { return try parse([]) } catch { throw CommandError("\(error)", .failed) }
  }
}
