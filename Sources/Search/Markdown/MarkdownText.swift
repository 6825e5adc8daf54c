/// Markdown as plain text: headings, quotes, and emphasis lose their marks, links and images keep their text,
/// list items begin with a bullet, code is unchanged, and tables keep their rows.
///
/// Supports the common parts of CommonMark: emphasis and links end with their line, and link definitions are
/// unchanged. The result may contain any character and must be sanitized. O(bytes).
package enum MarkdownText {
  package static func plain(_ text: String) -> String {
    var reader = MarkdownReader()
    for line in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
      reader.read(line.last == 0x0D ? Array(line.dropLast()) : Array(line))
    }
    return String(decoding: reader.output, as: UTF8.self)
  }
}

/// Reads Markdown line by line.
private struct MarkdownReader {
  private(set) var output: [UInt8] = []
  private var fence: Fence?
  private var isInComment = false
  private var isAfterBlank = false

  /// The marks that begin and end a code block.
  private struct Fence {
    let mark: UInt8
    let count: Int

    /// Three or more backticks or tildes; after backticks, no other backtick may follow in the line.
    init?(_ line: ArraySlice<UInt8>) {
      guard let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
      let marks = line.prefix { $0 == mark }
      guard marks.count >= 3, mark == UInt8(ascii: "~") || !line[marks.endIndex...].contains(mark) else {
        return nil
      }
      self.mark = mark
      count = marks.count
    }

    func isClosed(by line: ArraySlice<UInt8>) -> Bool {
      let marks = line.prefix { $0 == mark }
      return marks.count >= count && line[marks.endIndex...].allSatisfy { $0 == 0x20 }
    }
  }

  mutating func read(_ line: [UInt8]) {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 }
    if let fence {
      if fence.isClosed(by: content) { self.fence = nil } else { append(line) }
    } else if isInComment {
      readComment(line)
    } else if let fence = Fence(content) {
      self.fence = fence
    } else if content.isEmpty {
      isAfterBlank = !output.isEmpty
    } else if !content.isRule, !content.isTableRule {
      readBlock(line, content)
    }
  }

  private mutating func readComment(_ line: [UInt8]) {
    guard let end = line.firstRange(of: "-->".utf8) else { return }
    isInComment = false
    read(Array(line[end.upperBound...]))
  }

  private mutating func readBlock(_ line: [UInt8], _ content: ArraySlice<UInt8>) {
    var content = content
    while content.first == UInt8(ascii: ">") {
      content = content.dropFirst().drop { $0 == 0x20 }
    }
    content = content.withoutHeadingMarks
    var block: [UInt8] = []
    if content.beginsItem {
      block = Array(line.prefix { $0 == 0x20 || $0 == 0x09 }) + Array("• ".utf8)
      content = content.dropFirst(2)
    }
    var text = MarkdownLine(Array(content))
    text.read()
    isInComment = text.opensComment
    block += text.output
    if !block.isEmpty { append(block) }
  }

  private mutating func append(_ line: [UInt8]) {
    if !output.isEmpty { output.append(0x0A) }
    if isAfterBlank { output.append(0x0A) }
    isAfterBlank = false
    output += line
  }
}

extension ArraySlice<UInt8> {
  /// Three or more of one mark, and blanks: a thematic break, or the underline of a heading.
  fileprivate var isRule: Bool {
    guard let mark = first, "-=*_".utf8.contains(mark) else { return false }
    return allSatisfy { $0 == mark || $0 == 0x20 } && count { $0 == mark } >= 3
  }

  /// The delimiter row between the heading of a table and its rows.
  fileprivate var isTableRule: Bool {
    contains(UInt8(ascii: "|")) && contains(UInt8(ascii: "-")) && allSatisfy("|-: ".utf8.contains)
  }

  fileprivate var beginsItem: Bool {
    count > 1 && "-*+".utf8.contains(self[startIndex]) && self[startIndex + 1] == 0x20
  }

  /// `## Heading ##`
  fileprivate var withoutHeadingMarks: Self {
    let marks = prefix { $0 == UInt8(ascii: "#") }
    let rest = self[marks.endIndex...]
    guard 1...6 ~= marks.count, rest.first ?? 0x20 == 0x20 else { return self }
    let title = rest.drop { $0 == 0x20 }
    let end = title.lastIndex { $0 != UInt8(ascii: "#") && $0 != 0x20 } ?? title.startIndex - 1
    let closing = title[(end + 1)...]
    return closing.first == 0x20 || end < title.startIndex ? title[...end] : title
  }
}
