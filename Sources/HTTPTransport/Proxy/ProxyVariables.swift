import Search

/// The proxy variables of an environment, read as curl does: in lower case before upper case, `http_proxy` for
/// http, `https_proxy` for https, `all_proxy` for both, `no_proxy` for exceptions.
struct ProxyVariables: Sendable {
  private let environment: [String: String]
  private let exceptions: ProxyExceptions

  init(_ environment: [String: String]) {
    self.environment = environment
    exceptions = ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  /// The proxy to an origin; nil for a direct connection, which this machine always gets.
  func server(for origin: Origin) throws(ProxyVariableError) -> ProxyServer? {
    if origin.hostClass == .loopback || exceptions.hold(origin.host) { return nil }
    guard let (name, value) = variable(for: origin.scheme) else { return nil }
    do {
      return try ProxyServer(value)
    } catch {
      throw ProxyVariableError(variable: name, error: error)
    }
  }

  /// The variable that counts for a scheme, with its value.
  func variable(for scheme: WebURL.Scheme) -> (name: String, value: String)? {
    for name in names(for: scheme) {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }

  /// In a CGI program `HTTP_PROXY` is the client's header field `Proxy`, so it is not to be trusted there.
  private func names(for scheme: WebURL.Scheme) -> [String] {
    let isCGI = environment["REQUEST_METHOD"] != nil
    switch scheme {
    case .http: return ["http_proxy"] + (isCGI ? [] : ["HTTP_PROXY"]) + ["all_proxy", "ALL_PROXY"]
    case .https: return ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    }
  }
}

/// A proxy variable that cannot be used.
struct ProxyVariableError: Error, CustomStringConvertible {
  var variable: String
  var error: ProxyError

  var description: String { "the variable \(variable): \(error)" }
}
