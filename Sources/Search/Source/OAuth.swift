package import HTTPValues

extension AuthScheme {
  /// Access tokens of OAuth 2.0 (RFC 6749), sent as bearer tokens (RFC 6750).
  package static let oauth = AuthScheme(
    name: "oauth", meaning: "OAuth 2: an access token that riffle obtains, keeps and renews",
    keys: [
      Key(
        name: "grant", kind: "`\"refresh_token\"`, `\"client_credentials\"` or `\"device\"`",
        meaning:
          "how tokens are obtained. `device` needs `riffle auth login` once. Tokens are kept in the state folder and renewed before they end, or when the service rejects one (the request is then sent again); the program does not end while a new token is on its way; a kept refresh token is used until `refresh_from` has another value",
        purpose: "how tokens are obtained", choices: TokenGrant.Kind.allCases.map(\.rawValue)),
      Key(
        name: "token_url", kind: "a URL",
        meaning:
          "where tokens are requested; https, or http on this machine. It alone receives the client's secret and the refresh token",
        purpose: "the URL where tokens are requested", form: .url),
      Key(
        name: "device_url", kind: "a URL",
        meaning: "where a device code is requested, with `grant = \"device\"`",
        form: .url),
      Key(name: "client_id", kind: "text", meaning: "the client's id, if it is not confidential"),
      Key(
        name: "client_in", kind: "`\"header\"` or `\"body\"`",
        meaning:
          "where id and secret of the client are sent (default: `\"header\"`, percent-encoded as RFC 6749, section 2.3.1 says)",
        choices: ["header", "body"]),
      Key(name: "scopes", kind: "texts", meaning: "the requested scopes", form: .words),
      Key(
        name: "params", kind: "a table of texts", meaning: "more members of the request for a token",
        form: .members),
    ],
    inputs: [
      Input(key: "client_id_from", meaning: "client's id", variable: "CLIENT_ID", isOptional: true) {
        value, _ in
        value.isFreeOfControls
      },
      Input(
        key: "client_secret_from", meaning: "client's secret", variable: "CLIENT_SECRET", isOptional: true
      ) {
        value, _ in value.isFreeOfControls
      },
      Input(
        key: "refresh_from",
        meaning: "first refresh token",
        variable: "REFRESH_TOKEN", isOptional: true
      ) { value, _ in value.isFreeOfControls },
    ],
    place: { _ in .header("Authorization") },
    parts: { _ in [.literal("Bearer "), .input(TokenGrant.token)] },
    settingDiagnostics: { texts, inputs in
      guard let kind = texts["grant"].flatMap(TokenGrant.Kind.init) else { return [] }
      var settingDiagnostics: [SettingDiagnostic] = []
      func refuse(_ key: String, _ problem: String) {
        settingDiagnostics.append(SettingDiagnostic(key: key, problem: problem))
      }
      func require(_ key: String, _ what: String) {
        settingDiagnostics.append(SettingDiagnostic(key: key, problem: "missing: \(what)", isMissing: true))
      }
      let grant = "grant = \"\(kind.rawValue)\""
      if texts["client_id"] != nil, inputs.contains("client_id_from") {
        refuse("client_id", "not allowed together with client_id_from")
      }
      if texts["client_id"] == nil, !inputs.contains("client_id_from") {
        require("client_id", "the client's id, or client_id_from")
      }
      if kind == .clientCredentials, !inputs.contains("client_secret_from") {
        require("client_secret_from", "where the client's secret comes from")
      }
      switch (kind, inputs.contains("refresh_from")) {
      case (.refreshToken, false): require("refresh_from", "where the first refresh token comes from")
      case (.clientCredentials, true), (.device, true): refuse("refresh_from", "not allowed with \(grant)")
      case (.refreshToken, true), (.clientCredentials, false), (.device, false): break
      }
      switch (kind, texts["device_url"] != nil) {
      case (.device, false): require("device_url", "the URL where a device code is requested")
      case (.refreshToken, true), (.clientCredentials, true):
        refuse("device_url", "not allowed with \(grant)")
      case (.device, true), (.refreshToken, false), (.clientCredentials, false): break
      }
      for key in ["token_url", "device_url"] {
        if let url = texts[key].flatMap({ try? WebURL($0) }), !url.origin.isProtected {
          refuse(key, "expected an https URL: credentials would be sent unencrypted")
        }
      }
      return settingDiagnostics
    },
    grant: { TokenGrant($0) })
}

/// The parameters with which access tokens are obtained and renewed: the client, its token endpoint, and the requested
/// scopes.
package struct TokenGrant: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    /// The device authorization grant (RFC 8628).
    case device
  }

  /// The name of the access token among the inputs of the scheme.
  package static let token = "access_token"

  package let kind: Kind
  package let tokenURL: WebURL
  package let deviceURL: WebURL?
  /// The client's id, if the source contains it.
  package let clientID: String?
  package let isClientInBody: Bool
  /// The scopes, separated by spaces; empty for the service's default.
  package let scopes: String
  /// Additional form fields of each request.
  package let parameters: [RequestDraft.Item]

  /// Creates a grant; nil if the strings do not describe one.
  init?(_ texts: [String: String]) {
    guard let kind = texts["grant"].flatMap(Kind.init),
      let url = texts["token_url"].flatMap({ try? WebURL($0) })
    else { return nil }
    self.kind = kind
    tokenURL = url
    deviceURL = texts["device_url"].flatMap { try? WebURL($0) }
    clientID = texts["client_id"]
    isClientInBody = texts["client_in"] == "body"
    scopes = texts["scopes"] ?? ""
    parameters = texts.compactMap { key, value in
      key.hasPrefix("params.") ? RequestDraft.Item(name: String(key.dropFirst(7)), value: value) : nil
    }.sorted { $0.name < $1.name }
  }

  /// A client as the service knows it.
  package struct Client: Sendable, Hashable {
    package let id: String
    /// Nil for a public client.
    package let secret: Secret?

    package init(id: String, secret: Secret?) {
      self.id = id
      self.secret = secret
    }
  }
}
