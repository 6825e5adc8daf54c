/// A character reference: `&amp;`, `&#8217;`, `&#x2019;` (HTML Living Standard, section 13.2.5.72 ff.).
struct HTMLReference {
  let scalar: Unicode.Scalar
  /// The index after it.
  let end: Int

  /// Parses the reference whose `&` is at an index; nil if there is none.
  ///
  /// A name requires its `;`, so that the `&copy=1` of a URL is unchanged; a number does not. Numbers that
  /// are not characters become U+FFFD, and those of C1 controls are mapped as in Windows-1252.
  init?(in bytes: [UInt8], at start: Int) {
    var end = start + 1
    let scalar =
      end < bytes.count && bytes[end] == UInt8(ascii: "#")
      ? Self.number(in: bytes, at: &end) : Self.name(in: bytes, at: &end)
    guard let scalar else { return nil }
    self.scalar = scalar
    self.end = end
  }

  /// The length of the longest name.
  private static let longestName = 32

  private static func name(in bytes: [UInt8], at index: inout Int) -> Unicode.Scalar? {
    let name = bytes[index...].prefix(longestName).prefix(while: \.isASCIILetterOrDigit)
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else { return nil }
    index = name.endIndex + 1
    return HTMLEntities.scalar(named: String(decoding: name, as: UTF8.self))
  }

  private static func number(in bytes: [UInt8], at index: inout Int) -> Unicode.Scalar? {
    index += 1
    let isHexadecimal = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let start = index
    var code: UInt32 = 0
    while index < bytes.count, let digit = bytes[index].hexDigitValue, isHexadecimal || digit < 10 {
      // Clamped above all characters, however many digits follow.
      code = min(code * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
      index += 1
    }
    guard index > start else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return scalar(code)
  }

  private static func scalar(_ code: UInt32) -> Unicode.Scalar {
    switch code {
    case 0: "\u{FFFD}"
    case 0x80..<0xA0: windows1252[Int(code - 0x80)]
    default: Unicode.Scalar(code) ?? "\u{FFFD}"
    }
  }

  /// The Windows-1252 characters for the codes 0x80 to 0x9F.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

extension UInt8 {
  var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  var isASCIILetterOrDigit: Bool { isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
