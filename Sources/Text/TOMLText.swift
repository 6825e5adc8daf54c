/// Writes parts of a TOML 1.0 document.
package enum TOMLText {
  /// A basic string. Characters that a terminal or an editor may not show (control, invisible, and unassigned
  /// characters) are escaped, so that the text on the screen is the text in the file.
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

  /// A multi-line literal string; nil if the text cannot be represented as one.
  package static func block(_ text: String) -> String? {
    let isReadable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isPlain($0) }
    return isReadable && !text.contains("''") && !text.hasSuffix("'") ? "'''\n\(text)'''" : nil
  }

  /// A key, bare if possible.
  package static func key(_ name: String) -> String { isBareKey(name) ? name : string(name) }

  /// Whether a key needs no quotes.
  package static func isBareKey(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isBareKeyByte)
  }

  /// Whether a string is a TOML integer or boolean.
  package static func isLiteral(_ text: String) -> Bool {
    ["true", "false"].contains(text) || Int(text).map { "\($0)" == text } ?? false
  }

  /// A one-line comment; line breaks in the text are removed, so that a response cannot end it.
  package static func comment(_ text: String) -> String { "# \(Sanitized(text).string)" }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    default: true
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let (start, width) = scalar.value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
    return start + scalar.value.padded(to: width, radix: 16, uppercase: true)
  }
}

extension UInt8 {
  /// A byte of a bare key: `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`.
  package var isBareKeyByte: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
