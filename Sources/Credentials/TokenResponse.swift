package import HTTPValues
import JSON
package import Search
private import Text

/// An access token as a token endpoint (RFC 6749, section 5.1) or a login issued it.
package struct IssuedToken: Sendable, Hashable {
  /// The longest token that a header can carry everywhere, in bytes.
  static let longest = 16_384
  /// Ten years, in seconds. A longer lifetime counts as unlimited.
  static let maxLifetime = 315_360_000.0

  package let access: Secret
  /// The lifetime in seconds from the arrival of the response; nil if the endpoint sends none, or one that has passed.
  package let lifetime: Double?
  /// The refresh token that replaces the one used, if any.
  package let refresh: Secret?
}

/// A device code (RFC 8628, section 3.2).
package struct DeviceCode: Sendable, Hashable {
  package let code: Secret
  /// The code that the user types at `address`.
  package let userCode: String
  package let address: String
  /// The URL that includes the code, if any.
  package let completeAddress: String?
  /// The lifetime in seconds from the arrival of the response.
  package let lifetime: Double
  /// The seconds between two polls.
  package let interval: Double
}

/// The reason why a token endpoint issued no token.
package struct TokenError: Error, Sendable, Hashable {
  /// The error code (RFC 6749, section 5.2); nil if there is none.
  package var code: String?
  package var error: PageError

  package init(code: String? = nil, _ error: PageError) {
    self.code = code
    self.error = error
  }
}

