/// The reason why a string is not JSON, and its location.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The offset in bytes of the first invalid byte, including a byte order mark.
  package let offset: Int
  /// The line of that byte, from 1.
  package let line: Int
  /// The column of that byte in Unicode scalars, from 1.
  package let column: Int
  /// A description of the valid input at the offset.
  package let expected: String
  /// A description of the input that was found instead.
  package let found: String
  /// One line of at most 46 bytes around the error, with control characters as spaces.
  package let excerpt: String
  /// The text ended before the value did, so it may be the beginning of a valid response.
  package let isTruncated: Bool
  /// The text begins with `<`: HTML or XML, not JSON.
  package let isMarkup: Bool
  /// The text begins as an XML document that is not HTML does.
  package let isXML: Bool
  package var isHTML: Bool { isMarkup && !isXML }

  /// Converts an error of the scanner. O(offset).
  init(_ fault: JSONScanError, in bytes: [UInt8]) {
    let before = bytes.prefix(fault.offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let content = bytes.dropFirst(JSONScanner.lengthOfPrefix(bytes)).drop(while: \.isJSONWhiteSpace)
    offset = fault.offset
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = before[lineStart...].count { !UTF8.isContinuation($0) } + 1
    expected = "\(fault.expectation)"
    found = Self.nameOfByte(at: fault.offset, in: bytes)
    excerpt = Self.excerpt(around: fault.offset, in: bytes)
    isTruncated = fault.offset == bytes.count
    isMarkup = content.first == UInt8(ascii: "<")
    isXML =
      content.starts(with: "<?xml".utf8)
      && !String(decoding: content.prefix(500), as: UTF8.self).lowercased().contains("<html")
  }

  private static func nameOfByte(at offset: Int, in bytes: [UInt8]) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    let scalar = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    guard let scalar, scalar != "\u{FFFD}" else { return "a byte that is not UTF-8" }
    guard scalar.properties.generalCategory != .control else {
      return "a control character (code \(scalar.value))"
    }
    return scalar == "\"" ? "a quote" : "\"\(scalar)\""
  }

  private static func excerpt(around offset: Int, in bytes: [UInt8]) -> String {
    let start = offset - bytes[..<offset].suffix(24).drop(while: UTF8.isContinuation).count
    let end = offset + bytes[offset...].prefix(16).count
    let tail = bytes[end...].prefix(3).prefix(while: UTF8.isContinuation)
    let scalars = String(decoding: bytes[start..<tail.endIndex], as: UTF8.self).unicodeScalars
    let shown = scalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    return (start > 0 ? "…" : "") + String(shown) + (tail.endIndex < bytes.count ? "…" : "")
  }

  /// One line: the position, what was expected, what was found, and the surrounding text.
  package var description: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    if isTruncated { return "\(place): unexpected end of input\(excerpt.isEmpty ? "" : " after \(excerpt)")" }
    let near = excerpt.isEmpty ? "" : " near \(excerpt)"
    return "\(place): expected \(expected), found \(found)\(near)"
  }
}

/// The position and expectation of the scanner: a small error for the hot path, which `JSONDocument` converts to a
/// `JSONError` with text.
struct JSONScanError: Error {
  enum Expectation: CustomStringConvertible {
    case value, firstName, name, colon, commaOrBrace, commaOrBracket, end
    case digit, literal(StaticString), escape, hexDigit, closingQuote, escapedControl
    case depth(Int), values(Int), size

    var description: String {
      switch self {
      case .value: "a value"
      case .firstName: #"a name in quotes or "}""#
      case .name: "a name in quotes"
      case .colon: #"":" after a name"#
      case .commaOrBrace: #""," or "}""#
      case .commaOrBracket: #""," or "]""#
      case .end: "nothing after the value"
      case .digit: "a digit"
      case .literal(let word): #""\#(word)""#
      case .escape: #"one of "\/bfnrtu after a backslash"#
      case .hexDigit: #"four hexadecimal digits after \u"#
      case .closingQuote: "a closing quote"
      case .escapedControl: "control characters in a string to be escaped"
      case .depth(let limit): "at most \(limit) levels of nesting"
      case .values(let limit): "at most \(limit) values and names"
      case .size: "less than 4 GiB"
      }
    }
  }

  /// The offset of the first invalid byte; the length of the text if it ended too early.
  let offset: Int
  let expectation: Expectation
}
