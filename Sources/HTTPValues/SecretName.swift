/// Names that suggest a credential.
package enum SecretName {
  /// Whether the name of a header field suggests a credential.
  package static func isLikely(header name: String) -> Bool {
    headers.contains(name.lowercased()) || isLikely(parameter: name)
  }

  /// Whether the name of a query parameter suggests a credential.
  package static func isLikely(parameter name: String) -> Bool {
    words.contains(word(name)) || isLikely(member: name)
  }

  /// Whether the name of a body field suggests a credential. `key` and `auth` do not, because bodies commonly use them
  /// for other things: `{"_key": "asc"}`.
  package static func isLikely(member name: String) -> Bool {
    let word = word(name)
    return endings.contains { word.hasSuffix($0) }
  }

  /// The name without word separators.
  private static func word(_ name: String) -> String { name.lowercased().filter { !"-_. ".contains($0) } }

  private static let headers: Set = ["authorization", "proxy-authorization", "cookie"]
  private static let words: Set = [
    "key", "xkey", "auth", "xauth", "pass", "pwd", "authorization", "sig", "signature", "session", "xsession",
    "sid",
  ]
  private static let endings = [
    "apikey", "authkey", "accesskey", "secretkey", "privatekey", "subscriptionkey", "appkey", "clientkey",
    "token", "jwt", "sessionid", "secret", "password", "passwd", "passphrase", "credential", "credentials",
  ]
}
