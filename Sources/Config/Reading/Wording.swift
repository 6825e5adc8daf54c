import Search
private import Text

/// Phrases that problems share.
enum Wording {
  /// A value of the file: in quotes, on one line, not longer than a line.
  static func quoted(_ text: String) -> String {
    JSONText.quoted(text.count > 60 ? text.prefix(60) + "…" : text)
  }

  /// For a word that is none of those possible.
  static func badChoice(_ word: String, among words: [String]) -> String {
    let expected = words.map { "\"\($0)\"" }.joined(separator: ", ")
    let near = NearestName.nearest(to: word, among: words).first.map { "; did you mean \"\($0)\"?" } ?? ""
    return "expected one of \(expected), found \(quoted(word))\(near)"
  }

  /// `did you mean "first"?`, or all there is.
  static func suggestion(for name: String, among names: [String]) -> String {
    let near = NearestName.nearest(to: name, among: names)
    if near.isEmpty { return "expected \(names.joined(separator: ", "))" }
    return "did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
  }
}

/// What is wrong with one value, without its place.
struct ValueProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
