extension TOMLCursor {
  /// One part of a dotted key: bare, `"basic"` or `'literal'`.
  mutating func key() throws(TOMLFault) -> String {
    if isAt("\"") || isAt("'") { return try quotedKey() }
    let start = index
    advance(while: \.isBareKeyByte)
    guard index > start else { throw missing("a key") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quotedKey() throws(TOMLFault) -> String {
    let isLiteral = isAt("'")
    let quote: Unicode.Scalar = isLiteral ? "'" : "\""
    let start = self
    advance()
    var name: [UInt8] = []
    while !isAt(quote) {
      guard let byte = current, byte != UInt8(ascii: "\n") else {
        throw start.fault("unterminated key: close it with the quote it starts with")
      }
      if byte == UInt8(ascii: "\\"), !isLiteral {
        name.append(contentsOf: String(try escapedScalar()).utf8)
      } else {
        name.append(byte)
        advance()
      }
    }
    advance()
    return String(decoding: name, as: UTF8.self)
  }

  /// Skips a string of any of the four kinds.
  mutating func skipString() throws(TOMLFault) {
    let start = self
    let isLiteral = isAt("'")
    let quote: Unicode.Scalar = isLiteral ? "'" : "\""
    var quotes = 0
    while quotes < 3, take(quote) { quotes += 1 }
    guard quotes != 2 else { return }
    let isMultiline = quotes == 3
    while let byte = current, byte != UInt8(ascii: "\n") || isMultiline {
      if byte == UInt8(ascii: "\\"), !isLiteral {
        _ = try escapedScalar(orLineEnd: isMultiline)
      } else if take(quote) {
        if !isMultiline || takeClosing(quote) { return }
      } else {
        advance()
      }
    }
    throw start.fault("unterminated string: close it with the quotes it starts with")
  }

  /// Whether the quote just consumed starts the closing three; up to two more quotes belong to the text.
  private mutating func takeClosing(_ quote: Unicode.Scalar) -> Bool {
    var quotes = 1
    while quotes < 5, take(quote) { quotes += 1 }
    return quotes >= 3
  }

  /// Skips a backslash escape. NUL is rejected, because TOMLKit would silently end the text there.
  private mutating func escapedScalar(orLineEnd: Bool = false) throws(TOMLFault) -> Unicode.Scalar {
    let start = self
    advance()
    let letter = current.map { Unicode.Scalar($0) }
    if orLineEnd, let letter, " \t\r\n".unicodeScalars.contains(letter) { return letter }
    advance()
    switch letter {
    case "u": return try codePoint(digits: 4, from: start)
    case "U": return try codePoint(digits: 8, from: start)
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    default:
      throw start.fault("invalid escape. For a backslash, write \\\\ or use 'single quotes'")
    }
  }

  private mutating func codePoint(digits: Int, from start: TOMLCursor) throws(TOMLFault) -> Unicode.Scalar {
    let first = index
    for _ in 0..<digits { advance() }
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    guard text.utf8.allSatisfy(\.isBareKeyByte), let number = UInt32(text, radix: 16),
      let scalar = Unicode.Scalar(number), number > 0
    else { throw start.fault("invalid Unicode code point") }
    return scalar
  }
}
