/// Scans one JSON text (RFC 8259) from the first to the last byte and writes its values to a tape.
///
/// Only the scanner and `JSONTape` use raw pointers. All state is in this struct, and its functions mutate it
/// without capturing it, so that the optimizer keeps it in registers. It does not recurse: while an object or
/// array is open, the `link` of its entry holds its parent.
struct JSONScanner: ~Copyable {
  let text: UnsafePointer<UInt8>
  let count: Int
  let maxDepth: Int
  var position: Int
  var tape: JSONTape
  var hasLineBreaks = false
  var firstMalformedByte: Int?

  private var depth = 0
  /// The innermost open object or array, or `noParent`.
  private var open = JSONScanner.noParent
  private var openIsObject = false

  private static let noParent = JSONTapeEntry.mostLink
  /// The maximum number of values and names in a text: a tape of 48 MB, enough for a page of 100,000 rows
  /// with forty values each.
  private static let mostEntries = 4_000_000

  init(
    _ text: UnsafePointer<UInt8>, count: Int, maxDepth: Int, start: Int, tape: consuming JSONTape
  ) {
    self.text = text
    self.count = count
    self.maxDepth = maxDepth
    position = start
    self.tape = tape
  }

  static func lengthOfByteOrderMark(_ bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func scanText() throws(JSONFault) {
    skipWhiteSpace()
    repeat { try scanValue() } while try advanceToNextValue()
    guard position == count else { throw fault(.end) }
  }

  /// Scans one scalar or empty container, opening the objects and arrays before it.
  @inline(__always)
  private mutating func scanValue() throws(JSONFault) {
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
  private mutating func advanceToNextValue() throws(JSONFault) -> Bool {
    while open != Self.noParent {
      skipWhiteSpace()
      let close = openIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      switch byte {
      case UInt8(ascii: ","):
        guard tape.count < Self.mostEntries else { throw fault(.values(Self.mostEntries)) }
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

  private mutating func openContainer(_ kind: JSONTapeEntry.Kind) throws(JSONFault) {
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
  private mutating func scanName(orElse expectation: JSONFault.Expectation) throws(JSONFault) {
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

  func fault(_ expectation: JSONFault.Expectation) -> JSONFault {
    JSONFault(offset: position, expectation: expectation)
  }
}

extension UInt8 {
  /// Space, tab, line feed, or carriage return (RFC 8259, section 2).
  @inline(__always)
  var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
