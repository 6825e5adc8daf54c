/// Escaping and unescaping of JSON strings (RFC 8259, section 7).
package enum JSONText {
  /// The text as a JSON string, including quotes. Escapes only what must be escaped: quotes, backslashes, and
  /// U+0000 to U+001F.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(quoted: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text as it is written within the quotes of a JSON string.
  package static func escaped(_ text: String) -> String {
    // By bytes, because a combining mark after a quote belongs to its character.
    String(decoding: quoted(text).utf8.dropFirst().dropLast(), as: UTF8.self)
  }

  /// Appends the text as a JSON string, including quotes.
  package static func append(quoted text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(quoted: $0, to: &output) }
  }

  /// Appends UTF-8 as a JSON string, including quotes. Copies runs that need no escape as a whole.
  package static func append(quoted utf8: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var copied = 0
    for index in utf8.indices where needsEscape(utf8[index]) {
      output.append(contentsOf: utf8[copied..<index])
      append(escapeOf: utf8[index], to: &output)
      copied = index + 1
    }
    output.append(contentsOf: utf8[copied...])
    output.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func append(escapeOf byte: UInt8, to output: inout [UInt8]) {
    let letter: UInt8? =
      switch byte {
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0C: UInt8(ascii: "f")
      case 0x0D: UInt8(ascii: "r")
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      default: nil
      }
    output.append(UInt8(ascii: "\\"))
    if let letter {
      output.append(letter)
    } else {
      output += "u00".utf8
      output.append(UInt8(ascii: "0") + byte >> 4)
      output.append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
    }
  }
}

extension JSONText {
  /// The content of a scanned string with its escapes decoded; an unpaired surrogate becomes U+FFFD.
  static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(content.count)
    var rest = content
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      output += rest[..<backslash]
      rest = rest[(backslash + 1)...]
      appendEscape(from: &rest, to: &output)
    }
    return output + rest
  }

  /// Valid JSON on one line whose strings have only the escapes that they need: `"\u00e9"` becomes `"é"`. O(bytes).
  package static func readable(_ json: String) -> String {
    guard json.contains("\\u") || json.contains("\\/") else { return json }
    var output: [UInt8] = []
    var rest = Array(json.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
      var end = start + 1
      while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
        end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      end = min(end, rest.endIndex)
      output += rest[..<start]
      unescaped(rest[(start + 1)..<end]).withUnsafeBufferPointer { append(quoted: $0, to: &output) }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return String(decoding: output + rest, as: UTF8.self)
  }

  /// Consumes one escape after its backslash, or the two escapes of a surrogate pair.
  private static func appendEscape(from rest: inout ArraySlice<UInt8>, to output: inout [UInt8]) {
    let letter = rest.popFirst()
    switch letter {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"): output += Character(unicodeScalar(from: &rest)).utf8
    default: if let letter { output.append(letter) }
    }
  }

  /// Consumes the digits after `\u`, and the second half of a surrogate pair.
  private static func unicodeScalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let unit = codeUnit(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard UTF16.isLeadSurrogate(unit), rest.starts(with: #"\u"#.utf8) else {
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }
    let trail = codeUnit(rest.dropFirst(2).prefix(4))
    guard UTF16.isTrailSurrogate(trail) else { return "\u{FFFD}" }
    rest = rest.dropFirst(6)
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt16 {
    digits.reduce(0) { $0 << 4 | UInt16($1.hexDigitValue ?? 0) }
  }
}

extension JSONDocument {
  /// The bytes of the value on one line of well-formed UTF-8, as JSON Lines requires.
  package func compactBytes(of node: JSONNode) -> [UInt8] {
    var output: [UInt8] = []
    append(compact: node, to: &output)
    return output
  }

  /// Appends the bytes of the value, with malformed UTF-8 as U+FFFD. Removes white space outside strings if
  /// it contains a line break. O(bytes).
  package func append(compact node: JSONNode, to output: inout [UInt8]) {
    let range = byteRange(of: node)
    let isOnOneLine = !hasLineBreaks || !hasLineBreaks(in: node)
    if firstMalformedByte == nil {
      if isOnOneLine { output += bytes[range] } else { appendWithoutWhiteSpace(node, to: &output) }
    } else {
      var exact: [UInt8] = []
      if isOnOneLine { exact = Array(bytes[range]) } else { appendWithoutWhiteSpace(node, to: &exact) }
      output += String(decoding: exact, as: UTF8.self).utf8
    }
  }

  /// A string cannot contain a raw line break, so any in the range is outside strings.
  private func hasLineBreaks(in node: JSONNode) -> Bool {
    bytes[byteRange(of: node)].contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Copies strings as a whole and the text between them byte by byte.
  private func appendWithoutWhiteSpace(_ node: JSONNode, to output: inout [UInt8]) {
    let range = byteRange(of: node)
    output.reserveCapacity(output.count + range.count)
    bytes.withUnsafeBufferPointer { text in
      var copied = range.lowerBound
      for entry in tape[node.index...] {
        guard Int(entry.start) < range.upperBound else { break }
        guard entry.kind == .string || entry.kind == .name else { continue }
        for byte in text[copied..<Int(entry.start)] where !byte.isJSONWhiteSpace { output.append(byte) }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[entry.range]))
        copied = Int(entry.end)
      }
      for byte in text[copied..<range.upperBound] where !byte.isJSONWhiteSpace { output.append(byte) }
    }
  }
}

extension JSONDocument {
  /// A value as readable lines: one member or element per line, indented by two spaces per level. Numbers are
  /// unchanged; in strings, only quotes, backslashes, and control characters are escaped. O(bytes), at most `limit`
  /// lines.
  package func indentedLines(of node: JSONNode, limit: Int = .max) -> [String] {
    var lines = IndentedLines(limit: limit)
    let range = byteRange(of: node)
    bytes.withUnsafeBufferPointer { lines.read(UnsafeBufferPointer(rebasing: $0[range])) }
    return lines.lines
  }
}

extension JSONText {
  /// A JSON text, or the beginning of one, as readable lines like those of `JSONDocument.indentedLines`. O(bytes).
  package static func indentedLines(_ text: String) -> [String] {
    var lines = IndentedLines(limit: .max)
    var text = text
    text.withUTF8 { lines.read($0) }
    return lines.lines
  }
}

/// Breaks JSON into lines.
private struct IndentedLines {
  let limit: Int
  var lines: [String] = []
  var line: [UInt8] = []
  var depth = 0

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
    guard string.contains(UInt8(ascii: "\\")), string.count > 1, string.last == UInt8(ascii: "\"") else {
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
    depth = max(0, depth - 1)
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
