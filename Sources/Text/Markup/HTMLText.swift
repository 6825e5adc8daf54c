/// HTML in a value as plain text. The result may contain any character, so like all text of a reply it must
/// be sanitized afterwards. O(bytes).
package enum HTMLText {
  /// Decodes character references; `<` is an ordinary character.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let reference = HTMLReference(in: bytes, at: index) {
        output += String(reference.scalar).utf8
        index = reference.end
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Removes tags, comments, scripts, and styles, begins a new line for blocks and `<br>`, collapses other
  /// white space to one blank, and decodes character references.
  package static func stripped(_ text: String) -> String {
    var stripper = HTMLStripper(Array(text.utf8))
    stripper.run()
    return String(decoding: stripper.output, as: UTF8.self)
  }
}

private struct HTMLStripper {
  private var tags: HTMLTagScanner
  private(set) var output: [UInt8] = []
  private var gap = Gap.none

  /// The separator between the text so far and the text that follows.
  private enum Gap: Int { case none, blank, line }

  init(_ bytes: [UInt8]) {
    tags = HTMLTagScanner(bytes)
    output.reserveCapacity(bytes.count)
  }

  mutating func run() {
    let bytes = tags.bytes
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "<"): index = pass(at: index)
      case UInt8(ascii: "&"): index = decode(at: index)
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
        widen(.blank)
        index += 1
      case let byte:
        append(CollectionOfOne(byte))
        index += 1
      }
    }
  }

  private mutating func pass(at index: Int) -> Int {
    guard let tag = tags.tag(at: index) else {
      append(CollectionOfOne(tags.bytes[index]))
      return index + 1
    }
    if Self.blocks.contains(tag.name) { widen(.line) }
    if Self.cells.contains(tag.name) { widen(.blank) }
    guard Self.hidden.contains(tag.name), !tag.isClosing else { return tag.end }
    return tags.endOfContent(of: tag.name, from: tag.end)
  }

  private mutating func decode(at index: Int) -> Int {
    guard let reference = HTMLReference(in: tags.bytes, at: index) else {
      append(CollectionOfOne(tags.bytes[index]))
      return index + 1
    }
    append(String(reference.scalar).utf8)
    return reference.end
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    if !output.isEmpty, gap != .none { output.append(gap == .line ? 0x0A : 0x20) }
    gap = .none
    output += bytes
  }

  private mutating func widen(_ wider: Gap) { if wider.rawValue > gap.rawValue { gap = wider } }

  private static let blocks: Set = [
    "address", "article", "aside", "blockquote", "br", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tr", "ul",
  ]
  private static let cells: Set = ["td", "th", "option"]
  private static let hidden: Set = ["script", "style"]
}

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
