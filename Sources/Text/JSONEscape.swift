extension [UInt8] {
  /// Appends a scalar as JSON escapes (RFC 8259, section 7): `\u001b`, or a surrogate pair above U+FFFF.
  mutating func append(jsonEscapeOf scalar: UInt32) {
    guard scalar >= 0x10000 else { return append(escapedUnit: scalar) }
    append(escapedUnit: 0xD800 + (scalar - 0x10000) >> 10)
    append(escapedUnit: 0xDC00 + scalar & 0x3FF)
  }

  private mutating func append(escapedUnit unit: UInt32) {
    append(UInt8(ascii: "\\"))
    append(UInt8(ascii: "u"))
    for shift in stride(from: UInt32(12), through: 0, by: -4) {
      let digit = UInt8(unit >> shift & 0xF)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
