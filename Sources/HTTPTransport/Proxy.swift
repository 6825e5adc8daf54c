import AsyncHTTPClient
package import HTTPValues

/// A proxy from an environment variable.
package struct ProxyServer: Sendable, Hashable {
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

  var authorization: HTTPClient.Authorization { .basic(username: user, password: password.reveal()) }
}

extension ProxyServer: CustomStringConvertible {
  /// `proxy.example:3128`, for messages, without the login.
  package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// What is wrong with a proxy variable. No part of the value is shown, because a password may be anywhere in
/// it.
package enum ProxyError: Error, Sendable, Hashable, CustomStringConvertible {
  case kind
  case noHost
  case port

  package var description: String {
    switch self {
    case .kind: "only http:// and socks5:// proxies are supported"
    case .noHost: "it has no host"
    case .port: "its port is not a number from 1 to 65535"
    }
  }
}

/// The proxy variables of an environment, with curl's semantics: lowercase takes precedence over uppercase,
/// `http_proxy` is for http, `https_proxy` for https, `all_proxy` for both, `no_proxy` for exceptions.
package struct ProxyVariables: Sendable {
  private let environment: [String: String]
  private let exceptions: ProxyExceptions

  package init(_ environment: [String: String]) {
    self.environment = environment
    exceptions = ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  /// The proxy for an origin; nil for a direct connection, which is always used for this machine.
  func server(for origin: Origin) throws(ProxyVariableError) -> ProxyServer? {
    if origin.hostClass == .loopback || exceptions.hold(origin.host) { return nil }
    return try server(for: origin.scheme)?.server
  }

  /// The proxy for hosts that `no_proxy` does not name, and its variable; nil for a direct connection.
  package func server(
    for scheme: WebURL.Scheme
  ) throws(ProxyVariableError) -> (server: ProxyServer, variable: String)? {
    for name in names(for: scheme) {
      guard let value = environment[name], !value.isEmpty else { continue }
      do { return (try ProxyServer(value), name) } catch {
        throw ProxyVariableError(variable: name, error: error)
      }
    }
    return nil
  }

  /// Uppercase `HTTP_PROXY` is ignored, because in a CGI program it is the client's `Proxy` header field.
  private func names(for scheme: WebURL.Scheme) -> [String] {
    let isCGI = environment["REQUEST_METHOD"] != nil
    switch scheme {
    case .http: return ["http_proxy"] + (isCGI ? [] : ["HTTP_PROXY"]) + ["all_proxy", "ALL_PROXY"]
    case .https: return ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    }
  }
}

/// A proxy variable that is invalid.
package struct ProxyVariableError: Error, CustomStringConvertible {
  package let variable: String
  package let error: ProxyError

  package var description: String { "environment variable \(variable): \(error)" }
}

/// The hosts of `no_proxy`, parsed like curl does: names including their subdomains, addresses, networks such
/// as `10.0.0.0/8`, or `*` for everything, separated by commas or spaces.
struct ProxyExceptions: Sendable {
  private let entries: [Substring]

  init(_ text: String) {
    entries = text.lowercased().split { $0 == "," || $0.isWhitespace }
  }

  /// - Parameter host: In lowercase, an IPv6 address in brackets.
  func hold(_ host: String) -> Bool {
    if entries == ["*"] { return true }
    let host = Self.bare(host[...])
    if let address = IPAddress(host) {
      return entries.contains { IPNetwork(Self.bare($0))?.contains(address) ?? false }
    }
    return entries.contains { entry in
      let name = Self.bare(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  /// Removes brackets and a final dot.
  private static func bare(_ host: Substring) -> Substring {
    if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
      return host[..<end].dropFirst() + host[host.index(after: end)...]
    }
    return host.hasSuffix(".") ? host.dropLast() : host
  }
}
