import JSON

/// An absolute http or https URL (RFC 3986) that is ready to send: legal bytes only, host in lower case, no
/// fragment, no user name or password.
///
/// Parsing is lenient, since services put such text into responses: surrounding spaces are dropped, illegal
/// bytes (spaces, brackets, quotes, non-ASCII) of the path and query are percent-encoded, and existing
/// escapes are unchanged. Control characters are an error.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
  package enum Scheme: String, Sendable, Hashable, Codable {
    case http, https

    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  package let scheme: Scheme
  /// The host in lower case; a literal address in its canonical notation, with IPv6 in brackets.
  package let host: String
  /// The explicit port, if any.
  package let port: Int?
  /// Whether the text contained a user name or password, which was dropped.
  package let hasUserinfo: Bool
  /// The percent-encoded path, which begins with `/`.
  package private(set) var path: String
  /// The percent-encoded query; nil if the URL contains no `?`.
  package private(set) var query: String?

  package init(_ text: String) throws(WebURLError) {
    let reference = try URLReference(text)
    guard let name = reference.scheme else {
      throw WebURLError(text.utf8.allSatisfy { $0 == 0x20 } ? .empty : .noScheme, in: text)
    }
    guard let scheme = Scheme(rawValue: name) else { throw WebURLError(.notHTTP(scheme: name), in: text) }
    guard let authority = reference.authority else { throw WebURLError(.noHost, in: text) }
    try self.init(scheme: scheme, authority: authority, reference, in: text)
  }

  /// Creates a URL from a reference with an authority.
  private init(
    scheme: Scheme, authority: ArraySlice<UInt8>, _ reference: URLReference, in text: String
  ) throws(WebURLError) {
    do throws(WebURLError.Reason) {
      let authority = try URLAuthority(authority)
      (host, port, hasUserinfo) = (authority.host, authority.port, authority.hasUserinfo)
    } catch {
      throw WebURLError(error, in: text)
    }
    self.scheme = scheme
    path = Self.withoutDotSegments(reference.path)
    query = reference.query
  }

  package var origin: Origin { Origin(scheme: scheme, host: host, port: port ?? scheme.defaultPort) }

  /// Path and query, as in the request line.
  package var requestTarget: String { path + (query.map { "?" + $0 } ?? "") }

  /// The URL without its query, for messages. A query may be long or confidential.
  package var withoutQuery: String { "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }

  /// The whole URL, as sent.
  package var description: String {
    "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(requestTarget)"
  }
}

extension WebURL: Codable {
  package init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var text = encoder.singleValueContainer()
    try text.encode(description)
  }
}

extension WebURL {
  /// The URL of a row's page in a form that is safe to show, open, and pass to other programs: http or https, no user
  /// name or password, legal bytes only (no spaces or quotes). The fragment is preserved. Nil for anything else.
  package static func link(_ text: String) -> String? {
    guard let url = try? WebURL(text), !url.hasUserinfo else { return nil }
    let bytes = Array(text.utf8)
    let fragment = bytes.firstIndex(of: UInt8(ascii: "#")).map { URLReference.fragment(bytes[($0 + 1)...]) }
    // The apostrophe is legal in a URL, but a quote to shells and xargs.
    return "\(url)\(fragment.map { "#\($0)" } ?? "")".replacing("'", with: "%27")
  }
}

extension WebURL {
  /// A decoded query parameter. The value is nil without `=`.
  package struct QueryItem: Sendable, Hashable {
    package let name: String
    package let value: String?
  }

  /// The parameters in order, decoded as in a form (`+` is a space).
  package var queryItems: [QueryItem] {
    pieces.filter { !$0.isEmpty }.map { piece in
      let value = piece.firstIndex(of: "=").map { piece[piece.index(after: $0)...] }
      return QueryItem(
        name: Self.name(of: piece), value: value.map { PercentEncoding.decoded($0, plusIsSpace: true) })
    }
  }

