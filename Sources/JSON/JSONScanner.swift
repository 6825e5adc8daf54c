/// The result of scanning a whole text.
struct JSONScan {
  let tape: [JSONTapeEntry]
  let firstMalformedByte: Int?
  let hasLineBreaks: Bool

  init(_ text: UnsafeBufferPointer<UInt8>, from start: Int, maxDepth: Int) throws(JSONScanError) {
    guard let first = text.baseAddress else { throw JSONScanError(offset: 0, expectation: .value) }
    var scanner = JSONScanner(first, count: text.count, maxDepth: maxDepth, start: start)
    try scanner.scanText()
    (tape, firstMalformedByte, hasLineBreaks) =
      (scanner.tape, scanner.firstMalformedByte, scanner.hasLineBreaks)
  }
}

/// Scans one JSON text (RFC 8259) from the first to the last byte and writes its values to a tape.
///
/// Only the scanner uses raw pointers. All state is in this struct, and its functions mutate it
/// without capturing it, so that the optimizer keeps it in registers. It does not recurse: while an object or
/// array is open, the `link` of its entry holds its parent.
struct JSONScanner: ~Copyable {
  let text: UnsafePointer<UInt8>
  let count: Int
  let maxDepth: Int
  var position: Int
  var tape: [JSONTapeEntry] = []
  var hasLineBreaks = false
  var firstMalformedByte: Int?

  private var depth = 0
  /// The innermost open object or array, or `noParent`.
  private var open = JSONScanner.noParent
  private var openIsObject = false

  private static let noParent = UInt32.max
  /// The maximum number of values and names in a text: a tape of 64 MB, enough for a page of 100,000 rows
  /// with forty values each.
  private static let maxEntries = 4_000_000

  init(_ text: UnsafePointer<UInt8>, count: Int, maxDepth: Int, start: Int) {
    self.text = text
    self.count = count
    self.maxDepth = maxDepth
    position = start
    // This is enough for most texts. Unused capacity is retained as long as the document.
    tape.reserveCapacity(count / 24 + 16)
  }

  /// The number of bytes before the text: a byte order mark, and a prefix with which a service prevents its responses
  /// from being run as scripts.
  static func lengthOfPrefix(_ bytes: [UInt8]) -> Int {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let guards = [")]}',", ")]}'", "while(1);", "for(;;);"]
    return mark + (guards.first { bytes.dropFirst(mark).starts(with: $0.utf8) }?.utf8.count ?? 0)
  }

  mutating func scanText() throws(JSONScanError) {
    skipWhiteSpace()
    repeat { try scanValue() } while try advanceToNextValue()
    guard position == count else { throw fault(.end) }
  }

  /// Scans one scalar or empty container, opening the objects and arrays before it.
  @inline(__always)
  private mutating func scanValue() throws(JSONScanError) {
    while true {
      switch byte {
      case UInt8(ascii: "\""): return try scanString(.string)
      case UInt8(ascii: "{"):
        try openContainer(.object)
        if byte == UInt8(ascii: "}") { return }
        try scanName(orElse: .firstName)
      case UInt8(ascii: "["):
        try openContainer(.array)
        if byte == UInt8(ascii: "]") { return }
      case UInt8(ascii: "t"): return try scanLiteral("true", .true)
      case UInt8(ascii: "f"): return try scanLiteral("false", .false)
      case UInt8(ascii: "n"): return try scanLiteral("null", .null)
      default: return try scanNumber()
      }
    }
  }

  /// Closes the containers that end here and advances to the next value; false if there is none.
  @inline(__always)
  private mutating func advanceToNextValue() throws(JSONScanError) -> Bool {
    while open != Self.noParent {
      skipWhiteSpace()
      let close = openIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      switch byte {
      case UInt8(ascii: ","):
        guard tape.count < Self.maxEntries else { throw fault(.values(Self.maxEntries)) }
        position &+= 1
        skipWhiteSpace()
        if openIsObject { try scanName(orElse: .name) }
        return true
      case close: closeContainer()
      default: throw fault(openIsObject ? .commaOrBrace : .commaOrBracket)
      }
    }
    skipWhiteSpace()
    return false
  }

  private mutating func openContainer(_ kind: JSONTapeEntry.Kind) throws(JSONScanError) {
    guard depth < maxDepth else { throw fault(.depth(maxDepth)) }
    depth &+= 1
    let index = UInt32(truncatingIfNeeded: tape.count)
    append(kind, from: position, to: position, link: open)
    open = index
    openIsObject = kind == .object
    position &+= 1
    skipWhiteSpace()
  }

  private mutating func closeContainer() {
    position &+= 1
    depth &-= 1
    let index = Int(open)
    open = tape[index].link
    tape[index].end = UInt32(truncatingIfNeeded: position)
    tape[index].link = UInt32(truncatingIfNeeded: tape.count)
    openIsObject = open != Self.noParent && tape[Int(open)].kind == .object
  }

  @inline(__always)
  private mutating func scanName(orElse expectation: JSONScanError.Expectation) throws(JSONScanError) {
    guard byte == UInt8(ascii: "\"") else { throw fault(expectation) }
    try scanString(.name)
    skipWhiteSpace()
    guard byte == UInt8(ascii: ":") else { throw fault(.colon) }
    position &+= 1
    skipWhiteSpace()
  }

  // MARK: Parts shared with the scalars

  /// The byte at `position`; at the end of the text NUL, which is invalid outside strings.
  @inline(__always)
  var byte: UInt8 { position < count ? text[position] : 0 }

  @inline(__always)
  mutating func append(
    _ kind: JSONTapeEntry.Kind, from start: Int, to end: Int, link: UInt32 = 0,
    flags: JSONTapeEntry.Flags = []
  ) {
    tape.append(
      JSONTapeEntry(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        link: link, kind: kind, flags: flags))
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    if position < count, text[position] > 0x20 { return }
    skipWhiteSpaceRun()
  }

  private mutating func skipWhiteSpaceRun() {
    while position < count, text[position].isJSONWhiteSpace {
      if text[position] < 0x20, text[position] != 0x09 { hasLineBreaks = true }
      position &+= 1
    }
  }

  func fault(_ expectation: JSONScanError.Expectation) -> JSONScanError {
    JSONScanError(offset: position, expectation: expectation)
  }
}

extension UInt8 {
  /// Whether a byte is white space: space, tab, line feed, or carriage return (RFC 8259, section 2).
  @inline(__always)
  var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension JSONScanner {
  /// Scans from the opening quote to just after the closing one.
  @inline(__always)
  mutating func scanString(_ kind: JSONTapeEntry.Kind) throws(JSONScanError) {
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
    append(kind, from: start, to: position, flags: flags)
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
  private mutating func scanEscape() throws(JSONScanError) {
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

  mutating func scanNumber() throws(JSONScanError) {
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
  private mutating func scanDigits(orElse expectation: JSONScanError.Expectation) throws(JSONScanError) {
    guard byte &- UInt8(ascii: "0") < 10 else { throw fault(expectation) }
    repeat { position &+= 1 } while byte &- UInt8(ascii: "0") < 10
  }

  @inline(__always)
  mutating func scanLiteral(_ word: StaticString, _ kind: JSONTapeEntry.Kind) throws(JSONScanError) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[index] else { throw fault(.literal(word)) }
      position &+= 1
    }
    append(kind, from: start, to: position)
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit; nil if the byte is not one.
  package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
