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

  /// The content of a code span, unchanged except that one blank is removed from both sides.
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
