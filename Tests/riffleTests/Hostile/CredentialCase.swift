import Foundation
import Search
import TestSupport
import Testing

/// A way for a source to send a secret.
struct CredentialCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Keys of `[request]`, placed before the other tables.
  var request = "params = { q = \"{query}\" }"
  let tables: String

  static let user = "ann-of-green"
  /// Contains bytes that percent-encoding, Base64 and JSON encode differently.
  static let secret = "s3cr3t/T0k+n=\"x&y\\z/4711"
  static let environment = ["TOKEN": secret, "LOGIN": user]

  static let all =
    AuthSchemes.all.filter { $0.inputs.contains { $0.key == "from" } }.map(CredentialCase.init(scheme:)) + [
      CredentialCase(
        testDescription: "{secret:key} in a parameter",
        request: "params = { q = \"{query}\", key = \"k-{secret:key}\" }",
        tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
      CredentialCase(
        testDescription: "{secret:key} in a header",
        request: "params = { q = \"{query}\" }\nheaders = { Cookie = \"a=b; session={secret:key}\" }",
        tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
      CredentialCase(
        testDescription: "{secret:key} in a JSON body",
        request:
          "params = { q = \"{query}\" }\nmethod = \"GET\"\nbody = { login = { key = \"k-{secret:key}\" } }",
        tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
      CredentialCase(
        testDescription: "{secret:key} in a form",
        request:
          "params = { q = \"{query}\" }\nmethod = \"GET\"\nbody_type = \"form\"\nbody = { key = \"k-{secret:key}\" }",
        tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
    ]

  /// Includes secrets from outside the environment: `token` in the home folder holds one.
  static let everywhere =
    all + [
      CredentialCase(
        testDescription: "bearer, printed by a program",
        tables: "[auth]\ntype = \"bearer\"\nfrom = \"cmd:printenv TOKEN\""),
      CredentialCase(
        testDescription: "bearer, read from a file",
        tables: "[auth]\ntype = \"bearer\"\nfrom = \"file:~/token\""),
    ]

  /// The source `mine`, which requests `/list` of a server with this credential; `more` are its other tables.
  func source(at server: ScriptedServer, _ more: String) -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(server.baseURL)/list"
    \(request)
    \(tables)
    \(more)
    """
  }

  /// The encodings in which the secret may appear: plain, percent-encoded, in a JSON string, in HTML, and in Base64,
  /// alone and within other text.
  var spellings: [String] {
    let quoted = Self.secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let html = Self.secret.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let plain = [
      Self.secret, Self.percentEncoded("%02X"), Self.percentEncoded("%02x"), quoted,
      quoted.replacing("/", with: "\\/"), html,
    ]
    return plain + base64
  }

  /// The secret with every byte escaped, which JSON allows.
  var escapedSpellings: [String] {
    ["\\u%04x", "\\u%04X"].map { format in Self.secret.utf8.map { String(format: format, $0) }.joined() }
  }

  /// Alone, with the user, and after texts of each length that shifts its digits; also with `_` and `-` for `/` and
  /// `+`.
  private var base64: [String] {
    let behind = ["", "a", "ab", "\(Self.user):"].map { before in
      let whole = Data("\(before)\(Self.secret)".utf8).base64EncodedString()
      // The first digit depends on what precedes the secret, and the last on what follows it.
      return String(whole.dropFirst((before.utf8.count * 8 + 5) / 6))
    }
    let before = Data("\(Self.secret):\(Self.user)".utf8).base64EncodedString()
    let digits = behind + [String(before.prefix(Self.secret.utf8.count * 8 / 6))]
    return digits + digits.map { $0.replacing("/", with: "_").replacing("+", with: "-") }
  }

  private static func percentEncoded(_ format: String) -> String {
    secret.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isLetter || character.isNumber
        ? String(character) : "%" + String(format: format, byte)
    }.joined()
  }

  /// This many consecutive bytes of a spelling count as a leak, even where a text was cut.
  private static let reporting = 6

  /// The parts of any spelling that occur in a text.
  func traces(in text: String) -> [String] { traces(in: Array(text.utf8)) }

  func traces(in text: [UInt8]) -> [String] {
    Self.traces(of: spellings, Self.reporting, in: text)
      + Self.traces(of: escapedSpellings, Self.reporting * 6, in: text)
  }

  private static func traces(of spellings: [String], _ length: Int, in text: [UInt8]) -> [String] {
    let parts = Set(
      spellings.flatMap { spelling in
        let bytes = Array(spelling.utf8)
        return bytes.indices.dropLast(length - 1).map { Array(bytes[$0..<$0 + length]) }
      })
    let firsts = Set(parts.compactMap(\.first))
    return text.indices.dropLast(length - 1).compactMap { place in
      guard firsts.contains(text[place]) else { return nil }
      let part = Array(text[place..<place + length])
      return parts.contains(part) ? String(decoding: part, as: UTF8.self) : nil
    }
  }
}

extension String {
  /// This string as a JSON string.
  var inJSON: String {
    let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}

extension CredentialCase {
  /// A document with the keys that the scheme requires, and all of its inputs.
  private init(scheme: AuthScheme) {
    let keys = scheme.keys.filter { $0.purpose != nil }.map { "\($0.name) = \"x_api_key\"" }
    let inputs = scheme.inputs.map { "\($0.key) = \"env:\($0.key == "from" ? "TOKEN" : "LOGIN")\"" }
    let lines = ["[auth]", "type = \"\(scheme.name)\""] + keys + inputs
    self.init(testDescription: scheme.name, tables: lines.joined(separator: "\n"))
  }
}
