/// Finds the tags, comments, and declarations of a text. Each byte is read a bounded number of times even if
/// tags are left open, so hostile text costs no more than its length.
struct HTMLTagScanner {
  let bytes: [UInt8]
  private let lastQuote: Int
  private let lastApostrophe: Int
  /// False once an unclosed quote has left a tag open to the end of the text.
  private var quotesCount = true

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lastQuote = bytes.lastIndex(of: UInt8(ascii: "\"")) ?? -1
    lastApostrophe = bytes.lastIndex(of: UInt8(ascii: "'")) ?? -1
  }

  /// The text between `<` and `>`.
  struct Tag {
    /// In lower case; "" for comments and declarations.
    let name: String
    let isClosing: Bool
    /// The index after the tag; the end of the text if it is not closed.
    let end: Int
  }

  /// The tag whose `<` is at an index; nil if it is only a character (`a < b`).
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

  /// The index of the closing tag of an element whose content is not text, searched from an index; the end if
  /// there is none.
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

  /// Names longer than any element name are truncated.
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

  /// A `>` inside quotes does not close the tag, unless the quotes are never closed.
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
