extension JSONDocument {
  /// A value as readable lines: one member or element per line, indented by two blanks per level. Numbers are
  /// unchanged; in strings, only quotes, backslashes, and control characters are escaped. O(bytes), at most
  /// `limit` lines.
  package func indentedLines(of node: JSONNode, limit: Int = .max) -> [String] {
    var lines = IndentedLines(limit: limit)
    let range = byteRange(of: node)
    bytes.withUnsafeBufferPointer { lines.read(UnsafeBufferPointer(rebasing: $0[range])) }
    return lines.lines
  }
}

/// Breaks well-formed JSON into lines.
private struct IndentedLines {
  private let limit: Int
  private(set) var lines: [String] = []
  private var line: [UInt8] = []
  private var depth = 0

  init(limit: Int) { self.limit = limit }

  mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < text.count, lines.count < limit {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""):
        let end = Self.endOfString(text, from: index)
        append(string: text[index..<end])
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, isEmpty: Self.closes(text, after: index))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
      case UInt8(ascii: ","):
        line.append(byte)
        breakLine()
      case UInt8(ascii: ":"): line += [byte, UInt8(ascii: " ")]
      default: if !byte.isJSONWhiteSpace { line.append(byte) }
      }
      index += 1
    }
    if !line.isEmpty, lines.count < limit { breakLine() }
  }

  /// - Parameter string: The string including its quotes.
  private mutating func append(string: Slice<UnsafeBufferPointer<UInt8>>) {
    guard string.contains(UInt8(ascii: "\\")) else {
      line += string
      return
    }
    JSONText.unescaped(Array(string.dropFirst().dropLast())[...]).withUnsafeBufferPointer {
      JSONText.append(quoted: $0, to: &line)
    }
  }

  private mutating func open(_ bracket: UInt8, isEmpty: Bool) {
    line.append(bracket)
    depth += 1
    if !isEmpty { breakLine() }
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    // A line ends in an opening bracket only if the pair is empty.
    if line.last != UInt8(ascii: "{"), line.last != UInt8(ascii: "[") { breakLine() }
    line.append(bracket)
  }

  private mutating func breakLine() {
    lines.append(String(decoding: line, as: UTF8.self))
    line = [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
  }

  /// Whether the next byte other than white space closes the bracket just opened.
  private static func closes(_ text: UnsafeBufferPointer<UInt8>, after index: Int) -> Bool {
    let next = text[(index + 1)...].first { !$0.isJSONWhiteSpace }
    return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
  }

  private static func endOfString(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }
}
