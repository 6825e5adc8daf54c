import Search

/// The proxy variables of an environment, with curl's semantics: lowercase takes precedence over uppercase,
/// `http_proxy` is for http, `https_proxy` for https, `all_proxy` for both, `no_proxy` for exceptions.
struct ProxyVariables: Sendable {
  private let environment: [String: String]
  private let exceptions: ProxyExceptions

  init(_ environment: [String: String]) {
    self.environment = environment
    exceptions = ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  /// The proxy for an origin; nil for a direct connection, which is always used for this machine.
  func server(for origin: Origin) throws(ProxyVariableError) -> ProxyServer? {
    if origin.hostClass == .loopback || exceptions.hold(origin.host) { return nil }
    guard let (name, value) = variable(for: origin.scheme) else { return nil }
    do {
      return try ProxyServer(value)
    } catch {
      throw ProxyVariableError(variable: name, error: error)
    }
  }

  /// The variable in effect for a scheme, with its value.
  func variable(for scheme: WebURL.Scheme) -> (name: String, value: String)? {
    for name in names(for: scheme) {
      if let value = environment[name], !value.isEmpty { return (name, value) }
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
struct ProxyVariableError: Error, CustomStringConvertible {
  var variable: String
  var error: ProxyError

  var description: String { "environment variable \(variable): \(error)" }
}
