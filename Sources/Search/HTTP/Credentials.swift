/// The secrets of one run, found once, before its first request.
package struct Credentials: Sendable, Hashable {
  /// A secret and where it came from (`env:GH_TOKEN`).
  package struct Finding: Sendable, Hashable {
    package let secret: Secret
    package let provenance: String

    package init(secret: Secret, provenance: String) {
      self.secret = secret
      self.provenance = provenance
    }
  }

  /// What `[auth]` adds to each request.
  package var authorization: PlacedCredential?
  /// What `{secret:NAME}` stands for, by name; one that is missing leaves out what it stands in.
  package var secrets: [String: Finding]
  /// Why the source's secrets are not used at all, for messages; nil when they may be.
  package var absence: String?

  package init(
    authorization: PlacedCredential? = nil, secrets: [String: Finding] = [:], absence: String? = nil
  ) {
    self.authorization = authorization
    self.secrets = secrets
    self.absence = absence
  }

  package var isEmpty: Bool { authorization == nil && secrets.isEmpty }

  /// A text without any of them.
  package func redacted(in text: String) -> String {
    let text = authorization?.redacted(in: text) ?? text
    return secrets.values.reduce(text) { $1.secret.redacted(in: $0) }
  }

  /// Where each of them came from.
  package var provenances: [String] {
    [authorization?.provenance].compactMap(\.self) + secrets.values.map(\.provenance).sorted()
  }
}
