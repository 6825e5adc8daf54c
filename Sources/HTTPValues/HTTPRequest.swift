import JSON

/// A request as a value: everything that the transport needs, with all decisions already made.
package struct HTTPRequest: Sendable, Hashable {
  package var method: HTTPMethod
  /// The URL without credentials, so that it may be shown, logged, and compared.
  package var url: WebURL
  package var headers: HTTPFields
  /// The body without the fields that contain credentials, so that it may be shown and compared.
  package var body: [UInt8]
  /// The complete body, sent only while `credentials` has the ones that the body contains; nil if it contains none.
  package var confidentialBody: Secret?
  /// Whether the request may be sent more than once: GET and HEAD, or a POST that its source declares safe.
  package var isSafe: Bool
  /// The credentials of the request. The transport adds them only while the target has the origin of `url`.
  package var credentials: [PlacedCredential]
  /// Other hosts that a redirect may lead to (`host` or `host:port`), without credentials.
  package var allowedHosts: [String]
  /// The origin that the source is configured for. If `url` is on another host, a response named that host.
  package var home: Origin

  package init(
    method: HTTPMethod = .get, url: WebURL, headers: HTTPFields = [], body: [UInt8] = [],
    confidentialBody: Secret? = nil, isSafe: Bool = true, credentials: [PlacedCredential] = [],
    allowedHosts: [String] = [], home: Origin? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.confidentialBody = confidentialBody
    self.isSafe = isSafe
    self.credentials = credentials
    self.allowedHosts = allowedHosts
    self.home = home ?? url.origin
  }
}

extension HTTPRequest {
  /// The credentials to be sent; empty if others could read them in transit.
  package var sentCredentials: [PlacedCredential] { url.origin.isProtected ? credentials : [] }

  /// The header fields to be sent; a credential replaces the field with its name.
  package var sentHeaders: HTTPFields {
    var fields = HTTPFields(headers.filter { !HeaderCheck.isReserved($0.name) })
    for credential in sentCredentials {
      guard case .header(let name) = credential.place else { continue }
      fields.remove(name)
      fields.append(HTTPField(received: name, value: credential.secret.reveal()))
    }
    return fields
  }

  /// The body to be sent.
  package var sentBody: [UInt8] {
    guard let confidentialBody, sentCredentials.contains(where: \.place.isInBody) else { return body }
    return Array(confidentialBody.reveal().utf8)
  }
}

/// The request methods of sources.
package enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
}

/// A complete response: its head, and its body after content decoding.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: [UInt8]
  /// The URL of the response after redirects; relative links are resolved against it (RFC 3986 section 5.1.3).
  package var url: WebURL
  /// When the request was sent, in seconds since 1970.
  package var sentAt: Double
  /// When the last byte of the body was received, in seconds since 1970.
  package var arrivedAt: Double
  /// The number of requests sent, including redirects.
  package var requests: Int

  package init(
    status: Int, headers: HTTPFields, body: [UInt8], url: WebURL, sentAt: Double = 0, arrivedAt: Double = 0,
    requests: Int = 1
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.sentAt = sentAt
    self.arrivedAt = arrivedAt
    self.requests = requests
  }
}

/// The facts about a request and its response: what was requested, when, and how much was received. Contains no
/// secrets.
package struct Exchange: Sendable, Hashable {
  package var method: HTTPMethod
  /// The requested URL, without credentials.
  package var address: String
  /// The status; nil if there was no response.
  package var status: Int?
  /// The size of the decoded body; nil if there was none.
  package var bytes: Int?
  /// When the request was sent and the response was complete, in seconds since 1970; 0 if unknown.
  package var sentAt: Double
  package var arrivedAt: Double
  /// The number of requests sent, including redirects and a repetition with other credentials.
  package var requests: Int
  /// Nil if it is not known.
  package var transcript: Transcript?

  package init(
    method: HTTPMethod = .get, address: String = "", status: Int? = nil, bytes: Int? = nil,
    sentAt: Double = 0, arrivedAt: Double = 0, requests: Int = 1
  ) {
    self.method = method
    self.address = address
    self.status = status
    self.bytes = bytes
    self.sentAt = sentAt
    self.arrivedAt = arrivedAt
    self.requests = requests
  }

  /// - Parameter response: Nil if there was none.
  package init(_ request: HTTPRequest, _ response: HTTPResponse?) {
    self.init(
      method: request.method, address: request.url.description, status: response?.status,
      bytes: response?.body.count, sentAt: response?.sentAt ?? 0, arrivedAt: response?.arrivedAt ?? 0,
      requests: response?.requests ?? 1)
  }
}

