/// The end signs every style reads the same way, in the order of rule 1: an explicit flag, then the
/// next value, then the page count, then the total, then an empty page, then a short one; what is declared
/// first in this order decides alone. (Total, empty and short pages are weighed by the session, which alone
/// knows what came before.)
struct EndSigns {
  let settings: PaginationSettings

  /// Whether the reply says that more follows; nil when it declares nothing.
  private func flag(in reply: ReplyValues) -> Bool? {
    if let more = settings.more { return reply.isTrue(more) }
    if let done = settings.done { return !reply.isTrue(done) }
    return nil
  }

  /// The next value; nil when none is declared, or it is "", null, false, {}, [] or absent (rule 2).
  private func nextValue(in reply: ReplyValues) -> ReplyValue? {
    settings.next.flatMap { reply.presentValue(of: $0) }
  }

  /// For styles that follow the next value: that value and how sure it is; nil when the list is over,
  /// because a flag says so, or there is no value, or the source ends on empty pages.
  ///
  /// - Throws: when `more` says that the list goes on and nothing says where: rows are missing then.
  func promise(
    after page: PageFacts
  ) throws(PaginationProblem) -> (value: ReplyValue, evidence: Evidence)? {
    let flag = flag(in: page.reply)
    guard flag != false, !isEmptyEnd(page) else { return nil }
    if let value = nextValue(in: page.reply) { return (value, flag == true ? .flag : .value) }
    guard let more = settings.more, page.reply.isTrue(more) else { return nil }
    throw PaginationProblem(key: "next", "leads nowhere, though the reply says that more follows")
  }

  /// For styles that reckon the next page themselves: a declared next is only a flag there (rule 1).
  ///
  /// - Parameters:
  ///   - next: the page to go on with.
  ///   - pagesSoFar: how many pages there were, this one included.
  func continuation(after page: PageFacts, to next: Position, pagesSoFar: Int) -> Continuation {
    if isEmptyEnd(page) { return .end(.emptyPage) }
    if let more = flag(in: page.reply) { return more ? .next(next, .flag) : .end(.last) }
    if settings.next != nil { return nextValue(in: page.reply) == nil ? .end(.last) : .next(next, .value) }
    if let count = pageCount(in: page.reply) {
      return pagesSoFar < count ? .next(next, .pageCount) : .end(.last)
    }
    return .next(next, isShortEnd(page) ? .shortPage : .none)
  }

  /// The declared number of pages.
  func pageCount(in reply: ReplyValues) -> Int? {
    settings.pages.flatMap { reply.text(of: $0) }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  private func isEmptyEnd(_ page: PageFacts) -> Bool {
    page.rowCount == 0 && settings.endSigns.contains(.empty)
  }

  private func isShortEnd(_ page: PageFacts) -> Bool {
    guard settings.endSigns.contains(.short), let size = page.pageSize else { return false }
    return page.rowCount < size
  }
}
