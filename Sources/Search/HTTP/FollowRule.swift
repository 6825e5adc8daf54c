/// The URLs that a reply may lead to by a redirect or a next link: its own origin, an upgrade from http to
/// https on the same host, and the hosts that a source allows. A URL with a user name, a downgrade from https
/// to http, and a private network as the target of a public reply are refused, because a reply is hostile
/// input.
package struct FollowRule: Sendable {
  private let base: Origin
  private let hosts: [String]

  /// - Parameters:
  ///   - base: The requested origin.
  ///   - hosts: Other allowed hosts, as `host` (on the scheme's default port) or `host:port`.
  package init(base: Origin, hosts: [String]) {
    self.base = base
    self.hosts = hosts
  }

  /// Why `target`, found in a reply from `source`, is not followed; nil if it is.
  package func refusal(of target: WebURL, from source: Origin) -> FollowRefusal? {
    let origin = target.origin
    if target.hasUserinfo { return .userinfo }
    if origin.scheme == .http, source.scheme == .https { return .downgrade("\(origin)") }
    if isHome(origin) { return nil }
    guard origin.isListed(in: hosts) else { return .otherOrigin("\(origin)") }
    let isReachable = origin.hostClass == .global || origin.hostClass == base.hostClass
    return isReachable ? nil : .privateAddress(origin.host)
  }

  /// Whether an origin is the requested one, or its upgrade to https.
  package func isHome(_ origin: Origin) -> Bool { origin == base || isUpgrade(to: origin) }

  /// The port is unchanged, or changes from 80 to 443.
  private func isUpgrade(to origin: Origin) -> Bool {
    guard base.scheme == .http, origin.scheme == .https, origin.host == base.host else { return false }
    return origin.port == base.port || (base.port == 80 && origin.port == 443)
  }
}

/// Why a URL in a reply is not followed; reads as the end of "a link that …".
package enum FollowRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  case otherOrigin(String)
  case downgrade(String)
  case userinfo
  case privateAddress(String)

  package var description: String {
    switch self {
    case .otherOrigin(let origin):
      "leads to another origin, \(origin). To allow it, list its host in pagination.hosts"
    case .downgrade(let origin): "leads from https to \(origin), which is not allowed"
    case .userinfo: "contains a user name, which is not allowed"
    case .privateAddress(let host): "leads to a private address, \(host), which is not allowed"
    }
  }
}
