/// An absolute http or https URL (RFC 3986) that is ready to send: legal bytes only, host in lower case, no
/// fragment, no user name or password.
///
/// Parsing is lenient, since services put such text into replies: surrounding spaces are dropped, illegal
/// bytes (spaces, brackets, quotes, non-ASCII) of the path and query are percent-encoded, and existing
/// escapes are unchanged. Control characters are an error.
package struct WebURL: Sendable, Hashable {
  package enum Scheme: String, Sendable, Hashable {
    case http, https

    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  package let scheme: Scheme
  /// In lower case; a literal address in its canonical notation, with IPv6 in brackets.
  package let host: String
  /// The explicit port, if any.
  package let port: Int?
  /// Whether the text contained a user name or password, which was dropped.
  package let hasUserinfo: Bool
  /// Percent-encoded. Begins with `/`.
  package let path: String
  /// Percent-encoded. Nil if the URL contains no `?`.
  package internal(set) var query: String?

  package init(_ text: String) throws(WebURLError) {
    let reference = try URLReference(text)
    guard let name = reference.scheme else {
      throw WebURLError(text.utf8.allSatisfy { $0 == 0x20 } ? .empty : .noScheme, in: text)
    }
    guard let scheme = Scheme(rawValue: name) else { throw WebURLError(.notHTTP(scheme: name), in: text) }
    guard let authority = reference.authority else { throw WebURLError(.noHost, in: text) }
    try self.init(scheme: scheme, authority: authority, reference, in: text)
  }

  /// A reference with an authority.
  init(
    scheme: Scheme, authority: ArraySlice<UInt8>, _ reference: URLReference, in text: String
  ) throws(WebURLError) {
    do throws(WebURLError.Reason) {
      let authority = try URLAuthority(authority)
      host = authority.host
      port = authority.port
      hasUserinfo = authority.hasUserinfo
    } catch {
      throw WebURLError(error, in: text)
    }
    self.scheme = scheme
    path = Self.withoutDotSegments(reference.path)
    query = reference.query
  }

  /// The same origin with another path and query.
  init(_ base: WebURL, path: String, query: String?) {
    scheme = base.scheme
    host = base.host
    port = base.port
    hasUserinfo = base.hasUserinfo
    self.path = path
    self.query = query
  }

  package var origin: Origin {
    Origin(scheme: scheme, host: host, port: port ?? scheme.defaultPort)
  }

  /// Path and query, as in the request line.
  package var requestTarget: String { path + (query.map { "?" + $0 } ?? "") }
}

extension WebURL: CustomStringConvertible {
  /// The whole URL, as sent.
  package var description: String {
    "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(requestTarget)"
  }
}

extension WebURL {
  /// The URL of a row's page in a form that is safe to show, open, and pass to other programs: http or https,
  /// no user name or password, legal bytes only (no blanks or quotes). Keeps the fragment. Nil for anything
  /// else.
  package static func link(_ text: String) -> String? {
    guard let url = try? WebURL(text), !url.hasUserinfo else { return nil }
    let bytes = Array(text.utf8)
    let fragment = bytes.firstIndex(of: UInt8(ascii: "#")).map { URLReference.fragment(bytes[($0 + 1)...]) }
    // Legal in a URL, but a quote to shells and xargs.
    return "\(url)\(fragment.map { "#\($0)" } ?? "")".replacing("'", with: "%27")
  }
}
