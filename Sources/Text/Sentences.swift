/// Joins the parts of a message.
package enum Sentences {
  /// The parts as sentences: each but the first starts with a capital letter, and each but the last ends with a
  /// punctuation mark: `connection refused by example.org. Is the service running?`
  ///
  /// - Parameter parts: Nil and empty parts are left out.
  package static func joined(_ parts: [String?]) -> String {
    var result = ""
    for case let part? in parts where !part.isEmpty {
      if result.isEmpty {
        result = part
      } else {
        let isEnded = result.last.map { ".?!".contains($0) } ?? true
        result += (isEnded ? " " : ". ") + part.prefix(1).uppercased() + part.dropFirst()
      }
    }
    return result
  }
}
