/// One setting: its name in every layer, what it may be, what it means, and its place in `Settings`.
package struct Setting: Sendable {
  package enum Kind: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case bool
    case choice([String])
    /// A duration as text; or, if there is one, the word for no bound.
    case duration(ClosedRange<Duration>, unlimited: String?)
    /// The path of a file: absolute, or `~/…`.
    case path
    /// The name or an alias of a source.
    case source
    /// Colours and attributes of a role.
    case look
    /// A program and its arguments, one of which holds `{url}`.
    case command
    /// Keys in key notation.
    case keys
  }

  /// As its header is written: `search`, `keys.table`.
  package let section: String
  package let name: String
  package let kind: Kind
  package let summary: String
  /// What one could write, where there is no default.
  let sample: SettingValue?
  private let read: @Sendable (Settings) -> SettingValue?
  private let write: @Sendable (inout Settings, SettingValue) -> Void

  init(
    _ section: String, _ name: String, _ kind: Kind, _ summary: String, sample: SettingValue? = nil,
    read: @escaping @Sendable (Settings) -> SettingValue?,
    write: @escaping @Sendable (inout Settings, SettingValue) -> Void
  ) {
    self.section = section
    self.name = name
    self.kind = kind
    self.summary = summary
    self.sample = sample
    self.read = read
    self.write = write
  }

  /// As in messages: `search.page_size`.
  package var key: String { "\(section).\(name)" }

  /// The environment variable: `RIFFLE_SEARCH_PAGE_SIZE`; nil for a list, which only a file can hold.
  package var variable: String? { isList ? nil : variableName }
  var variableName: String {
    (Self.variablePrefix + key).uppercased().replacing(".", with: "_").replacing("-", with: "_")
  }
  static let variablePrefix = "RIFFLE_"

  /// The option of the command line, where there is one.
  var option: String { "--\(name.replacing("_", with: "-"))" }

  /// Whether its value is run, or decides what is trusted: a file that others may write has no say in it.
  var needsTrust: Bool {
    switch kind {
    case .command, .path: true
    case .integer, .bool, .choice, .duration, .source, .look, .keys: false
    }
  }

  var isList: Bool { kind == .command || kind == .keys }

  /// What counts when no layer sets it; nil when the summary says what happens then.
  package var standard: SettingValue? { value(in: Settings()) }

  package func value(in settings: Settings) -> SettingValue? { read(settings) }

  /// Puts a value, which must have no problem, where it belongs.
  func put(_ value: SettingValue, into settings: inout Settings) { write(&settings, value) }
}
