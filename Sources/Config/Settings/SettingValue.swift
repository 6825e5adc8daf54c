private import Search

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