  /// Appends a parameter; the bytes before it are unchanged.
  package mutating func appendQueryItem(name: String, value: String) {
    let item = Self.piece(name, value)
    query = query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 + item : "\($0)&\(item)" } ?? item
  }

  /// Sets the value of the first parameter with this name in place, and removes the others; appends the
  /// parameter if there is none. The bytes of other parameters are unchanged.
  package mutating func setQueryItem(name: String, value: String) {
    guard let place = pieces.firstIndex(where: { Self.name(of: $0) == name }) else {
      return appendQueryItem(name: name, value: value)
    }
    let others = pieces[(place + 1)...].filter { Self.name(of: $0) != name }
    query = (pieces[..<place] + [Self.piece(name, value)[...]] + others).joined(separator: "&")
  }

  /// Removes all parameters with this name; the bytes of the others are unchanged.
  package mutating func removeQueryItems(named name: String) {
    let kept = pieces.filter { Self.name(of: $0) != name }
    guard kept.count < pieces.count else { return }
    query = kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  /// The query split at `&`. It is ASCII, so its characters are its bytes.
  private var pieces: [Substring] {
    query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
  }

  private static func piece(_ name: String, _ value: String) -> String {
    "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(value))"
  }

  private static func name(of piece: Substring) -> String {
    PercentEncoding.decoded(piece.prefix { $0 != "=" }, plusIsSpace: true)
  }
}

extension WebURL {
  /// Resolves a reference against this URL (RFC 3986, section 5.2, strict).
  ///
  /// `?page=2`, `/next`, `../a`, `//host/path`, and absolute URLs are all references; an empty one is this
  /// URL. `hasUserinfo` carries over to the result only if the reference keeps the host.
  package func resolving(_ reference: String) throws(WebURLError) -> WebURL {
    let parts = try URLReference(reference)
    guard parts.scheme == nil else { return try WebURL(reference) }
    if let authority = parts.authority {
      return try WebURL(scheme: scheme, authority: authority, parts, in: reference)
    }
    var url = self
    url.query = parts.query ?? (parts.path.isEmpty ? query : nil)
    if !parts.path.isEmpty { url.path = Self.withoutDotSegments(merged(parts.path)) }
    return url
  }

  /// The URL with the same path and query at another origin.
  package func moved(to origin: Origin) throws(WebURLError) -> WebURL {
    var url = try WebURL("\(origin)")
    (url.path, url.query) = (path, query)
    return url
  }

  /// The same URL with https, if `origin` is the https origin of the same host and port. A service behind a proxy may
  /// not know that clients use https.
  package func upgraded(to origin: Origin) throws(WebURLError) -> WebURL {
    let isDowngrade = scheme == .http && origin.scheme == .https && host == origin.host && !hasUserinfo
    guard isDowngrade, (port ?? origin.port) == origin.port || port == 80 && origin.port == 443 else {
      return self
    }
    return try moved(to: origin)
  }

  /// Merges a relative path, which replaces everything after the last slash (section 5.2.3).
  private func merged(_ reference: String) -> String {
    guard !reference.utf8.starts(with: "/".utf8) else { return reference }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
    return folder + reference
  }

  /// Removes dot segments (section 5.2.4); an empty path becomes `/` (section 6.2.3). The path must be empty or begin
  /// with `/`.
  static func withoutDotSegments(_ path: String) -> String {
    if path.isEmpty { return "/" }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments where segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    if segments.last == "." || segments.last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}

/// The parts of a URL or relative reference (RFC 3986, appendix B) without the fragment. Illegal bytes of the
/// path and query are encoded; the authority is unchanged.
///
/// Split by bytes, not by `Character`: a combining mark after a `/` must not hide it.
struct URLReference {
  let scheme: String?
  let authority: ArraySlice<UInt8>?
  let path: String
  let query: String?

