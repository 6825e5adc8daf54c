private import Search

/// The way to services of one scheme, as the environment says it; for reports, without any login.
package struct ProxyChoice: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// The variable that counts; nil for a direct connection.
  package let variable: String?
  /// `proxy.example:3128`; nil for a direct connection, or when the variable cannot be used.
  package let server: String?
  /// Why not.
  package let problem: String?

  /// The choices for services anywhere but those that `no_proxy` names.
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
