private import Text

/// Each request with what became of it; the latest first.
enum LogView {
  static func lines(_ state: PagerState) -> [StyledText] {
    let entries = state.requestLog.entries.reversed()
    if entries.isEmpty { return state.paragraph("nothing was asked yet", state.rules.theme[.dim]) }
    return entries.flatMap { entry in
      state.paragraph(
        facts(entry, state), entry.failure == nil ? .plain : state.rules.theme[.error])
        + state.paragraph(entry.address, state.rules.theme[.dim], indent: 3)
        + (entry.failure.map { state.paragraph($0, state.rules.theme[.error], indent: 3) } ?? [])
    }
  }

  private static func facts(_ entry: RequestLogEntry, _ state: PagerState) -> String {
    let time = Timestamp(epoch: entry.time)?.clock(offset: state.rules.utcOffset) ?? ""
    let facts = [
      time, entry.status.map(String.init) ?? "no reply", entry.bytes.flatMap { Digits.bytes(Double($0)) },
      entry.duration.map { DurationText.text($0) }, entry.attempt > 0 ? "try \(entry.attempt + 1)" : nil,
      entry.limits,
    ]
    return facts.compactMap(\.self).joined(separator: "  ")
  }
}
