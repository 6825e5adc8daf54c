package import HTTPValues
package import Search

/// A credential that a source may send: where it is read from and where it is sent, without its value.
package struct CredentialUse: Sendable, Hashable {
  package let places: [SecretOrigin]
  /// Nil if it depends on an option without a default.
  package let origin: Origin?
  /// Other hosts it may be sent to.
  package let hosts: [String]
  package let isOptional: Bool
}

extension Source {
  /// The credentials the source may use, with the origin in its document.
  package var credentialUses: [CredentialUse] {
    let origin = origin(options: [:])
    let hosts = authorization?.hosts ?? []
    let own = authorization.map {
      CredentialUse(places: $0.secretOrigins, origin: origin, hosts: hosts, isOptional: $0.isOptional)
    }
    return [own].compactMap { $0 }
      + secrets.map {
        CredentialUse(places: $0.from, origin: origin, hosts: hosts, isOptional: $0.isOptional)
      }
  }
}

extension CredentialUse: CustomStringConvertible {
  /// `env:GH_TOKEN, cmd:gh auth token to https://api.github.com (optional)`
  package var description: String {
    let places = places.map(\.description).joined(separator: ", ")
    let targets = [origin.map { "\($0)" } ?? "the address in an option"] + hosts
    return "\(places) to \(targets.joined(separator: " and "))\(isOptional ? " (optional)" : "")"
  }
}
