/// The words that a shell passes to the program from a line of help: up to a pipe or a redirection, without quotes
/// and without a remark after two spaces.
enum ShellWords {
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    let command = line.drop { $0 == " " }.split(separator: "  ").first ?? ""
    for character in command {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return Array(words.drop { $0 == "riffle" }.prefix { !["|", "||", "&&", ">", "<", ";"].contains($0) })
  }
}
