import JSON
private import Text

/// A credential. It has no description: interpolating, printing, or dumping it shows `<secret>`.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String
  /// The confidential parts of the value: all of it, unless it is known to be composed of secrets and other
  /// text.
  private let cores: [String]
  /// The forms to search for, computed once: a run has few secrets and many texts.
  private let forms: WordSearch
  private let cutForms: TruncatedWords

  package init(_ value: String) { self.init(value, cores: [value]) }

  private init(_ value: String, cores: [String]) {
    self.value = value
    self.cores = cores.filter { !$0.isEmpty }
    let words = SecretForms.forms(of: [value] + self.cores)
    forms = WordSearch(words)
    cutForms = TruncatedWords(words)
  }

  /// A text that contains secrets. Only they are confidential, not the rest of the text.
  package init(_ text: String, containing secrets: [Secret]) {
    self.init(text, cores: secrets.flatMap(\.cores))
  }

  /// The secret after its prefix in a header, `Bearer `.
  package func prefixed(by prefix: String) -> Secret { Secret(prefix + value, cores: cores) }

  /// User name and password as the value of an `Authorization` header (RFC 7617).
  package static func basic(user: Secret, password: Secret) -> Secret {
    let pair = "\(user.value):\(password.value)"
    let encoded = Base64.encoded(pair)
    return Secret("Basic \(encoded)", cores: [encoded, pair] + password.cores + user.cores)
  }

  /// The credential itself, for the one place that sends it.
  package func reveal() -> String { value }

  /// A text with this secret redacted in every form in which it may be repeated: as sent, percent-encoded, in
  /// Base64 (including within a longer text), with JSON or HTML escapes, and, where the text was truncated
  /// (`…`), the remaining part of it. Secrets shorter than 8 bytes are not redacted, because their text may
  /// occur by chance.
  package func redacted(in text: String) -> String {
    if forms.words.isEmpty { return text }
    let bytes = Array(text.utf8)
    let mark = Array(description.utf8)
    var redacted: [UInt8] = []
    var end = 0
    for place in places(in: bytes).sorted(by: { $0.lowerBound < $1.lowerBound }) where place.upperBound > end
    {
      if place.lowerBound >= end { redacted += bytes[end..<place.lowerBound] + mark }
      end = place.upperBound
    }
    return end == 0 ? text : String(decoding: redacted + bytes[end...], as: UTF8.self)
  }

  /// The ranges that spell the secret. Double escapes, such as a URL in a JSON string, are found by decoding
  /// the text.
  private func places(in text: [UInt8], depth: Int = 0) -> [Range<Int>] {
    let found = forms.places(in: text) + cutForms.parts(in: text)
    let plain = EscapedText(text)
    guard plain.hasEscapes, depth < Self.mostEscapes else { return found }
    return found + places(in: plain.bytes, depth: depth + 1).map { plain.place(of: $0) }
  }

  private static let mostEscapes = 2

  package var description: String { "<secret>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The spellings in which a text may repeat a secret.
private enum SecretForms {
  /// A shorter secret, in bytes, is not searched for.
  private static let shortest = 8

  static func forms(of words: [String]) -> [[UInt8]] {
    let forms = words.filter { $0.utf8.count >= shortest }.flatMap { word in
      let quoted = String(JSONText.quoted(word).dropFirst().dropLast())
      let percent = PercentEncoding.encoded(word)
      let base64 = Base64.encoded(word)
      return [
        // Host names are written in lower case.
        word, word.lowercased(), quoted, quoted.replacing("/", with: "\\/"), percent,
        lowercasedEscapes(percent),
        percent.replacing("%20", with: "+"), base64, String(base64.prefix { $0 != "=" }),
        base64.replacing("+", with: "-").replacing("/", with: "_"), PercentEncoding.encoded(base64),
      ] + withinBase64(word)
    }
    return Set(forms).sorted().map { Array($0.utf8) }
  }

  /// The digits that a word produces in the Base64 of any text that contains it, for each of the three
  /// alignments. The digits at both ends are left out, because they depend on the adjacent bytes.
  private static func withinBase64(_ word: String) -> [String] {
    (0..<3).flatMap { offset in
      let whole = Base64.encoded(String(repeating: "-", count: offset) + word)
      let first = (offset * 8 + 5) / 6
      let last = (offset + word.utf8.count) * 8 / 6
      let digits = String(whole.prefix(last).dropFirst(first))
      return [digits, digits.replacing("+", with: "-").replacing("/", with: "_")]
    }
  }

  /// `%2f` for `%2F`.
  private static func lowercasedEscapes(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).enumerated()
      .map { $0 == 0 ? String($1) : $1.prefix(2).lowercased() + $1.dropFirst(2) }
      .joined(separator: "%")
  }
}

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
