import Foundation
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

  /// The secret as it may stand in a text: plain, in Base64, percent-encoded, in a JSON string.
  var spellings: [String] {
    let percent = Self.percentEncoded("%02X")
    let quoted = Self.secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let base64 = Data(Self.secret.utf8).base64EncodedString()
    let pair = Data("\(Self.user):\(Self.secret)".utf8).base64EncodedString()
    return [
      Self.secret, base64, percent, Self.percentEncoded("%02x"), quoted,
      quoted.replacing("/", with: "\\/"),
    ] + (testDescription == "basic" ? [pair] : [])
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
  func traces(in text: String) -> [String] {
    let text = Array(text.utf8)
    let places = Set(text.indices.dropLast(Self.telling - 1).map { Array(text[$0..<$0 + Self.telling]) })
    return spellings.flatMap { spelling in
      let bytes = Array(spelling.utf8)
      return bytes.indices.dropLast(Self.telling - 1).map { Array(bytes[$0..<$0 + Self.telling]) }
        .filter(places.contains).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
