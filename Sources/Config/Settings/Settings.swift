import Configuration
private import Search
package import Text

/// The settings of the program; `init()` creates the defaults.
package struct Settings: Sendable, Hashable {
  package struct Search: Sendable, Hashable {
    /// The default source; nil lets the user choose one.
    package var source: String?
    package var isLive = true
    /// The number of rows `riffle search` writes; nil for one page.
    package var limit: Int?
    /// Nil for the source's default.
    package var pageSize: Int?
    package var debounce: Duration = .milliseconds(300)
    /// The maximum number of concurrent requests; a source may allow fewer.
    package var concurrency = 4
    /// Nil for no limit.
    package var maxWait: Duration? = .seconds(120)
    package var timeout: Duration = .seconds(60)
    /// Nil for 3 in the pager, 5 in riffle search.
    package var retries: Int?
  }

  package struct Output: Sendable, Hashable {
    /// Nil for a table on a terminal, tsv in a pipe.
    package var format: String?
    package var color: Occasion = .auto
    /// Whether csv cells are protected from being interpreted as formulas by spreadsheets.
    package var isCSVSafe = false
    package var hasByteOrderMark = false
    /// Nil: in files that the pager writes, but not in those of riffle search, which programs may read.
    package var addsLink: Bool?
  }

  package struct Pager: Sendable, Hashable {
    /// In screens of rows.
    package var prefetch = 1
    package var maxRows = 100_000
    package var usesMouse = false
    package var wraps = false
    package var usesAlternateScreen = true
    /// 1 or 2 columns for characters of ambiguous width.
    package var ambiguousWidth = 1
    /// Whether symbols and borders use only ASCII; nil if the terminal or the locale decides.
    package var isASCII: Bool?
    /// Nil if it depends on the kind of connection.
    package var escapeDelay: Duration?
    /// Words instead of symbols, no animation, and the terminal's cursor on the selected row.
    package var isAccessible = false
    package var preview: Occasion = .auto
    /// Nil if rows are refreshed only by key.
    package var watch: Duration?
    /// Whether the end of a long load is a desktop notification while the terminal is not in focus.
    package var notifies = false
  }

  package struct Theme: Sendable, Hashable {
    package var name = "auto"
    /// Styles that replace those of the theme.
    package var styles: [Role: RoleStyle] = [:]
  }

  package struct History: Sendable, Hashable {
    package var isEnabled = true
    /// In queries.
    package var size = 1_000
  }

  package struct Opener: Sendable, Hashable {
    /// The program and its arguments; `{url}` is replaced with the link.
    package var command = ["xdg-open", "{url}"]
  }

  package struct TLS: Sendable, Hashable {
    /// A PEM file of root certificates to use instead of the system's; nil for the system's.
    package var rootsFile: String?
  }

  package var search = Search()
  package var output = Output()
  package var pager = Pager()
  package var theme = Theme()
  /// Keys that replace the actions' default keys.
  package var keys: BoundKeys = [:]
  package var history = History()
  package var opener = Opener()
  package var tls = TLS()
  /// In the order of the file; only a file can set them.
  package var actions: [UserAction] = []

  package init() {}
}

/// The list of all settings. It is used to validate the file and the environment, to read the layers, and to
/// generate the example file and the manual.
package struct SettingsSchema: Sendable {
  private let formats: [String]
  private let themes: [String]
  let keys: KeySchema

  /// Output formats and themes are given by name.
  package init(formats: [String], themes: [String], keys: KeySchema) {
    self.formats = formats
    self.themes = themes
    self.keys = keys
  }

  /// O(modes × actions).
  package var settings: [Setting] {
    Self.search + Self.output(formats: formats) + Self.pager + Self.theme(names: themes) + Self.keys(keys)
      + Self.others
  }
}

extension [Setting] {
  /// Their sections in order: `search`, `keys.table`.
  package var sections: [String] { map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } } }
}

