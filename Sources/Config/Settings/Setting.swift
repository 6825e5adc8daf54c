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
