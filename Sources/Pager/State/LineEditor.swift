/// A line of editable text with readline's editing keys. Positions count characters (extended grapheme
/// clusters), so that a flag or a composed kana is one step.
package struct LineEditor: Sendable, Hashable {
  package private(set) var characters: [Character]
  package private(set) var position: Int
  /// The text of the last kill.
  private var killed: [Character] = []

  package init(_ text: String = "") {
    characters = Array(text)
    position = characters.count
  }

  package var text: String { String(characters) }
  package var textBeforeCaret: String { String(characters[..<position]) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Inserts typed or pasted text: line breaks and tabs become spaces, other control characters are dropped.
  package mutating func insert(_ text: some StringProtocol) {
    let clean = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
      switch scalar {
      case "\n", "\r", "\t": " "
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": nil
      default: scalar
      }
    }
    var before = String(characters[..<position])
    before.unicodeScalars.append(contentsOf: clean)
    // A combining mark joins the previous character, so the length is counted again rather than added.
    let after = characters[position...]
    let head = Array(before)
    characters = head + after
    position = head.count
  }

  package mutating func perform(_ edit: Edit) {
    switch edit {
    case .left: position = max(0, position - 1)
    case .right: position = min(characters.count, position + 1)
    case .wordLeft: position = wordStart
    case .wordRight: position = wordEnd
    case .home: position = 0
    case .end: position = characters.count
    case .deleteBackward: remove(max(0, position - 1)..<position)
    case .deleteForward: remove(position..<min(characters.count, position + 1))
    case .killToEnd: kill(position..<characters.count)
    case .killToStart: kill(0..<position)
    case .killWordBackward: kill(wordStart..<position)
    case .killWordForward: kill(position..<wordEnd)
    case .yank:
      characters.insert(contentsOf: killed, at: position)
      position += killed.count
    }
  }

  package enum Edit: Sendable, Hashable {
    case left, right, wordLeft, wordRight, home, end
    case deleteBackward, deleteForward
    case killToEnd, killToStart, killWordBackward, killWordForward
    case yank
  }

  private var wordStart: Int {
    var index = position
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = position
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return index
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    position = range.lowerBound
  }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = Array(characters[range])
    remove(range)
  }
}
