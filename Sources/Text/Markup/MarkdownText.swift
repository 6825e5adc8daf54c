/// Converts Markdown to plain text: headings, quotes, and emphasis lose their marks, links and images keep their text,
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

private struct MarkdownReader {
  private(set) var output: [UInt8] = []
  private var fence: Fence?
  private var isInComment = false
  private var isAfterBlank = false

  private struct Fence {
    let mark: UInt8
    let count: Int

    /// Parses three or more backticks or tildes; after backticks, no other backtick may follow in the line.
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
    while content.first == UInt8(ascii: ">") { content = content.dropFirst().drop { $0 == 0x20 } }
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
  /// Whether the line consists of three or more of one mark, and spaces: a thematic break, or the underline of a
  /// heading.
  fileprivate var isRule: Bool {
    guard let mark = first, "-=*_".utf8.contains(mark) else { return false }
    return allSatisfy { $0 == mark || $0 == 0x20 } && count { $0 == mark } >= 3
  }

  /// Whether the line is the delimiter row between the heading of a table and its rows.
  fileprivate var isTableRule: Bool {
    contains(UInt8(ascii: "|")) && contains(UInt8(ascii: "-")) && allSatisfy("|-: ".utf8.contains)
  }

  fileprivate var beginsItem: Bool {
    count > 1 && "-*+".utf8.contains(self[startIndex]) && self[startIndex + 1] == 0x20
  }

  /// The heading text of `## Heading ##`.
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

/// Converts one line of Markdown to text, reading its inline marks from left to right. Each byte is read a
/// bounded number of times.
struct MarkdownLine {
  /// A byte that is not valid in UTF-8. It replaces marks that are removed at the end.
  private static let dropped: UInt8 = 0xFF

  private let bytes: [UInt8]
  private var tags: HTMLTagScanner
  private let pairs: MarkdownPairs
  private let lastGreater: Int
  private var index = 0
  private var text: [UInt8] = []
  /// The ranges of brackets in `text` that may begin a link, including the `!` of an image.
  private var brackets: [Range<Int>] = []
  private var openers: [UInt8: [Range<Int>]] = [:]
  /// Whether an HTML comment continues on the next line.
  private(set) var opensComment = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tags = HTMLTagScanner(bytes)
    pairs = MarkdownPairs(bytes)
    lastGreater = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    text.reserveCapacity(bytes.count)
  }

  var output: [UInt8] { text.filter { $0 != Self.dropped } }

  mutating func read() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): readEscape()
      case UInt8(ascii: "`"): readCode()
      case UInt8(ascii: "!") where byte(at: index + 1) == UInt8(ascii: "["): openBracket(length: 2)
      case UInt8(ascii: "["): openBracket(length: 1)
      case UInt8(ascii: "]"): closeBracket()
      case UInt8(ascii: "<"): readTag()
      case UInt8(ascii: "&"): readReference()
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): readEmphasis()
      default: copy(1)
      }
    }
  }

  private func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  private mutating func copy(_ count: Int) {
    text += bytes[index..<index + count]
    index += count
  }

  private mutating func readEscape() {
    if let next = byte(at: index + 1), next.isASCIIPunctuation { index += 1 }
    copy(1)
  }

  /// Reads the content of a code span, unchanged except that one space is removed from both sides.
  private mutating func readCode() {
    let run = bytes[index...].prefix { $0 == UInt8(ascii: "`") }
    guard let close = pairs.closingCode[index] else { return copy(run.count) }
    var content = bytes[run.endIndex..<close]
    if content.first == 0x20, content.last == 0x20, content.contains(where: { $0 != 0x20 }) {
      content = content.dropFirst().dropLast()
    }
    text += content
    index = close + run.count
  }

  private mutating func openBracket(length: Int) {
    brackets.append(text.count..<text.count + length)
    copy(length)
  }

  /// `[text](address)` and `[text][name]` become their text; brackets alone are unchanged.
  private mutating func closeBracket() {
    guard let open = brackets.popLast(), let end = endOfLink else { return copy(1) }
    for place in open { text[place] = Self.dropped }
    index = end
  }

  /// The index after the URL or name that follows a closing bracket.
  private var endOfLink: Int? {
    switch byte(at: index + 1) {
    case UInt8(ascii: "("): pairs.closingParenthesis[index + 1].map { $0 + 1 }
    case UInt8(ascii: "["): bytes[(index + 2)...].firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    default: nil
    }
  }

  /// `<https://example.org>` becomes its URL, and a tag is removed; an unclosed `<` is text.
  private mutating func readTag() {
    if bytes[index...].starts(with: "<!--".utf8) { return readComment() }
    guard index < lastGreater, let tag = tags.tag(at: index), bytes[tag.end - 1] == UInt8(ascii: ">") else {
      return copy(1)
    }
    let content = bytes[index + 1..<tag.end - 1]
    let isAddress =
      content.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "@") } && !content.contains(0x20)
    if isAddress { text += content }
    if tag.name == "br" { text.append(0x0A) }
    index = tag.end
  }

  private mutating func readComment() {
    if let end = bytes[(index + 4)...].firstRange(of: "-->".utf8) {
      index = end.upperBound
    } else {
      opensComment = true
      index = bytes.count
    }
  }

  private mutating func readReference() {
    guard let reference = HTMLReference(in: bytes, at: index) else { return copy(1) }
    text += String(reference.scalar).utf8
    index = reference.end
  }
}

