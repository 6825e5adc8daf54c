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

/// Copies the text between tags.
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
