import JSON
import Text

/// Reads the tokens of TOML 1.0.0 at a position in the bytes of a document: keys, scalar values, whitespace, comments,
/// and line breaks. Reading a token advances past it.
struct TOMLScanner {
  /// The position of the first escape for U+0000.
  private(set) var nulEscape: FilePosition?

  private let bytes: [UInt8]
  private let file: String
  private var index: Int
  private var line = 1
  /// The index up to which the columns of this line have been counted, and its column. The positions of a
  /// document are needed in ascending order, so all of them together cost one pass.
  private var counted: (index: Int, column: Int)

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    counted = (index, 1)
  }

  /// Requires that the whole document is UTF-8 (Spec). Rejects NUL bytes, which indicate UTF-16.
  mutating func checkText() throws(TOMLSyntaxError) {
    var end = bytes.count
    do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: bytes.span) } catch {
      end = error.byteOffsets.lowerBound
    }
    guard let offset = bytes[..<end].firstIndex(of: 0) ?? (end < bytes.count ? end : nil) else { return }
    while index < offset { if !takeNewline() { index += 1 } }
    throw fault("not UTF-8 text")
  }
}

// MARK: Positions and faults

extension TOMLScanner {
  mutating func position() -> FilePosition {
    while counted.index < index {
      if bytes[counted.index] & 0xC0 != 0x80 { counted.column += 1 }
      counted.index += 1
    }
    return FilePosition(file: file, line: line, column: counted.column)
  }

  mutating func fault(_ problem: String) -> TOMLSyntaxError {
    TOMLSyntaxError(position: position(), problem: problem)
  }

  /// The error for input other than the expected one.
  mutating func missing(_ expected: String) -> TOMLSyntaxError {
    fault("expected \(expected), found \(found)")
  }

  private var found: String {
    guard let byte = current else { return "the end of the file" }
    if isAtNewline { return "the end of the line" }
    if byte.isControl { return "a control character" }
    if byte == UInt8(ascii: " ") { return "a space" }
    let end = bytes[index...].dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
    let character = String(decoding: bytes[index..<end], as: UTF8.self)
    // The character may be invisible, such as a no-break space copied from a web page.
    let hidden = character.unicodeScalars.first {
      $0.properties.isWhitespace || $0.properties.generalCategory == .format
    }
    return hidden.map { "U+\($0.value.padded(to: 4, radix: 16, uppercase: true))" } ?? character
  }
}

// MARK: Bytes, whitespace and lines

extension TOMLScanner {
  private var current: UInt8? { byte(after: 0) }

  private func byte(after offset: Int) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  func isAt(_ character: Unicode.Scalar) -> Bool { current == UInt8(ascii: character) }

  /// Skips the character, which must not be a line break, if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    index += 1
    return true
  }

  private mutating func takeSign() -> Bool { take("+") || take("-") }

  mutating func expect(_ character: Unicode.Scalar) throws(TOMLSyntaxError) {
    if !take(character) { throw missing("\(character)") }
  }

  private mutating func skip(while isWanted: (UInt8) -> Bool) {
    while let byte = current, isWanted(byte) { index += 1 }
  }

  /// The number of equal bytes from here.
  private func run(of byte: UInt8, upTo limit: Int) -> Int {
    (0..<limit).first { self.byte(after: $0) != byte } ?? limit
  }

  private var isAtNewline: Bool { isAt("\n") || isAt("\r") && byte(after: 1) == UInt8(ascii: "\n") }

  /// Skips LF or CRLF (Spec).
  private mutating func takeNewline() -> Bool {
    guard isAtNewline else { return false }
    index += isAt("\r") ? 2 : 1
    line += 1
    counted = (index, 1)
    return true
  }

  mutating func skipBlanks() { while isAt(" ") || isAt("\t") { index += 1 } }

  /// Skips a comment to the end of the line, if one starts here (Comment).
  private mutating func skipComment() throws(TOMLSyntaxError) {
    guard isAt("#") else { return }
    skip { !$0.isControl }
    if !isAtNewline, current != nil { throw fault("control character in a comment. Remove it") }
  }

  /// Skips whitespace, line breaks and comments.
  mutating func skipFiller() throws(TOMLSyntaxError) {
    repeat {
      skipBlanks()
      try skipComment()
    } while takeNewline()
  }

  /// - Returns: Whether there is one.
  mutating func skipToExpression() throws(TOMLSyntaxError) -> Bool {
    try skipFiller()
    return current != nil
  }

  /// Requires that only a comment is left on the line.
  mutating func endLine() throws(TOMLSyntaxError) {
    skipBlanks()
    try skipComment()
    if !takeNewline(), current != nil { throw missing("the end of the line") }
  }
}