// MARK: Emphasis

extension MarkdownLine {
  /// Removes a run of `*`, `_`, or `~~` that closes emphasis, and the run that opened it; other runs are
  /// unchanged.
  private mutating func readEmphasis() {
    let mark = bytes[index]
    let run = MarkdownRun(bytes, at: index)
    var marks = text.count..<text.count + run.count
    copy(run.count)
    guard mark != UInt8(ascii: "~") || run.count == 2 else { return }
    while run.canClose, !marks.isEmpty, let open = openers[mark]?.popLast() {
      let count = min(open.count, marks.count)
      for place in open.suffix(count) { text[place] = Self.dropped }
      for place in marks.prefix(count) { text[place] = Self.dropped }
      marks = marks.dropFirst(count)
      if open.count > count { openers[mark]?.append(open.dropLast(count)) }
    }
    if run.canOpen, !marks.isEmpty { openers[mark, default: []].append(marks) }
  }
}

/// Whether a run of marks can begin or end emphasis (CommonMark, section 6.2).
private struct MarkdownRun {
  let count: Int
  let canOpen: Bool
  let canClose: Bool

  init(_ bytes: [UInt8], at start: Int) {
    let mark = bytes[start]
    let end = bytes[start...].firstIndex { $0 != mark } ?? bytes.count
    let before = start == 0 ? 0x20 : bytes[start - 1]
    let after = end == bytes.count ? 0x20 : bytes[end]
    let isLeft = !after.isBlank && (!after.isASCIIPunctuation || before.isBlank || before.isASCIIPunctuation)
    let isRight = !before.isBlank && (!before.isASCIIPunctuation || after.isBlank || after.isASCIIPunctuation)
    let isInWord = mark == UInt8(ascii: "_") && isLeft && isRight
    count = end - start
    canOpen = isLeft && (!isInWord || before.isASCIIPunctuation)
    canClose = isRight && (!isInWord || after.isASCIIPunctuation)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  fileprivate var isASCIIPunctuation: Bool { 0x21...0x7E ~= self && !isASCIILetterOrDigit }
}

/// The matching marks of a line, found in one pass, so that an unclosed mark costs no search.
struct MarkdownPairs {
  /// For each closed run of backticks, the start of the closing run.
  private(set) var closingCode: [Int: Int] = [:]
  /// For each closed parenthesis, the index of the closing one.
  private(set) var closingParenthesis: [Int: Int] = [:]

  init(_ bytes: [UInt8]) {
    var open: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "(") { open.append(index) }
      if byte == UInt8(ascii: ")"), let start = open.popLast() { closingParenthesis[start] = index }
    }
    // A run of backticks is closed by the next run of the same length.
    var last: [Int: Int] = [:]
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "`")) {
      index = bytes[start...].firstIndex { $0 != UInt8(ascii: "`") } ?? bytes.count
      if let open = last.updateValue(start, forKey: index - start) { closingCode[open] = start }
    }
  }
}