/// Reads the response of a token endpoint. Like any response, it is not trusted.
package struct TokenResponse: Sendable {
  private let response: HTTPResponse
  private var origin: Origin { response.url.origin }

  package init(_ response: HTTPResponse) { self.response = response }

  /// Types of tokens that are not sent themselves, but prove that the sender has a key.
  private static let typesWithProof: Set = ["mac", "pop", "dpop"]

  package func token() throws(TokenError) -> IssuedToken {
    let members = try members(from: "token_url")
    let access = try text(TokenGrant.token, in: members, from: "token_url")
    guard access.isVisibleASCII, !access.contains(" ") else {
      throw unreadable("an access_token with characters that cannot be sent", isURLRight: true)
    }
    if let type = members["token_type"]?.string, Self.typesWithProof.contains(type.lowercased()) {
      throw unreadable(
        "a token of type \(Sanitized(type).string), but only bearer tokens are supported", isURLRight: true)
    }
    let refresh = members["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    if let refresh, refresh.utf8.count > IssuedToken.longest || !refresh.isFreeOfControls {
      throw unreadable("a refresh_token that cannot be used", isURLRight: true)
    }
    return IssuedToken(
      access: Secret(access), lifetime: seconds("expires_in", in: members),
      refresh: refresh.map { Secret($0) })
  }

  /// The default interval is 5 seconds; without a lifetime, the code is tried for ten minutes.
  package func deviceCode() throws(TokenError) -> DeviceCode {
    let members = try members(from: "device_url")
    let code = try text("device_code", in: members, from: "device_url")
    let userCode = try text("user_code", in: members, from: "device_url")
    // Google's name of the field predates the RFC.
    let address = try text(
      members["verification_uri"] == nil && members["verification_url"] != nil
        ? "verification_url" : "verification_uri", in: members, from: "device_url")
    return DeviceCode(
      code: Secret(code), userCode: Sanitized(userCode).string, address: Sanitized(address).string,
      completeAddress: members["verification_uri_complete"]?.string.map { Sanitized($0).string },
      lifetime: seconds("expires_in", in: members) ?? 600,
      interval: min(max(seconds("interval", in: members) ?? 5, 0.2), 60))
  }

  private func text(
    _ name: String, in members: JSONValue, from key: String
  ) throws(TokenError) -> String {
    guard let value = members[name] else { throw unreadable("a response without \(name)", from: key) }
    guard let text = value.string else {
      throw unreadable("an unusable \(name) (not text)", from: key, isURLRight: true)
    }
    if text.isEmpty { throw unreadable("an unusable \(name) (empty)", from: key, isURLRight: true) }
    guard text.utf8.count <= IssuedToken.longest else {
      throw unreadable("an unusable \(name) (\(text.utf8.count) bytes)", from: key, isURLRight: true)
    }
    return text
  }

  /// A positive number of seconds, as a number or a string; nil for anything else.
  private func seconds(_ name: String, in members: JSONValue) -> Double? {
    guard let text = members[name]?.numberText ?? members[name]?.string, let number = Double(text),
      number.isFinite, number > 0
    else { return nil }
    return min(number, IssuedToken.maxLifetime)
  }

  // MARK: Errors

  /// The fields of a response that reports no error.
  ///
  /// - Parameter key: The key of `[auth]` with the URL of the request.
  private func members(from key: String) throws(TokenError) -> JSONValue {
    let document: JSONDocument
    do { document = try JSONDocument(response.body) } catch {
      if !HTTPStatus.isSuccess(response.status) { throw refusal(nil, from: key) }
      throw unreadable(
        error.isMarkup
          ? "\(error.isXML ? "XML" : "HTML"), not JSON"
          : response.body.isEmpty ? "an empty response" : "invalid JSON (\(error))",
        from: key, isURLRight: !error.isMarkup)
    }
    let error = document.root["error"]?.string
    // Some services report errors with status 200.
    if !HTTPStatus.isSuccess(response.status) || (error != nil && document.root[TokenGrant.token] == nil) {
      throw refusal(document, from: key)
    }
    return document.root
  }

  /// - Parameters:
  ///   - key: The key of `[auth]` with the URL of the request.
  ///   - isURLRight: Whether the response is one for such a request.
  private func unreadable(
    _ what: String, from key: String = "token_url", isURLRight: Bool = false
  ) -> TokenError {
    TokenError(
      PageError(
        .unreadable, message: "\(endpoint(key)) returned \(what)",
        remedy: isURLRight ? nil : "check auth.\(key)"))
  }

  /// - Parameter key: The key of `[auth]` with its URL.
  private func endpoint(_ key: String) -> String {
    key == "device_url" ? "\(origin) (auth.device_url)" : "the token endpoint \(origin)"
  }

  /// The subject that a service refuses with these codes; with any other code, it is the request.
  private static let refused = ["invalid_client": "the client", "unauthorized_client": "the client"]

  private func refusal(_ document: JSONDocument?, from key: String) -> TokenError {
    let code = document?.root["error"]?.string.map(Self.line)
    let words = [code, document?.root["error_description"]?.string.map(Self.line)].compactMap(\.self)
    let service =
      words.isEmpty ? document.flatMap(CommonErrorFields.found).map(Self.line) : words.joined(separator: ": ")
    let phrase = HTTPStatus.isSuccess(response.status) ? nil : HTTPStatus.text(response.status)
    let (kind, canRepeat) = meaning(of: code)
    let refusal =
      "refused \(code.flatMap { Self.refused[$0] } ?? "the request")" + (phrase.map { " (\($0))" } ?? "")
    let message =
      "\(endpoint(key)) "
      + (kind == .unauthorized ? refusal : "returned \(phrase ?? "an error")")
    var error = PageError(
      kind, message: service.map { "\(message): \($0)" } ?? message,
      remedy: kind == .rejected ? "check auth.\(key)" : nil, canRepeat: canRepeat)
    error.wait = RequestedWait.seconds(headers: response.headers, budget: nil, now: response.arrivedAt)
    error.serviceMessage = service
    return TokenError(code: code, error)
  }

  private func meaning(of code: String?) -> (PageError.Kind, PageError.Repeat) {
    if ["temporarily_unavailable", "server_error"].contains(code) { return (.server, .freely) }
    let status = response.status
    let isOfRequest =
      status == 400 || HTTPStatus.isSuccess(status) || (code != nil && (400..<429).contains(status))
    return isOfRequest ? (.unauthorized, .never) : ResponseVerdict.meaning(of: status)
  }

  /// A string of the service on one line, at most 300 characters.
  private static func line(_ text: String) -> String {
    let line = Sanitized(text).string
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
