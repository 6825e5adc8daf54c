package import HTTPValues

/// `link`: the response carries the URL of the next page in the `Link` header, another header, or the body. The
/// URL may be relative, and is followed unchanged (rules 13, 14, 16).
package struct LinkPagination: PaginationStyle {
  package static let keys = PaginationStyles.followingKeys
  package static let ownKeys = [
    PaginationKey(
      name: "next_origin", kind: .choice(["response", "source", "request"]),
      meaning:
        "With `link`: `source` requests every page from the origin of `request.url`. It uses only the path and query of `next`, for a service behind a proxy. `request` uses only its query, for a URL that lacks a part of the path. Default: `response`, the origin in `next`."
    )
  ]
  package static let name = "link"
  package static let meaning =
    "The response contains the URL of the next page: `next` is `link:next`, another header, or a path. The URL may be relative."

  private let signs: EndConditions

  package init(_ settings: PaginationSettings) throws(PaginationError) {
    guard settings.next != nil else {
      throw PaginationError(key: "next", "missing (where the next link is, like \"link:next\")")
    }
    try settings.refuseShortEnd()
    self.signs = EndConditions(settings: settings)
  }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .link(let url) = position.value { draft.target = url }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation {
    guard let (value, evidence) = try signs.promise(after: page) else { return .end(.last) }
    guard let target = value.string else {
      throw PaginationError(key: "next", "returned \(value.kindName) instead of a link")
    }
    return .next(position.next(.link(try resolved(target, in: page))), evidence)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    guard position.carried.isEmpty else { throw .foreignPosition }
    switch position.value {
    case .start where position.ordinal == 0: break
    case .link(let url): try check(url, from: origin, origin: origin)
    default: throw .foreignPosition
    }
  }

  /// The target resolved against the response's URL; must be on the source's origin or on a host it allows.
  private func resolved(_ target: String, in page: PageFacts) throws(PaginationError) -> WebURL {
    let base = page.response.url
    let url: WebURL
    let origin = page.origin ?? base.origin
    do {
      let resolved = try base.resolving(target)
      url =
        switch signs.settings.own["next_origin"] {
        case .word("request")?: try base.resolving("?\(resolved.query ?? "")")
        case .word("source")?: try resolved.moved(to: origin)
        default: try resolved.upgraded(to: origin)
        }
    } catch {
      throw PaginationError(key: "next", "returned a link that cannot be followed: \(error)")
    }
    try check(url, from: base.origin, origin: origin)
    return url
  }

  private func check(_ url: WebURL, from source: Origin, origin: Origin) throws(PaginationError) {
    let rule = FollowRule(base: origin, hosts: signs.settings.hosts)
    let behindProxy = "If that is the same service behind a proxy, set pagination.next_origin = \"source\""
    switch rule.refusal(of: url, from: source) {
    case nil: break
    case .otherOrigin(let other)?:
      throw PaginationError(
        key: "next", "returned a link that leads to another origin, \(other). \(behindProxy)")
    case .privateAddress?:
      throw PaginationError(
        key: "next", "returned a link that leads to a private address, \(url.origin.host). \(behindProxy)")
    case let refusal?: throw PaginationError(key: "next", "returned a link that \(refusal)")
    }
  }
}
