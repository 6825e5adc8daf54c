import Search

/// A proxy from an environment variable.
struct ProxyServer: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case http, socks5 }

  struct Login: Sendable, Hashable {
    var user: String
    var password: Secret
  }

  var kind: Kind
  var host: String
  var port: Int
  var login: Login?

  /// Parses `http://user:password@host:port`; scheme, login and port (default 1080, as in curl) are optional.
  init(_ text: String) throws(ProxyError) {
    var rest = text[...]
    if let end = rest.firstRange(of: "://") {
      let scheme = rest[..<end.lowerBound].lowercased()
      rest = rest[end.upperBound...]
      switch scheme {
      case "http": kind = .http
      case "socks5", "socks5h": kind = .socks5
      default: throw .kind
      }
    } else {
      kind = .http
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let at = authority.lastIndex(of: "@")
    login = at.map { Login(authority[..<$0]) }
    (host, port) = try Self.hostAndPort(at.map { authority[authority.index(after: $0)...] } ?? authority)
  }

  private static func hostAndPort(_ text: Substring) throws(ProxyError) -> (String, Int) {
    let portMark = text.lastIndex { $0 == ":" || $0 == "]" }.flatMap { text[$0] == ":" ? $0 : nil }
    let host = portMark.map { text[..<$0] } ?? text
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    guard !bare.isEmpty else { throw .noHost }
    guard let portMark else { return (String(bare), 1080) }
    let digits = text[text.index(after: portMark)...]
    guard let port = Int(digits), (1...65_535).contains(port) else { throw .port }
    return (String(bare), port)
  }
}

extension ProxyServer.Login {
  fileprivate init(_ userinfo: Substring) {
    let user = userinfo.prefix { $0 != ":" }
    self.user = PercentEncoding.decoded(user)
    password = Secret(PercentEncoding.decoded(userinfo.dropFirst(user.count + 1)))
  }
}

extension ProxyServer: CustomStringConvertible {
  /// `proxy.example:3128`, for messages, without the login.
  var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// What is wrong with a proxy variable. No part of the value is shown, because a password may be anywhere in
/// it.
enum ProxyError: Error, Sendable, Hashable {
  case kind
  case noHost
  case port
}

extension ProxyError: CustomStringConvertible {
  var description: String {
    switch self {
    case .kind: "only http:// and socks5:// proxies are supported"
    case .noHost: "it has no host"
    case .port: "its port is not a number from 1 to 65535"
    }
  }
}