extension SettingsSchema {
  static let search: [Setting] = [
    Setting(
      "search", "source", .source, \.search.source, sample: "github",
      "The default source. When unset, you choose one from a list."),
    Setting("search", "live", .bool, \.search.isLive, "Search while you type. A source can turn this off."),
    Setting(
      "search", "limit", .integer(1...10_000_000), \.search.limit, sample: 100,
      "Maximum number of rows that riffle search writes. When unset, one page."),
    Setting(
      "search", "page_size", .integer(1...10_000), \.search.pageSize, sample: 50,
      "Rows per page, in the pager and in riffle search. When unset, the source's own page size, or its largest for --all."
    ),
    Setting(
      "search", "debounce", .duration(.zero ... .seconds(10)), \.search.debounce,
      "Pause after the last key before a live search starts. A source can override it."),
    Setting(
      "search", "concurrency", .integer(1...64), \.search.concurrency,
      "Maximum number of parallel page requests. A source can set a lower limit."),
    Setting(
      "search", "max_wait", .duration(.zero ... .seconds(86_400), unlimited: "unlimited"), \.search.maxWait,
      "Longest wait to accept from a service before giving up."),
    Setting(
      "search", "timeout", .duration(.seconds(1) ... .seconds(3_600)), \.search.timeout,
      "Time limit for one page, headers and body, and for a request for a token."),
    Setting(
      "search", "retries", .integer(0...100), \.search.retries, sample: 5,
      "Maximum number of retries per page. When unset, 3 in the pager and 5 in riffle search."),
  ]

  static func output(formats: [String]) -> [Setting] {
    [
      Setting(
        "output", "format", .choice(formats), \.output.format, sample: formats.first ?? "",
        "Output format of riffle search. When unset, table on a terminal and tsv in a pipe."),
      Setting(
        "output", "color", .choice(Occasion.allCases.map(\.rawValue)), \.output.color,
        "When to use color in messages and tables."),
      Setting(
        "output", "csv_safe", .bool, \.output.isCSVSafe,
        "Keep spreadsheets from reading CSV cells as formulas."),
      Setting(
        "output", "csv_bom", .bool, \.output.hasByteOrderMark,
        "Begin CSV files with a byte order mark, for Excel."),
      Setting(
        "output", "link", .bool, \.output.addsLink, sample: true,
        "Add the row's link as the last column of CSV and TSV files. When unset, only in the pager."),
    ]
  }

  /// The allowed intervals between two refreshes of a watch. Shorter ones would burden the service.
  package static let watchIntervals: ClosedRange<Duration> = .seconds(5) ... .seconds(86_400)

  static let pager: [Setting] = [
    Setting("pager", "prefetch", .integer(0...100), \.pager.prefetch, "Screens of rows to load ahead."),
    Setting(
      "pager", "max_rows", .integer(100...10_000_000), \.pager.maxRows, "Stop loading at this many rows."),
    Setting(
      "pager", "mouse", .bool, \.pager.usesMouse,
      "Select and scroll with the mouse. To select text in the terminal, hold Shift."),
    Setting("pager", "wrap", .bool, \.pager.wraps, "Wrap long cells onto more lines."),
    Setting(
      "pager", "alternate_screen", .bool, \.pager.usesAlternateScreen,
      "Use the alternate screen, so that the terminal shows its earlier text when the pager exits."),
    Setting(
      "pager", "ambiguous_width", .integer(1...2), \.pager.ambiguousWidth,
      "Width of characters such as ± and Greek letters, in columns: 2 in many East Asian fonts."),
    Setting(
      "pager", "ascii", .bool, \.pager.isASCII, sample: true,
      "Draw symbols and borders in ASCII. When unset, only if TERM or the locale requires it."),
    Setting(
      "pager", "esc_delay", .duration(.zero ... .seconds(2)), \.pager.escapeDelay, sample: .milliseconds(25),
      "How long to wait after Esc for the rest of a key sequence. When unset, 25ms, or 100ms over SSH."),
    Setting(
      "pager", "accessible", .bool, \.pager.isAccessible,
      "For screen readers: words instead of symbols, no animation, the cursor on the selected row. ACCESSIBLE=1 turns it on."
    ),
    Setting(
      "pager", "preview", .choice(Occasion.allCases.map(\.rawValue)), \.pager.preview,
      "When to show the selected row in full next to or below the table. auto: on a wide screen."),
    Setting(
      "pager", "watch", .duration(watchIntervals), \.pager.watch, sample: .seconds(60),
      "Refresh automatically at this interval. When unset, off until you press A."),
    Setting(
      "pager", "notify", .bool, \.pager.notifies,
      "Show a desktop notification (OSC 9) when a load of at least ten seconds ends, or a refresh finds new rows, while you are in another window."
    ),
  ]

