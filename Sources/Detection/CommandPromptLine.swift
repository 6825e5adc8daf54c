/// A command line as browsers copy it for the command prompt of Windows (cmd.exe): `^` escapes the next character, at
/// the end of a line it continues the command, and only double quotes group words.
enum CommandPromptLine {
  /// The same command for a POSIX shell; nil if the text is not for cmd.exe.
  static func forShell(_ text: String) -> String? {
    guard text.contains(/\^(\r?\n|["&%{}|<>])/), !text.contains("'") else { return nil }
    return words(of: withoutCarets(text)).map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(
      separator: " ")
  }

  private static func withoutCarets(_ text: String) -> String {
    var result = ""
    var rest = text.replacing("\r\n", with: "\n")[...]
    while let caret = rest.firstIndex(of: "^") {
      result += rest[..<caret]
      rest = rest[caret...].dropFirst()
      if let next = rest.popFirst() { result.append(next == "\n" ? " " : next) }
    }
    return result + rest
  }

  /// The words as programs of Windows read them: in quotes, `\"` is a quote.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\" where rest.first == "\"":
        rest.removeFirst()
        word = (word ?? "") + "\""
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case let blank where blank.isWhitespace && !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
