package import Terminal

extension LineEditor {
  /// Handles an editing key; false if the key has no meaning in a line of text.
  package mutating func handle(_ key: Key) -> Bool {
    if let text = key.text {
      insert(String(text))
      return true
    }
    guard let edit = Self.edits[key] else { return false }
    perform(edit)
    return true
  }

  private static let edits: [Key: Edit] = [
    Key("a", .ctrl): .home, Key(.home): .home, Key("e", .ctrl): .end, Key(.end): .end,
    Key("b", .ctrl): .left, Key(.left): .left, Key("f", .ctrl): .right, Key(.right): .right,
    Key("b", .alt): .wordLeft, Key("f", .alt): .wordRight, Key(.left, .ctrl): .wordLeft,
    Key(.right, .ctrl): .wordRight, Key(.backspace): .deleteBackward, Key("h", .ctrl): .deleteBackward,
    Key(.delete): .deleteForward, Key("k", .ctrl): .killToEnd, Key("u", .ctrl): .killToStart,
    Key("w", .ctrl): .killWordBackward, Key(.backspace, .alt): .killWordBackward,
    Key("d", .alt): .killWordForward, Key("y", .ctrl): .yank,
  ]
}
