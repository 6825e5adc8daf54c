/// `link`: the reply carries the address of the next page, in the `Link` header, another header or the
/// body. It may be relative, and is followed unchanged (rules 13, 14, 16).
package struct LinkPagination: PaginationStyle {
  package static let keys = PaginationStyles.sharedKeys.union(["next", "hosts"])
  package static let name = "link"

  private let signs: EndSigns

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {
    guard settings.next != nil else {
      throw PaginationProblem(key: "next", "says where the next link is and is required here: \"link:next\"")
    }
    self.signs = EndSigns(settings: settings)
  }

  package var first: Position { Position(ordinal: 0, value: .start) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .link(let url) = position.value { draft.target = url }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation {
    guard let (value, evidence) = signs.promise(in: page.reply) else { return .end(.last) }
    guard let target = value.string else {
      throw PaginationProblem(key: "next", "gave \(value.kindName) where a link should be")
    }
    return .next(position.next(.link(try resolved(target, against: page.reply.url))), evidence)
  }

  /// The target on the origin of the reply, or on a host the source allows.
  private func resolved(_ target: String, against base: WebURL) throws(PaginationProblem) -> WebURL {
    let url: WebURL
    do { url = try base.resolving(target) } catch {
      throw PaginationProblem(key: "next", "gave a link that cannot be followed: \(error)")
    }
    if let refusal = FollowRule(base: base.origin, hosts: signs.settings.hosts).refusal(
      of: url, from: base.origin)
    {
      throw PaginationProblem(key: "next", "gave a link that \(refusal)")
    }
    return url
  }
}
