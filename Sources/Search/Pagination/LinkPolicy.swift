/// Which next links may be followed: those of the same origin, http raised to https on the same host,
/// and the hosts a source lists. Never one that carries a user name, and never from a public origin to
/// a private address: a reply is hostile input.
package struct LinkPolicy: Sendable {
  package enum Verdict: Sendable, Hashable {
    case follow
    case refuse(String)
  }

  private let hosts: [String]

  package init(hosts: [String]) { self.hosts = hosts }

  package func verdict(on target: WebURL, from base: WebURL) -> Verdict {
    if target.hasUserinfo { return .refuse("gave a link with a user name in it, which is never followed") }
    if target.origin == base.origin || isUpgrade(of: base.origin, to: target.origin) { return .follow }
    if !isListed(target.origin) {
      return .refuse(
        "leads to another origin, \(target.origin); list its host in pagination.hosts to allow that")
    }
    if target.origin.hostClass != .global && base.origin.hostClass == .global {
      return .refuse("leads to a private address, \(target.origin), which is never followed")
    }
    return .follow
  }

  /// http→https on the same host; the port may change only from 80 to 443.
  private func isUpgrade(of base: Origin, to target: Origin) -> Bool {
    base.scheme == .http && target.scheme == .https && base.host == target.host
      && (base.port == target.port || (base.port == 80 && target.port == 443))
  }

  private func isListed(_ origin: Origin) -> Bool {
    hosts.contains { entry in
      entry == "\(origin.host):\(origin.port)"
        || (entry == origin.host && origin.port == (origin.scheme == .https ? 443 : 80))
    }
  }
}
