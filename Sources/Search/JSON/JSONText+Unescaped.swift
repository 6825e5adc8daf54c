extension JSONText {
  /// The content of a scanned string with its escapes decoded; an unpaired surrogate becomes U+FFFD.
  static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(content.count)
    var rest = content
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      output += rest[..<backslash]
      rest = rest[(backslash + 1)...]
      appendEscape(from: &rest, to: &output)
    }
    return output + rest
  }

  /// Consumes one escape after its backslash, or the two escapes of a surrogate pair.
  private static func appendEscape(from rest: inout ArraySlice<UInt8>, to output: inout [UInt8]) {
    let letter = rest.popFirst()
    switch letter {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"): output += Character(unicodeScalar(from: &rest)).utf8
    default: if let letter { output.append(letter) }
    }
  }

  /// Consumes the digits after `\u`, and the second half of a surrogate pair.
  private static func unicodeScalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let unit = codeUnit(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard UTF16.isLeadSurrogate(unit), rest.starts(with: #"\u"#.utf8) else {
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }
    let trail = codeUnit(rest.dropFirst(2).prefix(4))
    guard UTF16.isTrailSurrogate(trail) else { return "\u{FFFD}" }
    rest = rest.dropFirst(6)
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt16 {
    digits.reduce(0) { $0 << 4 | UInt16($1.hexDigitValue ?? 0) }
  }
}
