package import HTTPValues
import Text

/// How a credential is composed and where it is sent (`type` in `[auth]`). A scheme is a value: decoding, the
/// manual, the request, the curl command, and what `riffle add` writes are derived from it.
package struct AuthScheme: Sendable {
  package let name: String
  /// For the manual; empty if its keys explain it.
  package var meaning = ""
  /// Whether a service may ask for it by its name (`WWW-Authenticate`, RFC 9110, section 11.6.1).
  package var isChallenge = false
  /// Its keys that hold texts.
  package var keys: [Key] = []
  /// Its keys that name where the credential is read from, in the order of the document. The last is `from`.
  package let inputs: [Input]
  /// Where the credential is placed in a request, by the texts of `keys`.
  package let place: @Sendable (_ texts: [String: String]) -> PlacedCredential.Place
  package let parts: [Part]

  package struct Key: Sendable {
    package let name: String
    /// Its value, and what it is, for the manual: `a name`, `the header`.
    package let kind: String
    package let meaning: String
    /// For the message if it is missing; nil if it is optional.
    package var purpose: String?
  }

  package struct Input: Sendable {
    package var key = "from"
    /// What is read, and an environment variable for it in an example.
    package let meaning: String
    package let variable: String
    /// An optional key that is not in the document has an empty value.
    package var isOptional = false
    package let isUsable: @Sendable (String) -> Bool
  }

  /// A part of the credential as it is sent.
  package indirect enum Part: Sendable {
    case literal(String)
    /// The text of a key.
    case key(String)
    case input(String)
    case base64([Part])
  }
}

extension AuthScheme {
  package static let bearer = AuthScheme(
    name: "bearer", meaning: "Authorization: Bearer …", isChallenge: true,
    inputs: [Input(meaning: "key", variable: "API_TOKEN", isUsable: \.isVisibleASCII)],
    place: { _ in .header("Authorization") }, parts: [.literal("Bearer "), .input("from")])

  /// User name and password (RFC 7617). A colon would end the name.
  package static let basic = AuthScheme(
    name: "basic", isChallenge: true,
    inputs: [
      Input(key: "user_from", meaning: "user name", variable: "API_USER", isOptional: true) {
        $0.isFreeOfControls && !$0.contains(":")
      }, Input(meaning: "password", variable: "API_PASSWORD", isUsable: \.isFreeOfControls),
    ],
    place: { _ in .header("Authorization") },
    parts: [.literal("Basic "), .base64([.input("user_from"), .literal(":"), .input("from")])])

  package static let header = AuthScheme(
    name: "header",
    keys: [
      Key(
        name: "header", kind: "a name", meaning: "the header",
        purpose: "the name of the header for the credential"),
      Key(name: "prefix", kind: "text", meaning: "the text before the credential"),
    ],
    inputs: [Input(meaning: "key", variable: "API_TOKEN", isUsable: \.isVisibleASCII)],
    place: { .header($0["header"] ?? "") }, parts: [.key("prefix"), .input("from")])

  package static let query = AuthScheme(
    name: "query",
    keys: [
      Key(
        name: "param", kind: "a name", meaning: "the parameter",
        purpose: "the name of the query parameter for the credential")
    ],
    inputs: [Input(meaning: "key", variable: "API_KEY", isUsable: \.isFreeOfControls)],
    place: { .query($0["param"] ?? "") }, parts: [.input("from")])
}

/// The registry of authorization schemes (`[auth] type`).
package enum AuthSchemes {
  package static let all: [AuthScheme] = [.bearer, .basic, .header, .query]

  /// The keys of all schemes.
  package static let keys = Set(all.flatMap { $0.keys.map(\.name) + $0.inputs.map(\.key) })
}

/// A text that a credential is composed of: a secret, or the words of a shell that read one.
package protocol CredentialText {
  /// A text that is not confidential.
  init(literal: String)
  static func + (first: Self, second: Self) -> Self
  var base64: Self { get }
}

extension [AuthScheme.Part] {
  /// The parts joined.
  func text<Value: CredentialText>(_ inputs: [String: Value], _ texts: [String: String]) -> Value {
    reduce(Value(literal: "")) { text, part in
      switch part {
      case .literal(let literal): text + Value(literal: literal)
      case .key(let key): text + Value(literal: texts[key] ?? "")
      case .input(let key): text + (inputs[key] ?? Value(literal: ""))
      case .base64(let parts): text + parts.text(inputs, texts).base64
      }
    }
  }
}

extension Secret: CredentialText {
  package init(literal: String) { self.init(literal, containing: []) }

  package static func + (first: Secret, second: Secret) -> Secret {
    Secret(first.reveal() + second.reveal(), containing: [first, second])
  }

  package var base64: Secret {
    let encoded = Base64.encoded(reveal())
    return Secret(encoded, containing: [Secret(encoded), Secret(reveal()), self])
  }
}

extension String {
  /// Whether every header and query can contain the text.
  package var isVisibleASCII: Bool { utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } }

  package var isFreeOfControls: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
