private import Search

/// The proxy for services of one scheme according to the environment, for reports; contains no login.
package struct ProxyChoice: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// The environment variable in effect; nil for a direct connection.
  package let variable: String?
  /// `proxy.example:3128`; nil for a direct connection, or if the variable is invalid.
  package let server: String?
  /// Why the variable is invalid.
  package let problem: String?

  /// The choices for all hosts that `no_proxy` does not name.
  package static func all(environment: [String: String]) -> [ProxyChoice] {
    let variables = ProxyVariables(environment)
    return [WebURL.Scheme.http, .https].map { scheme in
      guard let (name, value) = variables.variable(for: scheme) else {
        return ProxyChoice(scheme: scheme.rawValue, variable: nil, server: nil, problem: nil)
      }
      do throws(ProxyError) {
        let server = try ProxyServer(value).description
        return ProxyChoice(scheme: scheme.rawValue, variable: name, server: server, problem: nil)
      } catch {
        return ProxyChoice(scheme: scheme.rawValue, variable: name, server: nil, problem: "\(error)")
      }
    }
  }
}
