/// Secrets are never written in a source: what looks like one is refused, and never repeated in a message.
package enum LiteralSecret {
  static let problem =
    "a secret has no place in a file; write [auth] with from = [\"env:NAME\"], \"cmd:PROGRAM\" or \"file:PATH\""

  /// Header fields that carry credentials by their name.
  package static func isLikely(header name: String) -> Bool {
    let name = name.lowercased()
    return headers.contains(name) || isLikely(words: name)
  }

  /// Query parameters that carry credentials by their name.
  package static func isLikely(parameter name: String) -> Bool { isLikely(words: name.lowercased()) }

  private static let headers: Set = ["authorization", "proxy-authorization", "cookie"]

  private static func isLikely(words name: String) -> Bool {
    let word = name.filter { $0 != "-" && $0 != "_" }
    return endings.contains { word.hasSuffix($0) }
  }

  private static let endings = ["apikey", "token", "secret", "password"]
}
