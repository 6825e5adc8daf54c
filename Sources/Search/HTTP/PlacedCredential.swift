/// A credential and its place in a request.
package struct PlacedCredential: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// A header; the secret already includes its prefix (`Bearer …`).
    case header(String)
    /// A query parameter, added only if the URL does not have it yet.
    case query(String)
  }

  package let place: Place
  package let secret: Secret
  /// The origin of the secret (`env:GH_TOKEN`), for messages.
  package let provenance: String

  package init(place: Place, secret: Secret, provenance: String) {
    self.place = place
    self.secret = secret
    self.provenance = provenance
  }

  /// The text with the secret redacted. A secret too short to be searched for is redacted only in the form of
  /// this credential: `name=value`, `Name: value`.
  package func redacted(in text: String) -> String {
    var text = text
    for start in labels {
      text = text.replacing(start + spelling, with: start + secret.description)
    }
    return secret.redacted(in: text)
  }

  private var labels: [String] {
    switch place {
    case .header(let name): [name, name.lowercased()].flatMap { ["\($0): ", "\($0):"] }
    case .query(let name): ["\(PercentEncoding.encoded(name))="]
    }
  }

  private var spelling: String {
    switch place {
    case .header: secret.reveal()
    case .query: PercentEncoding.encoded(secret.reveal())
    }
  }
}