  static func theme(names: [String]) -> [Setting] {
    [
      Setting(
        "theme", "name", .choice(names), \.theme.name,
        "Color theme. auto follows the terminal's background; plain suits any background.")
    ] + styles
  }

  private static let styles: [Setting] = [
    style(.accent, "cyan 80 #5fd7d7", "Symbols, prompts and the current column."),
    style(.header, "bold", "Column headings."),
    style(.selected, "on 238 #3a4460", "The selected row."),
    style(.dim, "bright-black 245 #8a8a8a", "Secondary text, and rows about to be replaced."),
    style(.error, "red 203 #ff5f5f", "Failures."),
    style(.warning, "yellow 221 #ffd75f", "Warnings and waits."),
    style(.success, "green 114 #87d787", "Success."),
    style(.match, "yellow reverse", "Text found with / or by a filter."),
  ]

  private static func style(_ role: Role, _ sample: String, _ summary: String) -> Setting {
    var setting = Setting("theme", role.rawValue, .style, \.theme.styles[role], summary)
    setting.sample = .text(sample)
    return setting
  }

  /// Every action in every mode, because a key may be bound to an action that has none by default.
  static func keys(_ keys: KeySchema) -> [Setting] {
    keys.modes.flatMap { mode in keys.actions.map { .keys(of: $0, in: mode) } }
  }

  static let others: [Setting] = [
    Setting("history", "enabled", .bool, \.history.isEnabled, "Save queries in the history."),
    Setting(
      "history", "size", .integer(1...100_000), \.history.size, "Maximum number of queries in the history."),
    Setting(
      "opener", "command", .command, \.opener.command,
      "Program and arguments that open a link, run without a shell. {url} is replaced by the link."),
    Setting(
      "tls", "ca_file", .path, \.tls.rootsFile, sample: "/etc/ssl/my-roots.pem",
      "PEM file with root certificates. When unset, SSL_CERT_FILE or the system's certificates."),
  ]
}

// MARK: One setting

/// A setting: its name in every layer, its allowed values, its summary, and its property in `Settings`.
package struct Setting: Sendable {
  package enum Kind: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case bool
    case choice([String])
    /// A duration as text, or the keyword for no limit, if there is one.
    case duration(ClosedRange<Duration>, unlimited: String? = nil)
    /// The path of a file: absolute, or `~/…`.
    case path
    /// The name or an alias of a source.
    case source
    /// Colors and attributes of a role.
    case style
    /// A program and its arguments, one of which contains `{url}`.
    case command
    /// Keys in key notation.
    case keys
  }

  /// As written in its header: `search`, `keys.table`.
  package let section: String
  package let name: String
  package let kind: Kind
  package let summary: String
  /// An example value for a setting without a default.
  var sample: SettingValue?
  private let read: @Sendable (Settings) -> SettingValue?
  /// Stores the value of the topmost layer that has one in its property.
  let write: @Sendable (inout Settings, ConfigReader, ConfigKey) -> Void

  /// The name in messages: `search.page_size`.
  package var key: String { "\(section).\(name)" }

  /// The environment variable: `RIFFLE_SEARCH_PAGE_SIZE`; nil for a list, which can only be set in a file.
  package var variable: String? { isList ? nil : variableName }
  var variableName: String {
    (Self.variablePrefix + key).uppercased().replacing(".", with: "_").replacing("-", with: "_")
  }
  static let variablePrefix = "RIFFLE_"

  /// The command line option, if there is one.
  var option: String { "--\(name.replacing("_", with: "-"))" }

  /// Whether its value is executed, or affects what is trusted. Such a setting is rejected in a file that
  /// others can write.
  var needsTrust: Bool {
    switch kind {
    case .command, .path: true
    case .integer, .bool, .choice, .duration, .source, .style, .keys: false
    }
  }

  var isList: Bool { kind == .command || kind == .keys }

  /// The default value; nil if the summary describes the default.
  package var standard: SettingValue? { value(in: Settings()) }

  package func value(in settings: Settings) -> SettingValue? { read(settings) }

  /// The name in a layer.
  var configKey: ConfigKey { ConfigKey([section, name]) }
}

