import Search
private import Text

/// Each request with what became of it; the latest first.
enum LogView {
  static func lines(_ state: PagerState) -> [StyledText] {
    if state.session.log.isEmpty {
      return state.paragraph("nothing was asked yet", state.theme[.dim])
    }
    return lines(of: state.session.log, state)
  }

  static func lines(of entries: [LoggedRequest], _ state: PagerState) -> [StyledText] {
    entries.reversed().flatMap { entry in
      state.paragraph(facts(entry, state), entry.failure == nil ? .plain : state.theme[.error])
        + state.paragraph(entry.address, state.theme[.dim], indent: 3)
        + (entry.failure.map { state.paragraph($0, state.theme[.error], indent: 3) } ?? [])
    }
  }

  private static func facts(_ entry: LoggedRequest, _ state: PagerState) -> String {
    let sentAt = entry.exchange.sentAt
    let time = sentAt > 0 ? Timestamp(epoch: sentAt)?.clock(in: state.rules.zone) : nil
    let outcome = entry.exchange.status == nil ? ["no reply"] : entry.facts
    return ([time, entry.name].compactMap(\.self) + outcome).joined(separator: "  ")
  }
}