/// The header fields of a request and its response, as `name: value`, and the beginning of the response's body, without
/// secrets.
package struct Transcript: Sendable, Hashable {
  package let request: [String]
  package let response: [String]
  /// Nil if it is no longer stored.
  package private(set) var body: Body?

  /// The beginning of a body, as lines.
  package struct Body: Sendable, Hashable {
    package let lines: [String]
    package let isJSON: Bool
    /// Whether the end is missing.
    package let isCut: Bool
    /// The size of the lines in memory, in bytes.
    package let size: Int
  }

  /// The maximum number of bytes of a body.
  package static let maxBody = 65_536
  /// Parts of names of header fields whose values are not shown.
  private static let confidentialNames = ["auth", "cookie", "key", "password", "secret", "session", "token"]

  /// - Parameter redacted: Removes secrets from text.
  package init(_ request: HTTPRequest, _ response: HTTPResponse?, _ redacted: (String) -> String) {
    let credentials = request.sentCredentials.compactMap { credential in
      if case .header(let name) = credential.place { name } else { nil }
    }
    let fields = request.headers.filter { field in !credentials.contains { field.isNamed($0) } }
    self.request =
      fields.map { field in
        let name = field.name.lowercased()
        let isShown = !Self.confidentialNames.contains { name.contains($0) }
        return "\(field.name): \(isShown ? redacted(field.value) : "<secret>")"
      } + credentials.map { "\($0): <secret>" }
    self.response =
      response?.headers.map { field in
        "\(field.name): \(field.isNamed("set-cookie") ? "<secret>" : redacted(field.value))"
      } ?? []
    body = Body(response?.body ?? [], redacted)
  }

  /// Frees the memory of the body.
  package mutating func dropBody() { body = nil }
}

extension Transcript.Body {
  /// JSON is indented.
  fileprivate init(_ bytes: [UInt8], _ redacted: (String) -> String) {
    isCut = bytes.count > Transcript.maxBody
    var beginning = bytes.prefix(Transcript.maxBody)
    if isCut {
      // The end is no part of a character.
      let tail = beginning.suffix(4)
      if let lead = tail.lastIndex(where: { !UTF8.isContinuation($0) }), tail[lead] >= 0xC0 {
        beginning = beginning[..<lead]
      }
    }
    let text = String(decoding: beginning, as: UTF8.self)
    // The mark of a cut text makes the rest of a secret before it recognizable.
    let shown = isCut ? String(redacted("\(text)…").dropLast()) : redacted(text)
    isJSON = Self.isJSON(Array(beginning))
    lines =
      isJSON
      ? JSONText.indentedLines(shown)
      : shown.split(omittingEmptySubsequences: shown.isEmpty, whereSeparator: \.isNewline).map(String.init)
    size = lines.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.size }
  }

  /// Whether it is JSON, or the beginning of it.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty { return false }
    do throws(JSONError) {
      _ = try JSONDocument(bytes)
      return true
    } catch { return error.isTruncated }
  }
}

/// The reason why an exchange produced no complete response. One function in the transport creates it from the
/// library's errors; the policy uses only `kind`.
package struct TransportError: Error, Sendable, Hashable, Codable {
  package enum Kind: Sendable, Hashable, Codable {
    case hostNotFound
    case refused
    case tls
    /// The file of root certificates that this setting or environment variable names cannot be read; `detail` says why.
    case noRoots(setting: String?)
    /// The environment variable for the proxy is invalid; `detail` says why, and what to do.
    case invalidProxy
    /// No connection was established within `seconds`.
    case connectTimeout(seconds: Double)
    /// Headers and body together took longer than `seconds`.
    case deadline(seconds: Double)
    /// The overall time limit of `seconds` passed before the headers were received.
    case deadlineBeforeHead(seconds: Double)
    case lostBeforeHead
    /// The connection ended within the body, after `received` decoded bytes; `detail` is the content type
    /// from the headers (`application/json`).
    case lostInBody(received: Int)
    /// The content encoding (gzip, deflate) is damaged, after `received` decoded bytes.
    case brokenEncoding(received: Int)
    /// The body has this content encoding, which was not requested.
    case unrequestedEncoding(String)
    case bodyTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    /// The response is not HTTP.
    case malformed
    /// The status line has no status from 100 to 999.
    case invalidStatusLine
    /// The proxy refused to open a tunnel to the origin with this status; `detail` is the proxy's address.
    case refusedByProxy(status: Int)
    case redirect(RedirectError)
    /// The host, which a response named, has this address in a private network.
    case privateAddress(String)
    /// The host had a public address before and now has this one in a private network.
    case reboundAddress(String)
    /// The name of the local machine resolves to this address, which is not local.
    case notThisMachine(String)
    case cancelled
    /// The recording that is replayed has no response to this request, which `detail` names.
    case notRecorded
    case other
  }

  package let kind: Kind
  /// The requested origin, as text.
  package let origin: String
  /// The library's message, already redacted; may be empty.
  package let detail: String
  /// The number of requests sent, including redirects.
  package var requests: Int

  package init(_ kind: Kind, origin: String, detail: String = "", requests: Int = 1) {
    self.kind = kind
    self.origin = origin
    self.detail = detail
    self.requests = requests
  }
}

/// The reason why a redirect was not followed.
package enum RedirectError: Sendable, Hashable, Codable {
  case tooMany(limit: Int)
  case noLocation
  case target(FollowError)
  case unsafeMethod
  case unreadable(String)
}
