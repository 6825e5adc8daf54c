private import Text

/// Pieces of a TOML 1.0 document.
package enum TOMLText {
  /// A basic string. Whatever a terminal or an editor would not show as it is (controls, invisible and
  /// unassigned characters) is escaped, so that what one reads is what is written.
  package static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if isPlain(scalar) { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
      }
    }
    return result + "\""
  }

  /// A literal string over several lines; nil when the text cannot stand in one.
  package static func block(_ text: String) -> String? {
    let isReadable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isPlain($0) }
    return isReadable && !text.contains("''") && !text.hasSuffix("'") ? "'''\n\(text)'''" : nil
  }

  /// A key, bare where it may be.
  package static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != 0x2E && $0 != 0x7E }
    return isBare ? name : string(name)
  }

  /// A comment of one line; what comes from a reply cannot end it.
  package static func comment(_ text: String) -> String { "# \(Sanitized(text).string)" }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let width = digits.utf8.count > 4 ? 8 : 4
    return (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}
