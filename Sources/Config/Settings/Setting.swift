private import Search
import Text

/// A setting: its name in every layer, its allowed values, its summary, and its property in `Settings`.
package struct Setting: Sendable {
  package enum Kind: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case bool
    case choice([String])
    /// A duration as text, or the keyword for no limit, if there is one.
    case duration(ClosedRange<Duration>, unlimited: String?)
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
  /// Former names of the setting that a settings file may still use.
  let oldNames: [String]
  /// An example value for a setting without a default.
  let sample: SettingValue?
  private let read: @Sendable (Settings) -> SettingValue?
  private let write: @Sendable (inout Settings, SettingValue) -> Void

  init(
    _ section: String, _ name: String, _ kind: Kind, _ summary: String, oldNames: [String] = [],
    sample: SettingValue? = nil, read: @escaping @Sendable (Settings) -> SettingValue?,
    write: @escaping @Sendable (inout Settings, SettingValue) -> Void
  ) {
    self.section = section
    self.name = name
    self.kind = kind
    self.summary = summary
    self.oldNames = oldNames
    self.sample = sample
    self.read = read
    self.write = write
  }

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

  /// Stores a valid value in its property.
  func put(_ value: SettingValue, into settings: inout Settings) { write(&settings, value) }
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

  var integer: Int? { if case .integer(let number) = self { number } else { nil } }
  var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [String]? { if case .list(let texts) = self { texts } else { nil } }
}

