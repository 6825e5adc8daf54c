import Search
private import Terminal
private import Text

/// The request log; the latest first.
enum LogView {
  static func lines(_ state: PagerState) -> [StyledText] {
    if state.session.log.isEmpty {
      return state.paragraph("No requests yet", state.theme[.dim])
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

  /// Time, page, status, size, duration, rows and the service's remaining budget, aligned if the screen is
  /// wide enough.
  private static func facts(_ entry: LoggedRequest, _ state: PagerState) -> String {
    let sentAt = entry.exchange.sentAt
    let time = sentAt > 0 ? Timestamp(epoch: sentAt)?.clock(in: state.rules.zone) : nil
    let outcome = entry.exchange.status == nil ? ["no reply"] : entry.facts
    guard state.canvas.size.columns >= Self.leastAligned else {
      return ([time, entry.name].compactMap(\.self) + outcome).joined(separator: "  ")
    }
    let start = padded(time ?? "", 8) + "  " + padded(entry.name, 16)
    guard entry.exchange.status != nil else { return "\(start)  no reply" }
    let facts = [(entry.status, 3), (entry.size, 9), (entry.time, 9), (entry.rowCount, 10)].map {
      text, width in
      padded(text ?? "", width, isTrailing: true)
    }
    return ([start] + facts + [entry.left].compactMap(\.self)).joined(separator: "  ")
  }

  private static let leastAligned = 76

  private static func padded(_ text: String, _ width: Int, isTrailing: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return isTrailing ? blanks + text : text + blanks
  }
}
