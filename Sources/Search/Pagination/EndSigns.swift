/// The end signs every style reads the same way, in the order of rule 1: an explicit flag, then the
/// next value, then the page count; what is declared first in this order decides alone. (The total is
/// weighed by the session, which alone knows how many rows have arrived.)
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

  /// The next value and how sure it is; nil when the list is over: a flag says so, or there is no value.
  func promise(in reply: ReplyValues) -> (value: ReplyValue, evidence: Evidence)? {
    let flag = flag(in: reply)
    guard flag != false, let value = nextValue(in: reply) else { return nil }
    return (value, flag == true ? .flag : .value)
  }

  /// For styles that reckon the next page themselves: a declared next is only a flag there (rule 1).
  ///
  /// - Parameters:
  ///   - next: the page to go on with.
  ///   - pagesSoFar: how many pages there were, this one included.
  func continuation(after page: PageFacts, to next: Position, pagesSoFar: Int) -> Continuation {
    if let more = flag(in: page.reply) { return more ? .next(next, .flag) : .end(.last) }
    if settings.next != nil { return nextValue(in: page.reply) == nil ? .end(.last) : .next(next, .value) }
    if let count = pageCount(in: page.reply) {
      return pagesSoFar < count ? .next(next, .pageCount) : .end(.last)
    }
    return isShort(page) ? .end(.last) : .next(next, .none)
  }

  private func pageCount(in reply: ReplyValues) -> Int? {
    settings.pages.flatMap { reply.text(of: $0) }.flatMap { Int($0) }
  }

  private func isShort(_ page: PageFacts) -> Bool {
    guard settings.endsOnShortPage, let size = page.pageSize else { return false }
    return page.rowCount < size
  }
}