extension Setting {
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  /// A setting with a default.
  init<Value: SettingConvertible>(
    _ section: String, _ name: String, _ kind: Kind, _ place: any Place<Value>, _ summary: String
  ) {
    self.init(section: section, name: name, kind: kind, summary: summary) {
      $0[keyPath: place].settingValue
    } write: {
      if let value = Value.value($2, in: $1) { $0[keyPath: place] = value }
    }
  }

  /// A setting without a default, or with one that a keyword stands for.
  init<Value: SettingConvertible>(
    _ section: String, _ name: String, _ kind: Kind, _ place: any Place<Value?>, sample: Value? = nil,
    _ summary: String
  ) {
    let keyword: SettingValue? = if case .duration(_, let word?) = kind { .text(word) } else { nil }
    self.init(section: section, name: name, kind: kind, summary: summary, sample: sample?.settingValue) {
      $0[keyPath: place]?.settingValue ?? keyword
    } write: {
      $0[keyPath: place] = Value.value($2, in: $1)
    }
  }

  static func keys(of action: KeySchema.Action, in mode: String) -> Setting {
    Setting(section: "keys.\(mode)", name: action.name, kind: .keys, summary: action.summary) {
      ($0.keys[mode]?[action.name] ?? action.keys[mode]).map { .list($0) }
    } write: {
      $0.keys[mode, default: [:]][action.name] = [String].value($2, in: $1)
    }
  }
}

/// The value of a setting in any layer.
package enum SettingValue: Sendable, Hashable {
  case integer(Int)
  case bool(Bool)
  case text(String)
  case list([String])

  /// In TOML notation.
  package var toml: String {
    switch self {
    case .integer(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .text(let text): TOMLText.string(text)
    case .list(let texts): "[\(texts.map(TOMLText.string).joined(separator: ", "))]"
    }
  }
}

/// A type of a property in `Settings`.
protocol SettingConvertible: Sendable {
  /// The value in the topmost layer that has one. Layers contain only valid values.
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self?
  var settingValue: SettingValue { get }
}

extension Int: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? { layers.int(forKey: key) }
  var settingValue: SettingValue { .integer(self) }
}

extension Bool: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? { layers.bool(forKey: key) }
  var settingValue: SettingValue { .bool(self) }
}

extension String: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? { layers.string(forKey: key) }
  var settingValue: SettingValue { .text(self) }
}

extension [String]: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? { layers.stringArray(forKey: key) }
  var settingValue: SettingValue { .list(self) }
}

extension Duration: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? {
    layers.string(forKey: key).flatMap(DurationText.duration)
  }
  var settingValue: SettingValue { .text(DurationText.text(self)) }
}

extension RoleStyle: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? {
    layers.string(forKey: key).flatMap { try? Self($0) }
  }
  var settingValue: SettingValue { .text(words) }
}

extension Occasion: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? { layers.string(forKey: key) }
  var settingValue: SettingValue { .text(rawValue) }
}

