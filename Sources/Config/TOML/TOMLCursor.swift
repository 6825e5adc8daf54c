/// A position in the bytes of a TOML document, with its line and column, and the lexical rules for where a
/// key, a string or a bare value ends (TOML 1.0).
struct TOMLCursor {
  let bytes: [UInt8]
  private(set) var index = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  var place: TOMLOutline.Place { TOMLOutline.Place(line: line, column: column) }

  func fault(_ problem: String) -> TOMLFault { TOMLFault(place: place, problem: problem) }

  /// The fault for a missing token at this position.
  func missing(_ expected: String) -> TOMLFault { fault("expected \(expected), found \(found)") }

  /// The text at this position, for messages.
  private var found: String {
    guard let byte = current else { return "the end of the file" }
    if isAt("\n") || isAt("\r") { return "the end of the line" }
    // The text has already been validated as UTF-8.
    let end = bytes[index...].indices.dropFirst().first { bytes[$0] & 0xC0 != 0x80 } ?? bytes.endIndex
    return byte < 0x20 || byte == 0x7F
      ? "a control character" : String(decoding: bytes[index..<end], as: UTF8.self)
  }

  func isAt(_ character: Unicode.Scalar) -> Bool { current == UInt8(ascii: character) }

  mutating func advance() {
    guard let byte = current else { return }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  mutating func advance(while isWanted: (UInt8) -> Bool) {
    while let byte = current, isWanted(byte) { advance() }
  }

  /// Skips the character if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    advance()
    return true
  }

  mutating func skipBlanks() { advance { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  /// Skips LF or CR LF.
  mutating func takeNewline() -> Bool {
    if isAt("\r"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") { advance() }
    return take("\n")
  }

  /// Skips whitespace, newlines and comments.
  mutating func skipFiller() {
    repeat {
      skipBlanks()
      skipComment()
    } while takeNewline()
  }

  /// Skips a comment to the end of the line, if one starts here.
  mutating func skipComment() {
    if isAt("#") { advance { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } }
  }

  /// Skips a number, keyword or date. Date and time may be separated by a space.
  mutating func skipBareValue() throws(TOMLFault) {
    let start = self
    var end = self
    while let byte = current, byte.isBareKeyByte || " \t+.:".utf8.contains(byte) {
      advance()
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { end = self }
    }
    self = end
    if index == start.index { throw missing("a value") }
    try Self.check(word: String(decoding: bytes[start.index..<index], as: UTF8.self), at: start)
  }

  /// Reports any other word as an unquoted text.
  private static func check(word: String, at start: TOMLCursor) throws(TOMLFault) {
    let letters = word.drop { $0 == "+" || $0 == "-" }
    guard letters.first?.isLetter == true, !["true", "false", "inf", "nan"].contains(letters) else { return }
    let isFlag = ["true", "false"].contains(word.lowercased())
    throw start.fault(
      "expected a value, found a word. "
        + (isFlag ? "Write \(word.lowercased())" : "Put text in quotes: \(Wording.quoted(word))"))
  }
}

/// Why a document could not be outlined.
struct TOMLFault: Error {
  let place: TOMLOutline.Place
  let problem: String
}

extension UInt8 {
  /// `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`.
  var isBareKeyByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
