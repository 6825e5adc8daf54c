import Foundation
import TestSupport
import Testing

/// A way for a source to send a secret.
struct CredentialCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Of `[request]`, in front of its other tables.
  var request = "params = { q = \"{query}\" }"
  let tables: String

  static let user = "ann-of-green"
  /// With bytes that percent-encoding, Base64 and JSON spell otherwise.
  static let secret = "s3cr3t/T0k+n=\"x&y\\z/4711"
  static let environment = ["TOKEN": secret, "LOGIN": user]

  static let all = [
    CredentialCase(testDescription: "bearer", tables: "[auth]\ntype = \"bearer\"\nfrom = \"env:TOKEN\""),
    CredentialCase(
      testDescription: "header",
      tables: "[auth]\ntype = \"header\"\nheader = \"X-Api-Key\"\nfrom = \"env:TOKEN\""),
    CredentialCase(
      testDescription: "query", tables: "[auth]\ntype = \"query\"\nparam = \"api_key\"\nfrom = \"env:TOKEN\""),
    CredentialCase(
      testDescription: "basic",
      tables: "[auth]\ntype = \"basic\"\nfrom = \"env:TOKEN\"\nuser_from = \"env:LOGIN\""),
    CredentialCase(
      testDescription: "{secret:key} in a parameter",
      request: "params = { q = \"{query}\", key = \"k-{secret:key}\" }",
      tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
    CredentialCase(
      testDescription: "{secret:key} in a header",
      request: "params = { q = \"{query}\" }\nheaders = { Cookie = \"a=b; session={secret:key}\" }",
      tables: "[secrets.key]\nfrom = \"env:TOKEN\""),
  ]

  /// Also with secrets from other places than the environment: `token` in the home folder holds one.
  static let everywhere =
    all + [
      CredentialCase(
        testDescription: "bearer, printed by a program",
        tables: "[auth]\ntype = \"bearer\"\nfrom = \"cmd:printenv TOKEN\""),
      CredentialCase(
        testDescription: "bearer, read from a file",
        tables: "[auth]\ntype = \"bearer\"\nfrom = \"file:~/token\""),
    ]

  /// The source `mine`, whose list is `/list` of a server: asked with this credential; `more` are its other tables.
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

  /// The secret as it may stand in a text: plain, percent-encoded, in a JSON string, in HTML, in Base64, alone and
  /// within other texts.
  var spellings: [String] {
    let quoted = Self.secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let html = Self.secret.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let plain = [
      Self.secret, Self.percentEncoded("%02X"), Self.percentEncoded("%02x"), quoted,
      quoted.replacing("/", with: "\\/"), html,
    ]
    return plain + base64
  }

  /// With every byte escaped, as JSON allows.
  var escapedSpellings: [String] {
    ["\\u%04x", "\\u%04X"].map { format in Self.secret.utf8.map { String(format: format, $0) }.joined() }
  }

  /// Alone, with the user, and behind texts of each length that moves its digits; `_` and `-` for `/` and `+` too.
  private var base64: [String] {
    let behind = ["", "a", "ab", "\(Self.user):"].map { before in
      let whole = Data("\(before)\(Self.secret)".utf8).base64EncodedString()
      // The first digit of the secret depends on what stands before it, and the last on what stands behind.
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

  /// So many bytes in a row of a spelling are a leak, also where a text was cut.
  private static let telling = 6

  /// The parts of any spelling that a text holds.
  func traces(in text: String) -> [String] { traces(in: Array(text.utf8)) }

  func traces(in text: [UInt8]) -> [String] {
    Self.traces(of: spellings, Self.telling, in: text)
      + Self.traces(of: escapedSpellings, Self.telling * 6, in: text)
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
  /// As a JSON string.
  var inJSON: String {
    let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}
