import FoundationEssentials

extension Span<UInt8> {
  /// The scalar that begins at a byte offset of valid UTF-8, and its length in bytes.
  func scalar(at offset: Int) -> (value: UInt32, length: Int) {
    let lead = UInt32(self[offset])
    if lead < 0x80 { return (lead, 1) }
    let second = UInt32(self[offset + 1]) & 0x3F
    if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, 2) }
    let third = UInt32(self[offset + 2]) & 0x3F
    if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, 3) }
    let fourth = UInt32(self[offset + 3]) & 0x3F
    return ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, 4)
  }
}

extension [UInt8] {
  /// Appends the UTF-8 of a scalar.
  mutating func append(scalar: UInt32) {
    guard let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { return }
    append(contentsOf: encoded)
  }

  /// Appends a scalar as JSON escapes (RFC 8259, section 7): `\u001b`, or a surrogate pair above U+FFFF.
  mutating func append(jsonEscapeOf scalar: UInt32) {
    guard scalar >= 0x10000 else { return append(escapedUnit: scalar) }
    append(escapedUnit: 0xD800 + (scalar - 0x10000) >> 10)
    append(escapedUnit: 0xDC00 + scalar & 0x3FF)
  }

  private mutating func append(escapedUnit unit: UInt32) {
    append(contentsOf: #"\u"#.utf8)
    for shift in stride(from: UInt32(12), through: 0, by: -4) {
      append(contentsOf: String(unit >> shift & 0xF, radix: 16).utf8)
    }
  }
}

/// Base64 (RFC 4648, section 4).
package enum Base64 {
  /// The Base64 of a string's UTF-8, with padding.
  package static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
