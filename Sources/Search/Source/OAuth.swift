package import HTTPValues

extension AuthScheme {
  /// Access tokens of OAuth 2.0 (RFC 6749), sent as bearer tokens (RFC 6750).
  package static let oauth = AuthScheme(
    name: "oauth", meaning: "OAuth 2: an access token that riffle obtains, stores and renews",
    keys: [
      Key(
        name: "grant", kind: "`\"refresh_token\"`, `\"client_credentials\"` or `\"device\"`",
        meaning:
          "how riffle obtains tokens. `device` needs `riffle auth login` once. riffle stores tokens in the state directory, and renews them before they expire. If the service rejects one, riffle renews it and sends the request again. It does not exit during a renewal. A stored refresh token is used until `refresh_from` has another value",
        purpose: "how tokens are obtained", choices: TokenGrant.Kind.allCases.map(\.rawValue)),
      Key(
        name: "token_url", kind: "a URL",
        meaning:
          "the URL for token requests: https, or http on this machine. Only this URL receives the client's secret and the refresh token",
        purpose: "the URL where tokens are requested", form: .url),
      Key(
        name: "device_url", kind: "a URL",
        meaning: "the URL from which riffle requests a device code, with `grant = \"device\"`",
        form: .url),
      Key(name: "client_id", kind: "a string", meaning: "the client's id, if it is not confidential"),
      Key(
        name: "client_in", kind: "`\"header\"` or `\"body\"`",
        meaning:
          "where to send the id and secret of the client. Default: `\"header\"`, percent-encoded according to RFC 6749, section 2.3.1",
        choices: ["header", "body"]),
      Key(name: "scopes", kind: "a list of strings", meaning: "the requested scopes", form: .words),
      Key(
        name: "params", kind: "a table of strings", meaning: "other fields of token requests",
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
        settingDiagnostics.append(SettingDiagnostic(key: key, problem: "missing (\(what))", isMissing: true))
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
