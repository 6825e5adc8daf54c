import HTTPValues
import Locking
private import Text

/// The cookies of a run (RFC 6265). They are stored in memory, and only for the configured origin of the source,
/// regardless of `Domain`.
final class CookieJar: Sendable {
  /// The maximum number of cookies per origin, and the maximum size of a cookie in bytes (RFC 6265, section
  /// 6.1).
  private static let most = 50
  private static let largest = 4_096

  private let cookies = Lock<[Origin: [Cookie]]>([:])

  /// The request with the cookies of its origin. The request's own cookies come first and take precedence.
  ///
  /// - Parameter now: The time in seconds since 1970.
  func added(to request: HTTPRequest, now: Double) -> HTTPRequest {
    let origin = request.url.origin
    guard origin == request.home else { return request }
    let kept = cookies.withLock { $0[origin] ?? [] }.filter { $0.isAlive(at: now) && $0.covers(request.url) }
    if kept.isEmpty { return request }
    let own = request.headers.all("Cookie").joined(separator: "; ")
    let names = Set(own.split(separator: ";").map { $0.prefix { $0 != "=" }.trimmedBlanks })
    // Cookies with the longest paths come first (section 5.4).
    let new = kept.filter { !names.contains($0.name[...]) }
    let added = new.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value)" }
    let value = ([own] + added).filter { !$0.isEmpty }.joined(separator: "; ")
    var request = request
    request.headers.set(HTTPField(received: "Cookie", value: value))
    return request
  }

  /// Applies the cookies that a response sets, changes or removes.
  func keep(from response: HTTPResponse, to request: HTTPRequest, now: Double) {
    let origin = request.url.origin
    guard origin == request.home else { return }
    let fields = response.headers.all("Set-Cookie").prefix(Self.most)
    let new = fields.filter { $0.utf8.count <= Self.largest }.compactMap {
      Cookie($0, of: request.url, now: now)
    }
    if new.isEmpty { return }
    cookies.withLock { cookies in
      var kept = cookies[origin] ?? []
      for cookie in new {
        kept.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        if cookie.isAlive(at: now) { kept.append(cookie) }
      }
      cookies[origin] = kept.suffix(Self.most)
    }
  }
}

private struct Cookie {
  let name: String
  let value: String
  let path: String
  /// When the cookie expires, in seconds since 1970; nil for the end of the run.
  private var end: Double?

  /// Parses a `Set-Cookie` field (section 5.2); nil if it is invalid, or not for this URL.
  init?(_ field: String, of url: WebURL, now: Double) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2, case let name = pair[0].trimmedBlanks, !name.isEmpty,
      field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
    else { return nil }
    self.name = String(name)
    value = String(pair[1].trimmedBlanks)
    var attributes: [String: Substring] = [:]
    for part in parts.dropFirst() {
      let attribute = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      attributes[attribute[0].trimmedBlanks.lowercased()] = attribute.dropFirst().first?.trimmedBlanks ?? ""
    }
    if let domain = attributes["domain"], !domain.isEmpty, !Self.covers(domain, url.host) { return nil }
    if attributes["secure"] != nil, !url.origin.isProtected { return nil }
    let path = attributes["path"] ?? ""
    self.path = path.hasPrefix("/") ? String(path) : Self.folder(of: url)
    if let age = attributes["max-age"].flatMap({ Double($0) }) {
      end = age > 0 ? now + age : 0
    } else if let date = attributes["expires"], let now = Timestamp(epoch: now) {
      // Many fields have `01-Jan-2030` instead of `01 Jan 2030`.
      let expiry =
        Timestamp(httpDate: date, now: now) ?? Timestamp(httpDate: date.replacing("-", with: " "), now: now)
      end = expiry?.epoch
    }
  }

  func isAlive(at now: Double) -> Bool { end.map { $0 > now } ?? true }

  /// Whether the cookie is sent to a URL (section 5.1.4).
  func covers(_ url: WebURL) -> Bool {
    let requested = url.path.isEmpty ? "/" : url.path
    return requested == path || requested.hasPrefix(path.hasSuffix("/") ? path : path + "/")
  }

  private static func folder(of url: WebURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash > url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }

  /// Whether a host matches a domain (section 5.1.3).
  private static func covers(_ domain: Substring, _ host: String) -> Bool {
    let domain = (domain.hasPrefix(".") ? domain.dropFirst() : domain).lowercased()
    return host == domain || host.hasSuffix("." + domain) && IPAddress(host: host) == nil
  }
}
