import Configuration
private import Search
import Text

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
  /// Former names of the setting that a settings file may still use.
  var oldNames: [String] = []
  /// An example value for a setting without a default.
  var sample: SettingValue?
  private let read: @Sendable (Settings) -> SettingValue?
  private let write: @Sendable (inout Settings, ConfigReader, ConfigKey) -> Void

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

  /// Stores the value of the topmost layer that has one in its property.
  func read(_ layers: ConfigReader, into settings: inout Settings) { write(&settings, layers, configKey) }
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

  /// The keys of an action in a mode.
  static func keys(of action: KeySchema.Action, in mode: String) -> Setting {
    Setting(
      section: "keys.\(mode)", name: action.name, kind: .keys, summary: action.summary,
      oldNames: action.oldNames
    ) {
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

extension ColorChoice: SettingConvertible {
  static func value(_ key: ConfigKey, in layers: ConfigReader) -> Self? {
    layers.string(forKey: key).flatMap(Self.init)
  }
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
      text == unlimited || DurationRange(range).allows(text)
        ? nil
        : unexpected(value)
          // A number without its unit.
          + (DurationRange(range).allows("\(text)s") ? ". Did you mean \"\(text)s\"?" : "")
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
