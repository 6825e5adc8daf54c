/// Keeps a spreadsheet from taking a text for a formula.
enum FormulaGuard {
  /// Full-width `＝ ＋ － ＠`, which spreadsheets read like the narrow ones.
  private static let wideStarts = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }

  /// Whether the text begins with `= + - @`, their full-width forms, a tab or a carriage return, and is no
  /// plain number.
  static func isNeeded(for text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): !isPlainNumber(text.dropFirst())
    case 0xEF: wideStarts.contains { text.starts(with: $0) }
    default: false
    }
  }

  /// Digits, at most one point, and at most one exponent: what JSON allows behind the sign, leniently.
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
