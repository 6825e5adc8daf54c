/// Why a text is not a URL that can be requested.
package struct WebURLError: Error, Sendable, Hashable {
  package enum Reason: Error, Sendable, Hashable {
    case empty
    case controlCharacter
    case noScheme
    case notHTTP(scheme: String)
    case noHost
    case nonASCIIHost(String)
    case invalidHost(String)
    case invalidPort(String)
  }

  package let reason: Reason
  /// The text without a possible user name and password, truncated to 200 scalars.
  package let url: String

  init(_ reason: Reason, in text: String) {
    self.reason = reason
    url = Self.withoutUserinfo(text).cut(after: 200)
  }

  /// Removes too much rather than too little, because a password may contain a slash.
  private static func withoutUserinfo(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let beforeQuery = scalars.prefix { $0 != "?" && $0 != "#" }
    guard let at = beforeQuery.lastIndex(of: "@") else { return text }
    return "…" + String(scalars[at...])
  }
}

extension WebURLError: CustomStringConvertible {
  package var description: String { "invalid URL \(JSONText.quoted(url)): \(reason)" }
}

extension WebURLError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "it is empty"
    case .controlCharacter: "it contains a control character"
    case .noScheme: "it does not start with http:// or https://"
    case .notHTTP(let scheme):
      "only http and https are supported, not \(JSONText.quoted(scheme.cut(after: 60)))"
    case .noHost: "it has no host"
    case .nonASCIIHost(let host):
      "the host \(JSONText.quoted(host.cut(after: 60))) is not ASCII (use its punycode form, xn--…)"
    case .invalidHost(let host): "\(JSONText.quoted(host.cut(after: 60))) is not a host name or address"
    case .invalidPort(let port):
      "the port \(JSONText.quoted(port.cut(after: 60))) is not a number from 1 to 65535"
    }
  }
}

extension String {
  /// A hostile reply must not fill a message.
  fileprivate func cut(after limit: Int) -> String {
    let head = unicodeScalars.prefix(limit)
    return head.endIndex == endIndex ? self : String(head) + "…"
  }
}
