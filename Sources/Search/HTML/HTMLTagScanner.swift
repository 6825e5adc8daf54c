/// Finds the tags, comments and declarations of a text. Each byte is looked at a fixed number of times,
/// whatever is left open: hostile text costs no more than its length.
struct HTMLTagScanner {
  let bytes: [UInt8]
  private let lastQuote: Int
  private let lastApostrophe: Int
  /// Once quotes have left a tag open to the end of the text they no longer count.
  private var quotesCount = true

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lastQuote = bytes.lastIndex(of: UInt8(ascii: "\"")) ?? -1
    lastApostrophe = bytes.lastIndex(of: UInt8(ascii: "'")) ?? -1
  }

  /// What stands between `<` and `>`.
  struct Tag {
    /// In lower case; "" for comments and declarations.
    let name: String
    let isClosing: Bool
    /// The index after it; the end of the text when it is not closed.
    let end: Int
  }

  /// The tag whose `<` is at an index; nil when that is only a character (`a < b`).
  mutating func tag(at start: Int) -> Tag? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      return Tag(name: "", isClosing: false, end: endOfDeclaration(start))
    case UInt8(ascii: "/") where start + 2 < bytes.count && bytes[start + 2].isASCIILetter:
      return Tag(name: name(at: start + 2), isClosing: true, end: endOfTag(start))
    case let letter where letter.isASCIILetter:
      return Tag(name: name(at: start + 1), isClosing: false, end: endOfTag(start))
    default:
      return nil
    }
  }

  /// The index of the closing tag of an element whose content is no text, from an index on; else the end.
  func endOfContent(of name: String, from start: Int) -> Int {
    let ending = Array("</\(name)".utf8)
    var index = start
    while let open = self.index(of: UInt8(ascii: "<"), from: index) {
      if bytes[open...].prefix(ending.count).elementsEqual(ending, by: { $0 == $1 || $0 | 0x20 == $1 }) {
        return open
      }
      index = open + 1
    }
    return bytes.count
  }

  /// Names longer than any element's are cut.
  private func name(at start: Int) -> String {
    let name = bytes[start...].prefix(16).prefix(while: \.isASCIILetterOrDigit)
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private func endOfDeclaration(_ start: Int) -> Int {
    guard bytes[start...].starts(with: "<!--".utf8) else {
      return index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? bytes.count
    }
    var index = start + 4
    while let close = self.index(of: UInt8(ascii: ">"), from: index) {
      if bytes[..<close].suffix(2).elementsEqual("--".utf8) { return close + 1 }
      index = close + 1
    }
    return bytes.count
  }

  /// A `>` inside quotes does not close, unless the text would end in them.
  private mutating func endOfTag(_ start: Int) -> Int {
    var index = start + 1
    while quotesCount, index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"): return index + 1
      case UInt8(ascii: "\"") where index < lastQuote, UInt8(ascii: "'") where index < lastApostrophe:
        index = (self.index(of: bytes[index], from: index + 1) ?? index) + 1
      default: index += 1
      }
    }
    quotesCount = false
    return self.index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? bytes.count
  }

  private func index(of byte: UInt8, from start: Int) -> Int? { bytes[start...].firstIndex(of: byte) }
}
