/// A credential. It has no description: interpolating, printing, or dumping it shows `<secret>`.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String
  /// The secrets it is composed of; the value itself unless it is known to contain other text.
  private let cores: [String]

  package init(_ value: String) {
    self.value = value
    cores = [value]
  }

  /// Creates a string that contains secrets. Both the secrets and the whole string are confidential.
  package init(_ text: String, containing secrets: [Secret]) {
    value = text
    cores = secrets.flatMap(\.cores)
  }

  /// The strings that must not be shown.
  package var confidentialParts: [String] { [value] + cores }

  /// The credential itself, for the one place that sends it.
  package func reveal() -> String { value }

  package var description: String { "<secret>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A credential and its place in a request.
package struct PlacedCredential: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// A header; the secret already includes its prefix (`Bearer …`).
    case header(String)
    /// A query parameter, added only if the URL does not have it yet.
    case query(String)
    /// A field of a JSON body, at any depth; the secret is its value.
    case member(String)
    /// A field of a form body.
    case field(String)

    /// Whether the credential is sent as a part of `HTTPRequest.confidentialBody`.
    package var isInBody: Bool {
      switch self {
      case .header, .query: false
      case .member, .field: true
      }
    }
  }

  package let place: Place
  package let secret: Secret
  /// Where the secret was read from (`env:GH_TOKEN`), for messages.
  package let provenance: String

  package init(place: Place, secret: Secret, provenance: String) {
    self.place = place
    self.secret = secret
    self.provenance = provenance
  }
}

/// The secrets of a run, read once before its first request.
package struct ResolvedCredentials: Sendable, Hashable {
  /// A secret and where it was read from (`env:GH_TOKEN`).
  package struct Finding: Sendable, Hashable {
    package let secret: Secret
    package let provenance: String

    package init(secret: Secret, provenance: String) {
      self.secret = secret
      self.provenance = provenance
    }
  }

  /// The credential that `[auth]` adds to each request.
  package var authorization: PlacedCredential?
  /// The values of `{secret:NAME}` by name; the part of the request that contains a missing one is left out.
  package var secrets: [String: Finding]
  /// The reason why the source's secrets are not used, for messages; nil if they are used.
  package var absence: String?

  package init(
    authorization: PlacedCredential? = nil, secrets: [String: Finding] = [:], absence: String? = nil
  ) {
    self.authorization = authorization
    self.secrets = secrets
    self.absence = absence
  }

  /// Whether one of them begins and ends with a quote, which no service issues.
  package var isQuoted: Bool {
    let secrets = [authorization?.secret].compactMap(\.self) + self.secrets.values.map(\.secret)
    return secrets.contains { secret in
      // Without a prefix such as "Bearer ".
      let text = secret.reveal().split(separator: " ").last ?? ""
      return text.count > 1 && ["\"", "'"].contains { text.hasPrefix($0) && text.hasSuffix($0) }
    }
  }

  /// Those that others have a value for.
  package func limited(to others: ResolvedCredentials) -> ResolvedCredentials {
    var result = self
    if others.authorization == nil { result.authorization = nil }
    result.secrets = secrets.filter { others.secrets[$0.key] != nil }
    return result
  }

  /// Where each secret was read from.
  package var provenances: [String] {
    [authorization?.provenance].compactMap(\.self) + secrets.values.map(\.provenance).sorted()
  }
}