extension Setting {
  /// What is wrong with a value; nil if it is valid. Keys are validated by the key map.
  package func problem(of value: SettingValue) -> String? {
    switch (kind, value) {
    case (.integer(let range), .integer(let number)):
      range.contains(number) ? nil : "expected \(expectation), found \(number)"
    case (.bool, .bool), (.keys, .list): nil
    case (.choice(let words), .text(let word)):
      words.contains(word) ? nil : Wording.badChoice(word, among: words)
    case (.duration(let range, let unlimited), .text(let text)):
      text == unlimited || range.allows(text)
        ? nil
        : unexpected(value)
          // A number without its unit.
          + (range.allows("\(text)s") ? ". Did you mean \"\(text)s\"?" : "")
    // Nothing is read from the working directory unless it is named on the command line.
    case (.path, .text(let path)): HomePath.isAbsolute(path) ? nil : unexpected(value)
    case (.source, .text(let name)): SourceName.isValid(name) ? nil : unexpected(value)
    case (.style, .text(let words)): Self.problem(ofStyle: words)
    case (.command, .list(let words)): Self.problem(ofCommand: words)
    default: unexpected(value)
    }
  }

  private func unexpected(_ value: SettingValue) -> String {
    let found =
      switch value {
      case .integer: "an integer"
      case .bool: "a boolean"
      case .text(let text): Wording.quoted(text)
      case .list: "an array"
      }
    return "expected \(expectation), found \(found)"
  }

  private static func problem(ofStyle words: String) -> String? {
    do { _ = try RoleStyle(words) } catch { return error.description }
    return nil
  }

  private static func problem(ofCommand words: [String]) -> String? {
    guard let program = words.first, !program.isEmpty else {
      return "expected a program and its arguments, like [\"xdg-open\", \"{url}\"], found none"
    }
    return words.dropFirst().contains { $0.contains("{url}") }
      ? nil : "expected {url} in the arguments, found none"
  }

  /// Converts a text from the environment to a value.
  func value(ofText text: String) -> SettingValue {
    switch kind {
    case .integer: Int(text).map { .integer($0) } ?? .text(text)
    case .bool: Bool(text).map { .bool($0) } ?? .text(text)
    case .choice, .duration, .path, .source, .style, .command, .keys: .text(text)
    }
  }

  /// A description of allowed values, for messages: `an integer from 1 to 1000`.
  package var expectation: String {
    switch kind {
    case .integer(let range) where range.count == 2: "\(range.lowerBound) or \(range.upperBound)"
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .bool: "true or false"
    case .choice(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .path: "an absolute path, or ~/…"
    case .source: "the name of a source, like \"github\""
    case .style: RoleStyle.expectation
    case .command: "a list of strings like [\"xdg-open\", \"{url}\"]"
    case .keys: "a key like \"j\", or a list of keys like [\"j\", \"ctrl-n\"]"
    case .duration(let range, nil): range.words
    case .duration(let range, let word?): "\(range.words) or \"\(word)\""
    }
  }
}

// MARK: Keys

/// Keys in key notation (`"j"`, `"ctrl-x"`, `"y c"`), by mode and action. An empty list unbinds.
package typealias BoundKeys = [String: [String: [String]]]

/// What `[keys.MODE]` may contain; the pager provides the names and the validation.
package struct KeySchema: Sendable {
  package struct Action: Sendable, Hashable {
    package let name: String
    package let summary: String
    /// The default keys, by mode.
    package let keys: [String: [String]]

    package init(name: String, summary: String, keys: [String: [String]]) {
      self.name = name
      self.summary = summary
      self.keys = keys
    }
  }

  /// The names of the modes, in display order.
  package let modes: [String]
  package let actions: [Action]
  /// The first problem with the user's keys; nil if there is none.
  package let problem: @Sendable (BoundKeys) -> KeyDiagnostic?

  package init(modes: [String], actions: [Action], problem: @escaping @Sendable (BoundKeys) -> KeyDiagnostic?)
  {
    self.modes = modes
    self.actions = actions
    self.problem = problem
  }
}

/// Why keys cannot be bound.
package struct KeyDiagnostic: Sendable, Hashable {
  /// What is wrong and what to do.
  package let message: String
  /// Nil if it may be any mode that binds the key to one of the actions.
  package let mode: String?
  /// The actions involved, two in a conflict.
  package let actions: [String]
  /// The offending key, as written.
  package let key: String?

  package init(_ message: String, mode: String? = nil, actions: [String] = [], key: String? = nil) {
    self.message = message
    self.mode = mode
    self.actions = actions
    self.key = key
  }
}
