package import HTTPValues

/// Decides, for each reply, whether a redirect is followed. It has no side effects.
///
/// Only 301, 302, 303, 307 and 308 are redirects. The method of a request is never changed. A target must be
/// the configured origin, its host upgraded from http to https, or a host that the request lists. Credentials
/// are sent only to the configured origin, and to none once a redirect has left it; a listed host, or another
/// port of the same host, receives no header field that may be personal.
package struct Redirects: Sendable {
  package enum Decision: Sendable, Hashable {
    /// Not a redirect: the reply is the result.
    case deliver
    case follow(HTTPRequest)
    case refuse(RedirectRefusal)
  }

  /// The maximum number of redirects followed per request.
  package static let limit = 5

  private let configured: Origin
  private var followed = 0

  package init(of request: HTTPRequest) { configured = request.home }

  /// What to do with a reply.
  ///
  /// - Parameters:
  ///   - locations: The values of the reply's `Location` fields; the first one is used.
  ///   - request: The request that was sent.
  package mutating func decision(status: Int, locations: [String], to request: HTTPRequest) -> Decision {
    guard [301, 302, 303, 307, 308].contains(status) else { return .deliver }
    guard followed < Self.limit else { return .refuse(.tooMany(limit: Self.limit)) }
    guard let location = locations.first else { return .refuse(.noLocation) }
    guard request.isSafe, request.method != .post || status >= 307 else { return .refuse(.unsafeMethod) }
    do {
      let target = try request.url.resolving(location)
      let rule = FollowRule(base: configured, hosts: request.allowedHosts)
      if let refusal = rule.refusal(of: target, from: request.url.origin) { return .refuse(.target(refusal)) }
      followed += 1
      return .follow(self.request(request, sentTo: target, isHome: rule.isHome(target.origin)))
    } catch {
      return .refuse(.unreadable("\(error)"))
    }
  }

  private func request(_ request: HTTPRequest, sentTo target: WebURL, isHome: Bool) -> HTTPRequest {
    var next = request
    next.url = target
    if target.origin != configured {
      for case .query(let name) in request.credentials.map(\.place) { next.url.removeQueryItems(named: name) }
      next.credentials = []
    }
    if !isHome { next.headers = request.headers.withoutCredentials }
    return next
  }
}
