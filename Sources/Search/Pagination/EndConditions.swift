/// The end conditions that all styles share, in the order of rule 1: an explicit flag, the next value, the
/// page count, the total, an empty page, a short page. The first one that the source declares decides.
/// (Total, empty, and short pages are evaluated by the session, which knows the earlier pages.)
struct EndConditions {
  let settings: PaginationSettings

  /// Whether the reply says that more pages follow; nil if the source declares no flag.
  private func flag(in reply: ReplyValues) -> Bool? {
    if let more = settings.more { return reply.isTrue(more) }
    if let done = settings.done { return !reply.isTrue(done) }
    return nil
  }

  /// The next value; nil if none is declared, or it is "", null, false, {}, [], or absent (rule 2).
  private func nextValue(in reply: ReplyValues) -> ReplyValue? {
    settings.next.flatMap { reply.presentValue(of: $0) }
  }

  /// For styles that follow the next value: that value and the evidence for it; nil if the list has ended
  /// because a flag says so, the value is missing, or the source ends on empty pages.
  ///
  /// - Throws: If `more` says that the list continues but there is no next value: rows would be missing.
  func promise(
    after page: PageFacts
  ) throws(PaginationProblem) -> (value: ReplyValue, evidence: Evidence)? {
    let flag = flag(in: page.reply)
    guard flag != false, !isEmptyEnd(page) else { return nil }
    if let value = nextValue(in: page.reply) { return (value, flag == true ? .flag : .value) }
    guard let more = settings.more, page.reply.isTrue(more) else { return nil }
    throw PaginationProblem(key: "next", "is missing, although the reply says there are more rows")
  }

  /// For styles that compute the next page themselves: a declared `next` is only a flag (rule 1).
  ///
  /// - Parameters:
  ///   - next: The position of the next page.
  ///   - pagesSoFar: The number of pages so far, including this one.
  func continuation(after page: PageFacts, to next: Position, pagesSoFar: Int) -> Continuation {
    if isEmptyEnd(page) { return .end(.emptyPage) }
    if let more = flag(in: page.reply) { return more ? .next(next, .flag) : .end(.last) }
    if settings.next != nil { return nextValue(in: page.reply) == nil ? .end(.last) : .next(next, .value) }
    if let count = pageCount(in: page.reply) {
      return pagesSoFar < count ? .next(next, .pageCount) : .end(.last)
    }
    return .next(next, isShortEnd(page) ? .shortPage : .none)
  }

  /// The number of pages, where the source declares it.
  func pageCount(in reply: ReplyValues) -> Int? {
    settings.pages.flatMap { reply.text(of: $0) }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  private func isEmptyEnd(_ page: PageFacts) -> Bool {
    page.rowCount == 0 && settings.endConditions.contains(.empty)
  }

  private func isShortEnd(_ page: PageFacts) -> Bool {
    guard settings.endConditions.contains(.short), let size = page.pageSize else { return false }
    return page.rowCount < size
  }
}
