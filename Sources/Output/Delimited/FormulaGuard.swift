/// Prevents spreadsheets from reading a text as a formula.
enum FormulaGuard {
  /// Full-width `＝ ＋ － ＠`, which spreadsheets treat like the ASCII characters.
  private static let wideStarts = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }

  /// The offsets in a text, in ascending order, where an apostrophe prevents a formula: the beginning, and
  /// after each `;`, tab, and line break, where a spreadsheet with that delimiter begins a cell. O(n).
  static func places(in text: UnsafeBufferPointer<UInt8>) -> [Int] {
    var places: [Int] = []
    if let first = text.first, isDelimiter(first), first != UInt8(ascii: ";") { places.append(0) }
    var start = 0
    while start < text.count {
      let cell = text[start...].prefix { !isDelimiter($0) }
      if isFormula(cell) { places.append(start) }
      start = cell.endIndex + 1
    }
    return places
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }

  /// Whether the text begins with `= + - @` or their full-width forms, and is not a plain number.
  private static func isFormula(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): !isPlainNumber(text.dropFirst())
    case 0xEF: wideStarts.contains { text.starts(with: $0) }
    default: false
    }
  }

  /// Digits, at most one decimal point, and at most one exponent: a lenient form of what JSON allows after
  /// the sign.
  private static func isPlainNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = text.first, isDigit(first) else { return false }
    var rest = text.drop(while: isDigit)
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: isDigit) }
    guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return rest.isEmpty }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
