import Search
private import Text

/// Phrases shared by messages.
enum Wording {
  /// A value of the file, quoted, and limited to one line in form and length.
  static func quoted(_ text: String) -> String {
    JSONText.quoted(text.count > 60 ? text.prefix(60) + "…" : text)
  }

  /// The message for a word that is not among the allowed ones.
  static func badChoice(_ word: String, among words: [String]) -> String {
    let expected = words.map { "\"\($0)\"" }.joined(separator: ", ")
    let near = NearestName.nearest(to: word, among: words).first.map { ". Did you mean \"\($0)\"?" } ?? ""
    return "expected one of \(expected), found \(quoted(word))\(near)"
  }

  /// `did you mean "first"?`, or a list of all names.
  static func suggestion(for name: String, among names: [String]) -> String {
    let near = NearestName.nearest(to: name, among: names)
    if near.isEmpty { return "Expected \(names.count == 1 ? "" : "one of ")\(names.joined(separator: ", "))" }
    return "Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
  }
}

/// A problem with a value, without its position.
struct ValueProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
