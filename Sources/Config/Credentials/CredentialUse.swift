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
    let own = authorization.map { authorization in
      CredentialUse(
        places: authorization.places, origin: origin, hosts: hosts, isOptional: authorization.isOptional)
    }
    return [own].compactMap { $0 }
      + secrets.map {
        CredentialUse(places: $0.from, origin: origin, hosts: hosts, isOptional: $0.isOptional)
      }
  }
}

extension Authorization {
  fileprivate var places: [SecretOrigin] {
    if case .basic(let userFrom) = scheme { userFrom + from } else { from }
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

/// Why a credential is not used. Every case names credentials by where they are read from, never by value.
package enum SecretProblem: Error, Sendable, Hashable {
  /// The source is not trusted, so credentials are not even looked up (exit status 78).
  case untrusted(Refusal, reason: String)
  /// An option changes the origin from the one the source was written for.
  case otherOrigin(Refusal, configured: Origin?)
  /// It would be sent unencrypted.
  case plainHTTP(Refusal)
  /// The value cannot be sent: a request cannot contain control characters, and a header no characters beyond
  /// ASCII.
  case unusable(Refusal, SecretOrigin)
  /// It is required but not found.
  case missing(Refusal, looked: [String])

  package struct Refusal: Sendable, Hashable {
    package let source: String
    package let provenance: SourceProvenance
    package let places: [SecretOrigin]
    package let origin: Origin

    init(_ entry: CatalogEntry, _ places: [SecretOrigin], _ origin: Origin) {
      source = entry.source.id
      provenance = entry.provenance
      self.places = places
      self.origin = origin
    }

    fileprivate var placesText: String { places.map(\.description).joined(separator: ", ") }
  }
}

extension SecretProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .untrusted(let refusal, let reason):
      """
      source \(refusal.source) would send \(refusal.placesText) to \(refusal.origin), \
      but \(refusal.provenance) \(reason). Add --trust to allow it
      """
    case .otherOrigin(let refusal, let configured?):
      """
      source \(refusal.source) sends \(refusal.placesText) to \(configured) only, not to \(refusal.origin). \
      Write a separate source for that origin, or list its host in auth.hosts
      """
    case .otherOrigin(let refusal, nil):
      """
      source \(refusal.source) has no fixed origin, so it does not send \(refusal.placesText) to \
      \(refusal.origin). Write a separate source for that origin, or list its host in auth.hosts
      """
    case .plainHTTP(let refusal):
      """
      source \(refusal.source) would send \(refusal.placesText) to \(refusal.origin) unencrypted. \
      Use https, or remove [auth]
      """
    case .unusable(let refusal, let place):
      """
      the credential from \(place) for source \(refusal.source) contains characters that cannot be sent. \
      Put only the credential on the first line
      """
    case .missing(let refusal, let looked):
      """
      source \(refusal.source) needs a credential for \(refusal.origin), but none was found: \
      \(looked.joined(separator: ", "))
      """
    }
  }
}
