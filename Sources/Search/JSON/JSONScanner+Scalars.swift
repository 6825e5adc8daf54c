extension JSONScanner {
  /// Scans from the opening quote to just after the closing one.
  @inline(__always)
  mutating func scanString(_ kind: JSONTapeEntry.Kind) throws(JSONFault) {
    position &+= 1
    let start = position
    var flags: JSONTapeEntry.Flags = []
    var highBits = skipPlainText()
    while byte != UInt8(ascii: "\"") {
      flags.insert(.escaped)
      try scanEscape()
      highBits |= skipPlainText()
    }
    if highBits & 0x8080_8080_8080_8080 != 0, !isUTF8(start..<position) { flags.insert(.malformed) }
    let link = kind == .name ? JSONKey.fingerprint(of: text + start, count: position &- start) : 0
    append(kind, from: start, to: position, link: link, flags: flags)
    position &+= 1
  }

  /// Advances to the next quote, backslash, or control character, eight bytes at a time. Returns the OR of
  /// the skipped bytes, possibly including a few after them, so that no high bit means that only ASCII was
  /// skipped.
  @inline(__always)
  private mutating func skipPlainText() -> UInt64 {
    var combined: UInt64 = 0
    while position &+ 8 <= count {
      let word = UnsafeRawPointer(text + position).loadUnaligned(as: UInt64.self).littleEndian
      combined |= word
      let stops = Self.stops(in: word)
      guard stops == 0 else {
        position &+= stops.trailingZeroBitCount &>> 3
        return combined
      }
      position &+= 8
    }
    while position < count, text[position] >= 0x20,
      text[position] != UInt8(ascii: "\""), text[position] != UInt8(ascii: "\\")
    {
      combined |= UInt64(text[position])
      position &+= 1
    }
    return combined
  }

  /// The high bit of every byte that is a quote, a backslash, or below 0x20. Exact up to the lowest match
  /// (above it a borrow may set further bits); a byte of 0x80 or more never matches.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let hits =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones &* 0x20) & ~word)
    return hits & (ones &* 0x80)
  }

  /// Scans the escape at `position`; throws if there is any other byte.
  private mutating func scanEscape() throws(JSONFault) {
    guard position < count else { throw fault(.closingQuote) }
    guard text[position] == UInt8(ascii: "\\") else { throw fault(.escapedControl) }
    position &+= 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position &+= 1
    case UInt8(ascii: "u"):
      position &+= 1
      for _ in 0..<4 {
        guard byte.hexDigitValue != nil else { throw fault(.hexDigit) }
        position &+= 1
      }
    default: throw fault(.escape)
    }
  }

  private mutating func isUTF8(_ range: Range<Int>) -> Bool {
    let bytes = UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch {
      firstMalformedByte = firstMalformedByte ?? range.lowerBound + error.byteOffsets.lowerBound
      return false
    }
  }

  mutating func scanNumber() throws(JSONFault) {
    let start = position
    if byte == UInt8(ascii: "-") { position &+= 1 }
    if byte == UInt8(ascii: "0") {
      position &+= 1
    } else {
      try scanDigits(orElse: position == start ? .value : .digit)
    }
    if byte == UInt8(ascii: ".") {
      position &+= 1
      try scanDigits(orElse: .digit)
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position &+= 1 }
      try scanDigits(orElse: .digit)
    }
    append(.number, from: start, to: position)
  }

  @inline(__always)
  private mutating func scanDigits(orElse expectation: JSONFault.Expectation) throws(JSONFault) {
    guard byte &- UInt8(ascii: "0") < 10 else { throw fault(expectation) }
    repeat { position &+= 1 } while byte &- UInt8(ascii: "0") < 10
  }

  @inline(__always)
  mutating func scanLiteral(_ word: StaticString, _ kind: JSONTapeEntry.Kind) throws(JSONFault) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[index] else { throw fault(.literal(word)) }
      position &+= 1
    }
    append(kind, from: start, to: position)
  }
}

extension UInt8 {
  /// 0 to 15; nil if the byte is not an ASCII hexadecimal digit.
  var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
