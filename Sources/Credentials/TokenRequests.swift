package import HTTPValues
package import Search

/// The requests of OAuth 2.0 for tokens.
extension TokenGrant {
  /// Requests an access token with the client's own credentials (RFC 6749, section 4.4).
  package func tokenRequest(by client: Client, app: String) -> HTTPRequest {
    request(to: tokenURL, by: client, app, [("grant_type", Secret(literal: "client_credentials"))] + scope)
  }

  /// Requests an access token with a refresh token (RFC 6749, section 6).
  package func tokenRequest(by client: Client, refreshing token: Secret, app: String) -> HTTPRequest {
    let members = [("grant_type", Secret(literal: "refresh_token")), ("refresh_token", token)]
    return request(to: tokenURL, by: client, app, members + (kind == .refreshToken ? scope : []))
  }

  /// Requests a device code (RFC 8628, section 3.1); nil without `deviceURL`.
  package func deviceRequest(by client: Client, app: String) -> HTTPRequest? {
    deviceURL.map { request(to: $0, by: client, app, scope) }
  }

  /// Asks whether the user has approved the device code (RFC 8628, section 3.4).
  package func tokenRequest(by client: Client, deviceCode: Secret, app: String) -> HTTPRequest {
    let type = Secret(literal: "urn:ietf:params:oauth:grant-type:device_code")
    return request(to: tokenURL, by: client, app, [("grant_type", type), ("device_code", deviceCode)])
  }

  private var scope: [(String, Secret)] { scopes.isEmpty ? [] : [("scope", Secret(literal: scopes))] }

  /// A request with a form and the client's credentials as in RFC 6749, section 2.3.1. It is not repeated by the
  /// transport, and no redirect is followed.
  private func request(
    to url: WebURL, by client: Client, _ app: String, _ members: [(String, Secret)]
  ) -> HTTPRequest {
    var members = members + parameters.map { ($0.name, Secret(literal: $0.value)) }
    var credentials: [PlacedCredential] = []
    if let secret = client.secret, !isClientInBody {
      let id = PercentEncoding.encoded(client.id)
      let pair = Secret("\(id):\(PercentEncoding.encoded(secret.reveal()))", containing: [secret])
      credentials = [
        PlacedCredential(
          place: .header("Authorization"), secret: Secret(literal: "Basic ") + pair.base64, provenance: "")
      ]
    } else {
      members.append(("client_id", Secret(literal: client.id)))
      if let secret = client.secret { members.append(("client_secret", secret)) }
    }
    let form = members.map { "\(PercentEncoding.encoded($0))=\(PercentEncoding.encoded($1.reveal()))" }
    return HTTPRequest(
      method: .post, url: url,
      headers: HTTPFields([
        HTTPField(received: "Accept", value: "application/json"),
        HTTPField(received: "User-Agent", value: app),
        HTTPField(received: "Content-Type", value: "application/x-www-form-urlencoded"),
      ]), body: Array(form.joined(separator: "&").utf8), isSafe: false, credentials: credentials)
  }
}
