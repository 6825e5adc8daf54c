import HTTPValues
import Search

/// The keys of `[auth.login]`.
struct LoginDraft: Sendable {
  var endpoint = EndpointDraft()
  var token = ValueExpression.none
  var lifetime: Duration?
  var end: ValueExpression?
  /// As written, if it is valid.
  var send: String?
  var prefix: String?

  static let table = KeyTable<LoginDraft>(
    "[auth.login]",
    "The request that returns a token. riffle stores the token in the state directory. It renews the token before it expires, or when the service rejects it. Secrets are written as `{secret:NAME}`; those that `[request]` does not contain are sent only to the login.",
    LoginDraft(),
    EndpointDraft.keys(["method", "url", "params", "headers", "body", "body_type"]).map {
      $0.inside(\.endpoint)
    } + [
      SourceKey(
        "timeout", .duration(.seconds(1) ... .seconds(3_600)), \.endpoint.timeout,
        "Time limit for the login request, unless `--timeout` is given."),
      SourceKey(
        "token", .response, \.token, required: "where the token is in the response, like \"token\"",
        "Where the token is in the response."),
      SourceKey(
        "lifetime", .duration(.seconds(1) ... .seconds(315_360_000)), \.lifetime,
        "How long a token can be used. Default: until the service rejects it."),
      SourceKey(
        "expires", .response, \.end,
        "When the token expires, in the response: a time, or a number of seconds or milliseconds since 1970. A smaller number (under ten years) means seconds from now."
      ),
      SourceKey(
        "send", .parsed("`\"bearer\"`, `\"header:NAME\"` or `\"query:NAME\"`", place), \.send,
        "Where the token is sent. Default: `\"bearer\"`."),
      SourceKey("prefix", .text, \.prefix, "The text before the token, with `send = \"header:NAME\"`."),
    ]
  ) { reader, draft in
    reader.checkOnlyOne(of: ["lifetime", "expires"])
    if draft.prefix != nil, draft.send?.hasPrefix("header:") != true, !reader.isFragment {
      reader.report("only allowed with send = \"header:NAME\"", for: "prefix")
    }
  }

  @Sendable private static func place(_ text: String) throws -> String {
    guard text == "bearer" || Login.place(text) != nil else {
      throw ValueFormatError(
        "expected \"bearer\", \"header:NAME\" or \"query:NAME\", found \(Wording.quoted(text))")
    }
    if case .header(let name) = Login.place(text) { _ = try HTTPField(name: name, value: "x") }
    return text
  }

  /// The texts of the scheme's key.
  var texts: [String: String] {
    ["login": "", "login.send": send ?? "bearer"].merging(prefix.map { ["login.prefix": $0] } ?? [:]) { $1 }
  }

  /// Nil without a valid address.
  func login(_ reader: inout TableReader) -> Login? {
    guard let request = endpoint.endpoint(&reader, pagesInBody: false) else { return nil }
    let strange = request.templates.flatMap(\.names).first { ["query", "page_size"].contains($0) }
    if let strange {
      reader.report(
        "{\(strange)} is not known when a token is requested. Use options and secrets", for: "url")
    }
    let address = reader.scope.placeholders.sample(request.url)
    if let url = try? WebURL(address), !url.origin.isProtected {
      reader.report("expected an https URL: credentials would be sent unencrypted", for: "url")
    }
    return Login(
      endpoint: request, token: token, lifetime: lifetime.map { $0 / .seconds(1) }, end: end)
  }
}