  init(_ text: String) throws(WebURLError) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw WebURLError(.controlCharacter, in: text)
    }
    var rest = Array(text.utf8).drop { $0 == UInt8(ascii: " ") }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    rest = rest.prefix { $0 != UInt8(ascii: "#") }
    scheme = Self.takeScheme(from: &rest)
    authority = Self.takeAuthority(from: &rest)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let hasQuery = path.endIndex < rest.endIndex
    self.path = PercentEncoding.repaired(path, keeping: Self.isPathByte)
    query = hasQuery ? PercentEncoding.repaired(rest[(path.endIndex + 1)...], keeping: Self.isQueryByte) : nil
  }

  /// The text after `#` with its illegal bytes encoded (RFC 3986, section 3.5).
  static func fragment(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return PercentEncoding.repaired(rest, keeping: isQueryByte)
  }

  /// `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":"`, in lower case.
  private static func takeScheme(from rest: inout ArraySlice<UInt8>) -> String? {
    let name = rest.prefix { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard let first = name.first, letters.contains(first | 0x20), name.endIndex < rest.endIndex,
      rest[name.endIndex] == UInt8(ascii: ":"), !name.contains(where: { $0 == 0x5F || $0 == 0x7E })
    else { return nil }
    rest = rest[(name.endIndex + 1)...]
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func takeAuthority(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    rest = rest[authority.endIndex...]
    return authority
  }

  /// Whether a byte is a `pchar` or `/` (RFC 3986, section 3.3).
  private static func isPathByte(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
  }

  private static func isQueryByte(_ byte: UInt8) -> Bool {
    isPathByte(byte) || byte == UInt8(ascii: "?")
  }
}

/// The host and port of a URL (RFC 3986, section 3.2). A user name and password are detected but not stored.
struct URLAuthority {
  /// The host in lower case; a literal address in its canonical notation, with IPv6 in brackets.
  let host: String
  let port: Int?
  let hasUserinfo: Bool

  /// Throws only the reason; the caller knows the whole text.
  init(_ text: ArraySlice<UInt8>) throws(WebURLError.Reason) {
    let at = text.lastIndex(of: UInt8(ascii: "@"))
    hasUserinfo = at != nil
    let rest = at.map { text[($0 + 1)...] } ?? text
    let host = Self.hostPrefix(of: rest)
    self.host = try Self.canonicalHost(host)
    port = try Self.port(in: rest[host.endIndex...])
  }

  private static func hostPrefix(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.first == UInt8(ascii: "[") else { return text.prefix { $0 != UInt8(ascii: ":") } }
    return text[...(text.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex - 1)]
  }

  private static func canonicalHost(_ bytes: ArraySlice<UInt8>) throws(WebURLError.Reason) -> String {
    let host = String(decoding: bytes, as: UTF8.self)
    guard !bytes.isEmpty else { throw .noHost }
    guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .nonASCIIHost(host) }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), let address = IPAddress(host: host), address.isIPv6 else {
        throw .invalidHost(host)
      }
      return "[\(address)]"
    }
    let name = host.lowercased()
    guard !IPAddress.isIPv4Intended(by: name) else {
      guard let address = IPAddress(looseIPv4: name) else { throw .invalidHost(host) }
      return "\(address)"
    }
    guard isName(name) else { throw .invalidHost(host) }
    return name
  }

  /// Whether a name consists of letters, digits, `-`, and `_` between single dots. A trailing dot is allowed.
  private static func isName(_ name: String) -> Bool {
    var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    }
  }

  private static func port(in text: ArraySlice<UInt8>) throws(WebURLError.Reason) -> Int? {
    guard let colon = text.first else { return nil }
    let digits = text.dropFirst()
    let shown = String(decoding: digits, as: UTF8.self)
    guard colon == UInt8(ascii: ":") else { throw .invalidHost(String(decoding: text, as: UTF8.self)) }
    guard !digits.isEmpty else { return nil }
    guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let port = Int(shown), 1...65_535 ~= port
    else { throw .invalidPort(shown) }
    return port
  }
}

/// The reason why a string is not a URL that can be requested.
package struct WebURLError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case controlCharacter
    case noScheme
    case notHTTP(scheme: String)
    case noHost
    case nonASCIIHost(String)
    case invalidHost(String)
    case invalidPort(String)

    package var description: String {
      switch self {
      case .empty: "it is empty"
      case .controlCharacter: "it contains a control character"
      case .noScheme: "it does not start with http:// or https://"
      case .notHTTP(let scheme):
        "only http and https are supported, not \(JSONText.quoted(scheme.cut(after: 60)))"
      case .noHost: "it has no host"
      case .nonASCIIHost(let host):
        "the host \(JSONText.quoted(host.cut(after: 60))) is not ASCII (use its punycode form, xn--…)"
      case .invalidHost(let host): "\(JSONText.quoted(host.cut(after: 60))) is not a host name or address"
      case .invalidPort(let port):
        "the port \(JSONText.quoted(port.cut(after: 60))) is not a number from 1 to 65535"
      }
    }
  }

  package let reason: Reason
  /// The text without a possible user name and password, truncated to 200 scalars.
  package let url: String

  init(_ reason: Reason, in text: String) {
    self.reason = reason
    url = Self.withoutUserinfo(text).cut(after: 200)
  }

  /// Removes too much rather than too little, because a password may contain a slash.
  private static func withoutUserinfo(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let beforeQuery = scalars.prefix { $0 != "?" && $0 != "#" }
    guard let at = beforeQuery.lastIndex(of: "@") else { return text }
    return "…" + String(scalars[at...])
  }

  package var description: String { "invalid URL \(JSONText.quoted(url)): \(reason)" }
}

extension String {
  /// A hostile response must not fill a message.
  fileprivate func cut(after limit: Int) -> String {
    let head = unicodeScalars.prefix(limit)
    return head.endIndex == endIndex ? self : String(head) + "…"
  }
}
