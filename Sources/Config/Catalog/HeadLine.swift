/// Parses one line of a document if it uses only simple syntax; otherwise the results are nil.
struct HeadLine {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    rest = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    skipBlanks()
  }

  var beginsTable: Bool { rest.first == UInt8(ascii: "[") }

  /// Whether only a comment is left.
  var isBlank: Bool { rest.isEmpty || rest.first == UInt8(ascii: "#") }

  /// A bare or dotted key, including the `=` after it.
  mutating func key() -> String? {
    let name = rest.prefix { $0.isBareKeyByte || $0 == UInt8(ascii: ".") }
    rest = rest[name.endIndex...]
    skipBlanks()
    return !name.isEmpty && take("=") ? String(decoding: name, as: UTF8.self) : nil
  }

  mutating func value() -> SourceHead.Value? {
    defer { skipBlanks() }
    switch rest.first {
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "["): return list().map { .list($0) }
    default:
      let word = rest.prefix(while: \.isBareKeyByte)
      rest = rest[word.endIndex...]
      if word.elementsEqual("true".utf8) { return .flag(true) }
      if word.elementsEqual("false".utf8) { return .flag(false) }
      let isNumber = !word.isEmpty && word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return isNumber ? .number(String(decoding: word, as: UTF8.self)) : nil
    }
  }

  private mutating func list() -> [String]? {
    guard take("[") else { return nil }
    var texts: [String] = []
    while !take("]") {
      guard let text = string() else { return nil }
      texts.append(text)
      skipBlanks()
      if !take(","), rest.first != UInt8(ascii: "]") { return nil }
    }
    return texts
  }

  private mutating func string() -> String? {
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    guard text.endIndex < rest.endIndex, rest[text.endIndex] == UInt8(ascii: "\"") else { return nil }
    rest = rest[(text.endIndex + 1)...]
    return String(validating: text, as: UTF8.self)
  }

  /// Consumes a character and the whitespace after it.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
