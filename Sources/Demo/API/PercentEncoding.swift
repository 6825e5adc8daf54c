/// Percent-encoding of query values (RFC 3986 section 2).
enum PercentEncoding {
  /// Escapes every byte except the unreserved ones.
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += byte < 0x10 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Decodes escapes and plus signs; a `%` without two hexadecimal digits is unchanged.
  static func decoded(_ text: Substring) -> String {
    var decoded: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest.prefix(2)) {
        decoded.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func escapedByte(_ digits: Substring.UTF8View) -> UInt8? {
    guard digits.count == 2, digits.first != UInt8(ascii: "+") else { return nil }
    return UInt8(Substring(digits), radix: 16)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
