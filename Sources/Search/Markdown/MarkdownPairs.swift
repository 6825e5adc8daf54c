/// The matching marks of a line, found in one pass, so that an unclosed mark costs no search.
struct MarkdownPairs {
  /// For each closed run of backticks, the start of the closing run.
  private(set) var closingCode: [Int: Int] = [:]
  /// For each closed parenthesis, the index of the closing one.
  private(set) var closingParenthesis: [Int: Int] = [:]

  init(_ bytes: [UInt8]) {
    pairParentheses(bytes)
    pairBackticks(bytes)
  }

  private mutating func pairParentheses(_ bytes: [UInt8]) {
    var open: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "(") { open.append(index) }
      if byte == UInt8(ascii: ")"), let start = open.popLast() { closingParenthesis[start] = index }
    }
  }

  /// A run is closed by the next run of the same length.
  private mutating func pairBackticks(_ bytes: [UInt8]) {
    var last: [Int: Int] = [:]
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "`")) {
      index = bytes[start...].firstIndex { $0 != UInt8(ascii: "`") } ?? bytes.count
      if let open = last.updateValue(start, forKey: index - start) { closingCode[open] = start }
    }
  }
}
