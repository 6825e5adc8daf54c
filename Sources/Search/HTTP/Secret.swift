/// A credential. It has no description: interpolating, printing or dumping one shows `<secret>`.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String

  package init(_ value: String) { self.value = value }

  /// The credential itself, for the one place that puts it on the wire.
  package func reveal() -> String { value }

  /// A text without this secret, with and without the prefix it is sent with. Secrets shorter than 8 bytes
  /// are left: their text may occur anywhere.
  package func redacted(in text: String) -> String {
    var result = text
    let words = [value] + value.split(separator: " ").suffix(1).map(String.init)
    for word in words + words.map(PercentEncoding.encoded) where word.utf8.count >= 8 {
      result = result.replacing(word, with: description)
    }
    return result
  }

  package var description: String { "<secret>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A credential together with its place in a request.
package struct PlacedCredential: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// A header; the secret already carries its prefix (`Bearer …`).
    case header(String)
    /// A query parameter, added only when the address does not have it yet.
    case query(String)
  }

  package let place: Place
  package let secret: Secret
  /// Where the secret came from (`GH_TOKEN`), for messages.
  package let provenance: String

  package init(place: Place, secret: Secret, provenance: String) {
    self.place = place
    self.secret = secret
    self.provenance = provenance
  }
}