// MARK: Keys and words

extension TOMLScanner {
  struct Key {
    let name: String
    let position: FilePosition
  }

  /// One part of a dotted key, bare, `"basic"` or `'literal'`, with the whitespace around it (Keys).
  mutating func key() throws(TOMLSyntaxError) -> Key {
    skipBlanks()
    let start = index
    let position = position()
    var name = ""
    if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      name = try text(closedBy: quote, from: position, in: .key)
    } else {
      skip(while: \.isBareKeyByte)
      guard index > start else { throw missing("a key") }
      name = String(decoding: bytes[start..<index], as: UTF8.self)
    }
    skipBlanks()
    return Key(name: name, position: position)
  }

  /// A value that is neither an array nor an inline table; `position` is where it starts.
  mutating func scalar(at position: FilePosition) throws(TOMLSyntaxError) -> TOMLValue.Content {
    guard let byte = current else { throw missing("a value") }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .string(try string(at: position)) }
    if let kind = dateKind { return .date(try date(kind)) }
    let hasSign = isAt("+") || isAt("-")
    if self.byte(after: hasSign ? 1 : 0)?.isLetter == true { return try word(at: position) }
    if hasSign || byte.isDigit { return try number(at: position) }
    throw missing("a value")
  }

  /// `true` or `false` (Boolean), `inf` or `nan` (Float).
  private mutating func word(at position: FilePosition) throws(TOMLSyntaxError) -> TOMLValue.Content {
    let start = index
    index += 1
    skip(while: \.isBareKeyByte)
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "inf", "+inf": return .float(.infinity)
    case "-inf": return .float(-.infinity)
    case "nan", "+nan", "-nan": return .float(.nan)
    default: break
    }
    // The word is a misspelled Boolean or an unquoted string, which is assumed to end with the value.
    let rest = bytes[start...].prefix { $0 >= 0x20 && !",]}#=\"".utf8.contains($0) }
    let end = rest.lastIndex { $0 != UInt8(ascii: " ") } ?? start
    let text = String(decoding: bytes[start...end], as: UTF8.self)
    let isFlag = ["true", "false"].contains(text.lowercased())
    throw TOMLSyntaxError(
      position: position,
      problem: "expected a value, found a word. "
        + (isFlag ? "Write \(text.lowercased())" : "Put text in quotes: \(Wording.quoted(text))"))
  }
}

// MARK: Strings

extension TOMLScanner {
  private enum Quotation { case key, string, multilineString }

  /// Reads a string of any of the four kinds (String).
  private mutating func string(at position: FilePosition) throws(TOMLSyntaxError) -> String {
    guard let quote = current else { return "" }
    let quotes = run(of: quote, upTo: 3)
    index += quotes
    if quotes == 2 { return "" }
    if quotes == 1 { return try text(closedBy: quote, from: position, in: .string) }
    // A line break right after the opening quotes does not belong to the string.
    _ = takeNewline()
    return try text(closedBy: quote, from: position, in: .multilineString)
  }

