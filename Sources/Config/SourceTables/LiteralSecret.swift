/// Secrets are never written in a source: what looks like one is refused, and never repeated in a message.
package enum LiteralSecret {
  static let problem =
    "a secret has no place in a file; write [auth] with from = [\"env:NAME\"], \"cmd:PROGRAM\" or \"file:PATH\""

  /// Whether a header field carries a credential by its name.
  package static func isLikely(header name: String) -> Bool {
    headers.contains(name.lowercased()) || isLikely(parameter: name)
  }

  /// Whether a query parameter carries a credential by its name.
  package static func isLikely(parameter name: String) -> Bool {
    words.contains(word(name)) || isLikely(member: name)
  }

  /// Whether a member of a body carries a credential by its name. `key` and `auth` are common names there for what is no
  /// secret, `{"_key": "asc"}`.
  package static func isLikely(member name: String) -> Bool {
    let word = word(name)
    return endings.contains { word.hasSuffix($0) }
  }

  /// Without what divides its words.
  private static func word(_ name: String) -> String {
    name.lowercased().filter { !"-_. ".contains($0) }
  }

  private static let headers: Set = ["authorization", "proxy-authorization", "cookie"]
  private static let words: Set = ["key", "xkey", "auth", "xauth", "pass", "pwd", "authorization"]
  private static let endings = [
    "apikey", "authkey", "accesskey", "secretkey", "privatekey", "subscriptionkey", "appkey", "clientkey",
    "token", "secret", "password", "passwd", "passphrase", "credential", "credentials",
  ]
}