extension Setting {
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  // MARK: With a default

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int>, _ summary: String
  ) -> Setting {
    Setting(section, name, .integer(range), summary, at: place) {
      .integer($0)
    } reading: {
      $0.integer
    }
  }

  static func bool(
    _ section: String, _ name: String, at place: any Place<Bool>, _ summary: String
  ) -> Setting {
    Setting(section, name, .bool, summary, at: place) {
      .bool($0)
    } reading: {
      $0.bool
    }
  }

  static func choice(
    _ section: String, _ name: String, _ words: [String], at place: any Place<String>, _ summary: String
  ) -> Setting {
    Setting(section, name, .choice(words), summary, at: place) {
      .text($0)
    } reading: {
      $0.text
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ section: String, _ name: String, at place: any Place<Choice>, _ summary: String
  ) -> Setting {
    let kind = Kind.choice(Choice.allCases.map(\.rawValue))
    return Setting(section, name, kind, summary, at: place) {
      .text($0.rawValue)
    } reading: {
      $0.text.flatMap(Choice.init)
    }
  }

  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, at place: any Place<Duration>,
    _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: nil), summary, at: place) {
      .text(DurationText.text($0))
    } reading: {
      $0.text.flatMap(DurationText.duration)
    }
  }

  /// - Parameter unlimited: The keyword for nil.
  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, unlimited: String,
    at place: any Place<Duration?>, _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: unlimited), summary, at: place) {
      .text($0.map(DurationText.text) ?? unlimited)
    } reading: {
      $0.text.map(DurationText.duration)
    }
  }

  static func command(
    _ section: String, _ name: String, at place: any Place<[String]>, _ summary: String
  ) -> Setting {
    Setting(section, name, .command, summary, at: place) {
      .list($0)
    } reading: {
      $0.list
    }
  }

  private init<Value>(
    _ section: String, _ name: String, _ kind: Kind, _ summary: String, at place: any Place<Value>,
    written: @escaping @Sendable (Value) -> SettingValue,
    reading: @escaping @Sendable (SettingValue) -> Value?
  ) {
    self.init(section, name, kind, summary) {
      written($0[keyPath: place])
    } write: {
      if let value = reading($1) { $0[keyPath: place] = value }
    }
  }

  // MARK: Without a default

  static func bool(
    _ section: String, _ name: String, at place: any Place<Bool?>, sample: Bool, _ summary: String
  ) -> Setting {
    Setting(section, name, .bool, summary, sample: .bool(sample)) {
      $0[keyPath: place].map { .bool($0) }
    } write: {
      $0[keyPath: place] = $1.bool
    }
  }

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int?>, sample: Int,
    _ summary: String
  ) -> Setting {
    Setting(section, name, .integer(range), summary, sample: .integer(sample)) {
      $0[keyPath: place].map { .integer($0) }
    } write: {
      $0[keyPath: place] = $1.integer
    }
  }

  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, at place: any Place<Duration?>,
    sample: String, _ summary: String
  ) -> Setting {
    Setting(section, name, .duration(range, unlimited: nil), summary, sample: .text(sample)) {
      $0[keyPath: place].map { .text(DurationText.text($0)) }
    } write: {
      $0[keyPath: place] = $1.text.flatMap(DurationText.duration)
    }
  }

  /// - Parameter kind: A kind whose values are kept as written.
  static func text(
    _ section: String, _ name: String, _ kind: Kind, at place: any Place<String?>, sample: String,
    _ summary: String
  ) -> Setting {
    Setting(section, name, kind, summary, sample: .text(sample)) {
      $0[keyPath: place].map { .text($0) }
    } write: {
      $0[keyPath: place] = $1.text
    }
  }

  // MARK: By keyword

  static func style(of role: Role, sample: String, _ summary: String) -> Setting {
    Setting("theme", role.rawValue, .style, summary, sample: .text(sample)) {
      $0.theme.styles[role].map { .text($0.words) }
    } write: {
      $0.theme.styles[role] = $1.text.flatMap { try? RoleStyle($0) }
    }
  }

  static func keys(of action: KeySchema.Action, in mode: String) -> Setting {
    Setting("keys.\(mode)", action.name, .keys, action.summary, oldNames: action.oldNames) {
      ($0.keys[mode]?[action.name] ?? action.keys[mode]).map { .list($0) }
    } write: {
      $0.keys[mode, default: [:]][action.name] = $1.list
    }
  }
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
      text == unlimited || Self.isDuration(text, in: range)
        ? nil
        : "expected \(expectation), found \(Wording.quoted(text))"
          // A number without its unit.
          + (Self.isDuration("\(text)s", in: range) ? ". Did you mean \"\(text)s\"?" : "")
    // Nothing is read from the working directory unless it is named on the command line.
    case (.path, .text(let path)):
      path.hasPrefix("/") || path.hasPrefix("~/")
        ? nil : "expected \(expectation), found \(Wording.quoted(path))"
    case (.source, .text(let name)):
      SourceName.isValid(name) ? nil : "expected \(expectation), found \(Wording.quoted(name))"
    case (.style, .text(let words)): Self.problem(ofStyle: words)
    case (.command, .list(let words)): Self.problem(ofCommand: words)
    case (_, .integer): "expected \(expectation), found an integer"
    case (_, .bool): "expected \(expectation), found a boolean"
    case (_, .text(let text)): "expected \(expectation), found \(Wording.quoted(text))"
    case (_, .list): "expected \(expectation), found an array"
    }
  }

  private static func isDuration(_ text: String, in range: ClosedRange<Duration>) -> Bool {
    DurationText.duration(text).map(range.contains) ?? false
  }

  private static func problem(ofStyle words: String) -> String? {
    do {
      _ = try RoleStyle(words)
      return nil
    } catch { return error.description }
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
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .bool: "true or false"
    case .choice(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .path: "an absolute path, or ~/…"
    case .source: "the name of a source, like \"github\""
    case .style: RoleStyle.expectation
    case .command: "a list of strings like [\"xdg-open\", \"{url}\"]"
    case .keys: "a key like \"j\", or a list of keys like [\"j\", \"ctrl-n\"]"
    case .duration(let range, nil): "\(DurationRange(range))"
    case .duration(let range, let word?): "\(DurationRange(range)) or \"\(word)\""
    }
  }
}