  /// Reads a string through its closing quotes; the opening ones are at `start`. A line break becomes LF.
  private mutating func text(
    closedBy quote: UInt8, from start: FilePosition, in quotation: Quotation
  ) throws(TOMLSyntaxError) -> String {
    // The string so far consists of `done` and the bytes from `piece`; most strings are one piece.
    var done: [UInt8] = []
    var piece = index
    while let byte = current {
      if byte == quote {
        let length = quotation == .multilineString ? 3 : 1
        // Up to two quotes may precede the closing three.
        let quotes = run(of: quote, upTo: length == 3 ? 5 : 1)
        index += quotes
        guard quotes >= length else { continue }
        let last = bytes[piece..<(index - length)]
        return String(decoding: done.isEmpty ? last : (done + last)[...], as: UTF8.self)
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        done += bytes[piece..<index]
        if let scalar = try escape(in: quotation) { done += Array(String(scalar).utf8) }
        piece = index
      } else if isAtNewline {
        guard quotation == .multilineString else { break }
        done += bytes[piece..<index]
        done.append(UInt8(ascii: "\n"))
        _ = takeNewline()
        piece = index
      } else if byte.isControl {
        throw fault("escape this control character, as in \\u001B")
      } else {
        index += 1
      }
    }
    throw TOMLSyntaxError(
      position: start,
      problem: quotation == .key
        ? "unterminated key: close it with the quote it starts with"
        : "unterminated string: close it with the quotes it starts with")
  }

  /// A backslash escape; nil for a line-ending backslash, which is skipped with all whitespace after it.
  private mutating func escape(in quotation: Quotation) throws(TOMLSyntaxError) -> Unicode.Scalar? {
    let start = position()
    index += 1
    let letter = current
    index += 1
    switch letter.map({ Unicode.Scalar($0) }) {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "u": return try codePoint(digits: 4, at: start)
    case "U": return try codePoint(digits: 8, at: start)
    case " ", "\t", "\r", "\n":
      index -= 1
      skipBlanks()
      guard quotation == .multilineString, takeNewline() else { break }
      repeat { skipBlanks() } while takeNewline()
      return nil
    default: break
    }
    throw TOMLSyntaxError(
      position: start, problem: "invalid escape. For a backslash, write \\\\ or use 'single quotes'")
  }

  private mutating func codePoint(digits: Int, at start: FilePosition) throws(TOMLSyntaxError)
    -> Unicode.Scalar
  {
    var number: UInt32? = 0
    for offset in 0..<digits {
      number = byte(after: offset)?.hexDigitValue.flatMap { digit in number.map { $0 << 4 | UInt32(digit) } }
    }
    guard let number, let scalar = Unicode.Scalar(number) else {
      throw TOMLSyntaxError(position: start, problem: "invalid Unicode code point")
    }
    index += digits
    if number == 0, nulEscape == nil { nulEscape = start }
    return scalar
  }
}

// MARK: Numbers

extension TOMLScanner {
  /// Reads an Integer, or a Float that is not a word.
  private mutating func number(at position: FilePosition) throws(TOMLSyntaxError) -> TOMLValue.Content {
    let start = index
    let radix = radix
    var isFloat = false
    if radix == 10 {
      _ = takeSign()
      let first = index
      try skipDigits()
      if index > first + 1, bytes[first] == UInt8(ascii: "0") {
        throw TOMLSyntaxError(position: position, problem: "remove the leading zeros")
      }
      isFloat = try skipFraction()
    } else {
      index += 2
      try skipDigits(radix: UInt8(radix))
    }
    if let byte = current, byte.isBareKeyByte || byte >= 0x80 || isAt(".") { throw missing("a digit") }
    let written = bytes[start..<index]
    let text = String(
      decoding: written.dropFirst(radix == 10 ? 0 : 2).filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    if isFloat {
      if let number = Double(text), number.isFinite { return .float(number) }
    } else if let number = Int(text, radix: radix) {
      return .integer(number)
    }
    let name = String(decoding: written.prefix(60), as: UTF8.self) + (written.count > 60 ? "…" : "")
    throw TOMLSyntaxError(position: position, problem: "\(name) does not fit in 64 bits")
  }

  /// The radix that the prefix indicates.
  private var radix: Int {
    guard isAt("0") else { return 10 }
    return switch byte(after: 1) {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: 10
    }
  }

  /// Skips the fraction and the exponent of a Float; returns whether there is one.
  private mutating func skipFraction() throws(TOMLSyntaxError) -> Bool {
    let start = index
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      _ = takeSign()
      try skipDigits()
    }
    return index > start
  }

