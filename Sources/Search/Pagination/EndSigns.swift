/// The end signs every style reads the same way, in the order of rule 1: an explicit flag, then the
/// next value, then the page count; what is declared first in this order decides alone. (The total is
/// weighed by the session, which alone knows how many rows have arrived.)
struct EndSigns {
  let settings: PaginationSettings

  /// Whether the reply says that more follows; nil when it declares nothing.
  func flag(in reply: ReplyValues) -> Bool? {
    if let more = settings.more { return reply.isTrue(more) }
    if let done = settings.done { return !reply.isTrue(done) }
    return nil
  }

  /// The next value; nil when none is declared, or it is "", null, false, {}, [] or absent (rule 2).
  func nextValue(in reply: ReplyValues) -> ReplyValue? {
    settings.next.flatMap { reply.presentValue(of: $0) }
  }

  /// The next value and how sure it is; nil when the list is over: a flag says so, or there is no value.
  func promise(in reply: ReplyValues) -> (value: ReplyValue, evidence: Evidence)? {
    let flag = flag(in: reply)
    guard flag != false, let value = nextValue(in: reply) else { return nil }
    return (value, flag == true ? .flag : .value)
  }

  func pageCount(in reply: ReplyValues) -> Int? {
    settings.pages.flatMap { reply.text(of: $0) }.flatMap { Int($0) }
  }

  func isShort(_ page: PageFacts) -> Bool {
    guard settings.endsOnShortPage, let size = page.pageSize else { return false }
    return page.rowCount < size
  }
}
