/// The secrets of a run, read once before its first request.
package struct Credentials: Sendable, Hashable {
  /// A secret and its origin (`env:GH_TOKEN`).
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
  /// Why the source's secrets are not used at all, for messages; nil if they are used.
  package var absence: String?

  package init(
    authorization: PlacedCredential? = nil, secrets: [String: Finding] = [:], absence: String? = nil
  ) {
    self.authorization = authorization
    self.secrets = secrets
    self.absence = absence
  }

  package var isEmpty: Bool { authorization == nil && secrets.isEmpty }

  /// The text with all of these secrets redacted.
  package func redacted(in text: String) -> String {
    let text = authorization?.redacted(in: text) ?? text
    return secrets.values.reduce(text) { $1.secret.redacted(in: $0) }
  }

  /// The origin of each secret.
  package var provenances: [String] {
    [authorization?.provenance].compactMap(\.self) + secrets.values.map(\.provenance).sorted()
  }
}
