/// Which marks of a line belong together, found in one pass, so that a mark left open costs no search.
struct MarkdownPairs {
  /// Of each run of backticks that is closed, where the closing run begins.
  private(set) var closingCode: [Int: Int] = [:]
  /// Of each opening parenthesis that is closed, where the closing one is.
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

  /// A run is closed by the next one of the same length.
  private mutating func pairBackticks(_ bytes: [UInt8]) {
    var last: [Int: Int] = [:]
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "`")) {
      index = bytes[start...].firstIndex { $0 != UInt8(ascii: "`") } ?? bytes.count
      if let open = last.updateValue(start, forKey: index - start) { closingCode[open] = start }
    }
  }
}
