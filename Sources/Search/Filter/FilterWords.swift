/// The words of a filter: separated by blanks, except between quotes. An unclosed quote extends to the end.
enum FilterWords {
  struct Word: Hashable {
    var text = ""
    var isExcluding = false
    /// The text before the first colon outside quotes, if it can be a column name.
    var column: String?
    /// The text after that colon.
    var rest = ""
  }

  static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var word = Word()
    var isQuoted = false
    var hasBegun = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        hasBegun = true
      case " " where !isQuoted, "\t" where !isQuoted:
        if hasBegun { words.append(word) }
        (word, hasBegun) = (Word(), false)
      case "-" where !hasBegun && !word.isExcluding:
        word.isExcluding = true
      default:
        word.append(character, isQuoted: isQuoted)
        hasBegun = true
      }
    }
    if hasBegun { words.append(word) }
    return words
  }
}

extension FilterWords.Word {
  fileprivate mutating func append(_ character: Character, isQuoted: Bool) {
    if column != nil {
      rest.append(character)
    } else if character == ":", !isQuoted, !text.isEmpty, text.unicodeScalars.allSatisfy(Self.isNameScalar) {
      column = text
    }
    text.append(character)
  }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9", "_": true
    default: false
    }
  }
}
