import JSON

/// Percent-encoding of UTF-8 (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Encodes every byte except unreserved ones (letters, digits, `-._~`). The result is safe as a query name
  /// or value, including in a form (a space is `%20`, a plus sign `%2B`), and as a path segment other than
  /// `.` or `..`.
  package static func encoded(_ text: String) -> String {
    encoded(text.utf8, keeping: isUnreserved)
  }

  /// Like `encoded`, but keeps `/`, for text that may contain several path segments.
  package static func encodedPath(_ text: String) -> String {
    encoded(text.utf8) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// Encodes a name or a value of a form (`application/x-www-form-urlencoded`): like `encoded`, but a space is
  /// `+`.
  package static func encodedForm(_ text: String) -> String {
    encoded(text).replacing("%20", with: "+")
  }

  /// Replaces each `%XX` with its byte and, for form encoding, `+` with a space. Bytes that are not UTF-8
  /// become U+FFFD. A percent sign without two hexadecimal digits is unchanged.
  package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest) {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes bytes that are not allowed in a URL part. Existing escapes are unchanged.
  static func repaired(_ bytes: ArraySlice<UInt8>, keeping isLegal: (UInt8) -> Bool) -> String {
    var output: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let isEscape = byte == UInt8(ascii: "%") && escapedByte(rest) != nil
      append(byte, to: &output, verbatim: isEscape || isLegal(byte))
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether a byte is a letter, a digit, or one of `-._~` (RFC 3986, section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func encoded(_ bytes: some Sequence<UInt8>, keeping isVerbatim: (UInt8) -> Bool) -> String {
    var output: [UInt8] = []
    for byte in bytes { append(byte, to: &output, verbatim: isVerbatim(byte)) }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to output: inout [UInt8], verbatim: Bool) {
    if verbatim {
      output.append(byte)
    } else {
      let digits: StaticString = "0123456789ABCDEF"
      output += [UInt8(ascii: "%"), digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 0xF)]]
    }
  }

  /// The byte given by the two hexadecimal digits at the start.
  private static func escapedByte(_ rest: ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.prefix(2).compactMap(\.hexDigitValue)
    return digits.count == 2 ? digits[0] << 4 | digits[1] : nil
  }
}
