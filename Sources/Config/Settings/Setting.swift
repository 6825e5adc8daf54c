private import Text

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
  }

  package let section: String
  package let name: String
  package let kind: Kind
  package let summary: String
  private let read: @Sendable (Settings) -> SettingValue?
  private let write: @Sendable (inout Settings, SettingValue) -> Void

  /// As in messages: `search.page_size`.
  package var key: String { "\(section).\(name)" }
  /// The environment variable: `RIFFLE_SEARCH_PAGE_SIZE`.
  package var variable: String { "\(Self.variablePrefix)\(section)_\(name)".uppercased() }
  static let variablePrefix = "RIFFLE_"

  /// What counts when no layer sets it; nil when the summary says what happens then.
  package var standard: SettingValue? { read(Settings()) }

  /// Puts a value, which must have no problem, where it belongs.
  func put(_ value: SettingValue, into settings: inout Settings) { write(&settings, value) }
}

/// The value of a setting in any layer.
package enum SettingValue: Sendable, Hashable {
  case integer(Int)
  case bool(Bool)
  case text(String)
}

// MARK: Kinds of settings

extension Setting {
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int>, _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .integer(range), summary: summary) {
      .integer($0[keyPath: place])
    } write: {
      if case .integer(let number) = $1 { $0[keyPath: place] = number }
    }
  }

  static func integer(
    _ section: String, _ name: String, _ range: ClosedRange<Int>, at place: any Place<Int?>, _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .integer(range), summary: summary) {
      $0[keyPath: place].map { .integer($0) }
    } write: {
      if case .integer(let number) = $1 { $0[keyPath: place] = number }
    }
  }

  static func bool(_ section: String, _ name: String, at place: any Place<Bool>, _ summary: String) -> Setting
  {
    Setting(section: section, name: name, kind: .bool, summary: summary) {
      .bool($0[keyPath: place])
    } write: {
      if case .bool(let flag) = $1 { $0[keyPath: place] = flag }
    }
  }

  static func choice(
    _ section: String, _ name: String, _ words: [String], at place: any Place<String?>, _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .choice(words), summary: summary) {
      $0[keyPath: place].map { .text($0) }
    } write: {
      if case .text(let word) = $1 { $0[keyPath: place] = word }
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ section: String, _ name: String, at place: any Place<Choice>, _ summary: String
  ) -> Setting {
    let words = Choice.allCases.map(\.rawValue)
    return Setting(section: section, name: name, kind: .choice(words), summary: summary) {
      .text($0[keyPath: place].rawValue)
    } write: {
      if case .text(let word) = $1, let choice = Choice(rawValue: word) { $0[keyPath: place] = choice }
    }
  }

  static func path(
    _ section: String, _ name: String, at place: any Place<String?>, _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .path, summary: summary) {
      $0[keyPath: place].map { .text($0) }
    } write: {
      if case .text(let path) = $1 { $0[keyPath: place] = path }
    }
  }

  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, at place: any Place<Duration>,
    _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .duration(range, unlimited: nil), summary: summary) {
      .text(DurationText.text($0[keyPath: place]))
    } write: {
      if case .text(let text) = $1, let duration = DurationText.duration(text) {
        $0[keyPath: place] = duration
      }
    }
  }

  /// - Parameter unlimited: the word for nil; without one, nil cannot be set.
  static func duration(
    _ section: String, _ name: String, _ range: ClosedRange<Duration>, unlimited: String? = nil,
    at place: any Place<Duration?>, _ summary: String
  ) -> Setting {
    Setting(section: section, name: name, kind: .duration(range, unlimited: unlimited), summary: summary) {
      ($0[keyPath: place].map(DurationText.text) ?? unlimited).map { .text($0) }
    } write: {
      if case .text(let text) = $1 { $0[keyPath: place] = DurationText.duration(text) }
    }
  }
}
