/// A text as the user wrote it, in which variables stand for some parts.
package struct WrittenText: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case text(String)
    case variable(String)
  }

  package private(set) var pieces: [Piece]

  package init(pieces: [Piece]) { self.pieces = pieces }

  package init(_ text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

  /// A text in which `$NAME` is a variable.
  package init(expanding text: String) {
    pieces = []
    var end = text.startIndex
    for match in text.matches(of: /\$([A-Za-z0-9_]+)/) {
      append(.text(String(text[end..<match.range.lowerBound])))
      append(.variable(String(match.1)))
      end = match.range.upperBound
    }
    append(.text(String(text[end...])))
  }

  mutating func append(_ piece: Piece) {
    switch (piece, pieces.last) {
    case (.text(""), _): break
    case (.text(let next), .text(let last)?): pieces[pieces.count - 1] = .text(last + next)
    default: pieces.append(piece)
    }
  }

  static func + (a: WrittenText, b: WrittenText) -> WrittenText { b.pieces.reduce(into: a) { $0.append($1) } }

  /// The text if it contains no variable.
  package var plain: String? {
    switch (pieces.count, pieces.first) {
    case (0, _): ""
    case (1, .text(let text)?): text
    default: nil
    }
  }

  /// Whether a URL with this text has a query outside its variables.
  var hasQuery: Bool {
    pieces.contains { if case .text(let text) = $0 { text.contains("?") } else { false } }
  }

  package var variables: [String] {
    pieces.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The text with a mark in place of each variable, so that it can be parsed.
  ///
  /// - Parameter mark: The mark of the variable with this index.
  func marked(_ mark: (Int) -> String) -> String {
    var count = 0
    return pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .variable:
        count += 1
        return mark(count - 1)
      }
    }.joined()
  }
}

/// Reads command lines of a POSIX shell without running anything.
package enum ShellLine {
  /// The words of the first command of a line, up to `|`, `;`, a comment, or the end of the line.
  ///
  /// Reads `'…'`, `"…"`, `$'…'`, `$NAME` and `${NAME}` outside single quotes, backslashes, and lines continued with a
  /// backslash.
  /// - Throws: If the shell would run, read or compute something. No part of the line is repeated, because it
  ///   may contain a secret.
  package static func words(of line: String) throws(ShellLineError) -> [WrittenText] {
    var reader = ShellReader(bytes: Array(line.utf8))
    return try reader.read()
  }
}

package enum ShellLineError: Error, Sendable, Hashable, CustomStringConvertible {
  case unfinishedQuote
  /// The line contains `$(…)`, backquotes, `${NAME:-…}` or special parameters.
  case expansion
  /// The line contains `&`, `<` or `>` outside quotes.
  case unquotedOperator

  package var description: String {
    switch self {
    case .unfinishedQuote: "the command ends inside quotes. Copy the whole command"
    case .expansion: "the command uses a shell expansion other than $NAME. Write its value instead"
    case .unquotedOperator: "the command has &, < or > outside quotes. Put the URL in single quotes"
    }
  }
}

private struct ShellReader {
  let bytes: [UInt8]
  var index = 0
  var words: [WrittenText] = []
  var word = WrittenText("")
  var text: [UInt8] = []
  /// Whether a word has begun; an empty quoted word has no pieces.
  var isInWord = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(ShellLineError) -> [WrittenText] {
    while let byte = next() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): endWord()
      case UInt8(ascii: "\n") where words.isEmpty && !isInWord: break
      case UInt8(ascii: "\n"), UInt8(ascii: "|"), UInt8(ascii: ";"):
        endWord()
        return words
      case UInt8(ascii: "#") where !isInWord: return words
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): throw .unquotedOperator
      case UInt8(ascii: "`"): throw .expansion
      case UInt8(ascii: "'"): try readSingleQuotes()
      case UInt8(ascii: "\""): try readDoubleQuotes()
      case UInt8(ascii: "$") where peek == UInt8(ascii: "'"):
        index += 1
        try readEscapedQuotes()
      case UInt8(ascii: "$"): try readVariable()
      case UInt8(ascii: "\\"): readEscape()
      default: add(byte)
      }
    }
    endWord()
    return words
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func next() -> UInt8? {
    guard let byte = peek else { return nil }
    index += 1
    return byte
  }

  private mutating func add(_ byte: UInt8) {
    isInWord = true
    text.append(byte)
  }

  private mutating func endText() {
    word.append(.text(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func endWord() {
    endText()
    if isInWord { words.append(word) }
    word = WrittenText("")
    isInWord = false
  }

  /// Reads an escape after a backslash outside quotes. A backslash before a line break continues the line.
  private mutating func readEscape() {
    if peek == UInt8(ascii: "\r"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") {
      index += 1
    }
    if let byte = next(), byte != UInt8(ascii: "\n") { add(byte) }
  }

  private mutating func readSingleQuotes() throws(ShellLineError) {
    isInWord = true
    while let byte = next() {
      if byte == UInt8(ascii: "'") { return }
      add(byte)
    }
    throw .unfinishedQuote
  }

  private mutating func readDoubleQuotes() throws(ShellLineError) {
    isInWord = true
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "`"): throw .expansion
      case UInt8(ascii: "$"): try readVariable()
      case UInt8(ascii: "\\"):
        guard let escaped = next() else { throw .unfinishedQuote }
        if !"$`\"\\\n".utf8.contains(escaped) { add(byte) }
        if escaped != UInt8(ascii: "\n") { add(escaped) }
      default: add(byte)
      }
    }
    throw .unfinishedQuote
  }

  /// Reads a variable after `$`. A `$` that begins no expansion is literal.
  private mutating func readVariable() throws(ShellLineError) {
    let isBraced = peek == UInt8(ascii: "{")
    if isBraced { index += 1 }
    var name: [UInt8] = []
    while let byte = peek, Self.isName(byte), !name.isEmpty || !Self.isDigit(byte) {
      name.append(byte)
      index += 1
    }
    if isBraced, name.isEmpty || next() != UInt8(ascii: "}") { throw .expansion }
    if name.isEmpty {
      if let byte = peek, Self.isDigit(byte) || "(@*#?-$!".utf8.contains(byte) { throw .expansion }
      return add(UInt8(ascii: "$"))
    }
    isInWord = true
    endText()
    word.append(.variable(String(decoding: name, as: UTF8.self)))
  }

  /// Reads the text after `$'`, with escapes as in C.
  private mutating func readEscapedQuotes() throws(ShellLineError) {
    isInWord = true
    while let byte = next() {
      if byte == UInt8(ascii: "'") { return }
      guard byte == UInt8(ascii: "\\") else {
        add(byte)
        continue
      }
      guard let escaped = next() else { throw .unfinishedQuote }
      switch escaped {
      case UInt8(ascii: "n"): add(10)
      case UInt8(ascii: "t"): add(9)
      case UInt8(ascii: "r"): add(13)
      case UInt8(ascii: "x"): add(UInt8(truncatingIfNeeded: number(radix: 16, digits: 2)))
      case UInt8(ascii: "u"): add(scalar: number(radix: 16, digits: 4))
      case UInt8(ascii: "U"): add(scalar: number(radix: 16, digits: 8))
      case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): add(escaped)
      default:
        add(byte)
        add(escaped)
      }
    }
    throw .unfinishedQuote
  }

  private mutating func number(radix: UInt32, digits: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { break }
      value = value &* radix &+ UInt32(digit)
      index += 1
    }
    return value
  }

  private mutating func add(scalar value: UInt32) {
    for byte in String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8 { add(byte) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isName(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