  /// Skips at least one digit; an underscore may separate two.
  private mutating func skipDigits(radix: UInt8 = 10) throws(TOMLSyntaxError) {
    repeat {
      let start = index
      skip { $0.hexDigitValue.map { $0 < radix } ?? false }
      if index == start { throw missing("a digit") }
    } while take("_")
  }
}

// MARK: Dates and times

extension TOMLScanner {
  /// The kind of date that the digits here begin; nil for those of a number.
  private var dateKind: TOMLDate.Kind? {
    func hasDigits(_ count: Int, before separator: Unicode.Scalar) -> Bool {
      byte(after: count) == UInt8(ascii: separator)
        && (0..<count).allSatisfy { byte(after: $0)?.isDigit == true }
    }
    return hasDigits(4, before: "-") ? .localDate : hasDigits(2, before: ":") ? .localTime : nil
  }

  /// Reads an Offset Date-Time, Local Date-Time, Local Date or Local Time, as in RFC 3339. It begins as `first`: a
  /// date, or a time.
  private mutating func date(_ first: TOMLDate.Kind) throws(TOMLSyntaxError) -> TOMLDate {
    let start = index
    var kind = first
    if first == .localTime {
      try skipTime()
    } else {
      try skipDay()
      // A space is a separator only if a time follows.
      let hasSpace = isAt(" ") && byte(after: 1)?.isDigit == true && take(" ")
      if hasSpace || take("T") || take("t") {
        try skipTime()
        kind = try skipOffset() ? .offsetDateTime : .localDateTime
      }
    }
    return TOMLDate(kind: kind, text: String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func skipDay() throws(TOMLSyntaxError) {
    let year = try field("a year", digits: 4, in: 0...9999)
    try expect("-")
    let month = try field("a month", in: 1...12)
    try expect("-")
    let isLeapYear = year.isMultiple(of: year.isMultiple(of: 100) ? 400 : 4)
    let days = month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    _ = try field("a day", in: 1...days)
  }

  private mutating func skipTime() throws(TOMLSyntaxError) {
    try skipHourAndMinute()
    try expect(":")
    // 60 is a leap second.
    _ = try field("a second", in: 0...60)
    guard take(".") else { return }
    if current?.isDigit != true { throw missing("a digit") }
    skip(while: \.isDigit)
  }

  /// - Returns: Whether there is an offset from UTC.
  private mutating func skipOffset() throws(TOMLSyntaxError) -> Bool {
    if take("Z") || take("z") { return true }
    guard takeSign() else { return false }
    try skipHourAndMinute()
    return true
  }

  private mutating func skipHourAndMinute() throws(TOMLSyntaxError) {
    _ = try field("an hour", in: 0...23)
    try expect(":")
    _ = try field("a minute", in: 0...59)
  }

  private mutating func field(
    _ name: String, digits: Int = 2, in range: ClosedRange<Int>
  ) throws(TOMLSyntaxError) -> Int {
    let position = position()
    var number = 0
    for _ in 0..<digits {
      guard let byte = current, byte.isDigit else { throw missing("a digit") }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      index += 1
    }
    if range.contains(number) { return number }
    throw TOMLSyntaxError(
      position: position,
      problem: "expected \(name) from \(range.lowerBound) to \(range.upperBound), found \(number)")
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  /// Whether the byte is a control character other than the tab.
  fileprivate var isControl: Bool { self < 0x20 && self != UInt8(ascii: "\t") || self == 0x7F }
}
