package import Search

/// The rule by which the redirects of one request are followed: a pure decision on each reply.
///
/// Only 301, 302, 303, 307 and 308 are redirects. A request is never repeated with another method. Targets are of
/// the configured origin, of its host raised from http to https, or on a host the request lists. Credentials
/// go to the configured origin alone, and to no origin any more once a redirect has left it; a listed host, or another
/// port of the same one, gets no header field that may be personal.
package struct Redirects: Sendable {
  package enum Decision: Sendable, Hashable {
    /// Not a redirect: the reply is the answer.
    case deliver
    case follow(HTTPRequest)
    case refuse(RedirectRefusal)
  }

  /// How many are followed for one request.
  package static let limit = 5

  private let configured: Origin
  private var followed = 0

  package init(of request: HTTPRequest) { configured = request.home }

  /// What to do with a reply.
  ///
  /// - Parameters:
  ///   - locations: The values of the reply's `Location` fields; the first one counts.
  ///   - request: The request the reply answers.
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
    if !isHome { next.headers = request.headers.impersonal }
    return next
  }
}
