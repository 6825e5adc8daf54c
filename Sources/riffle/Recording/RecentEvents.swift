import FeedbackLoop
import Pager
import Search
import Synchronization

/// The latest events of a session, at most as many as take `limit` bytes, so that a session that failed can be
/// recorded afterwards. First the texts of the oldest rows go, by which nothing else is decided, and then the oldest
/// events.
final class RecentEvents: Sendable {
  typealias Entry = EventLog<PagerEvent>.Entry

  fileprivate struct State {
    var entries: ArraySlice<Entry> = []
    var bytes = 0
    var lostEvents = 0
    var barePages = 0
    /// Before this entry all are light.
    var firstHeavy = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = 8 << 20) { self.limit = limit }

  /// O(1) amortised.
  func note(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += entry.event.weight
      while state.bytes > limit, state.lighten() {}
    }
  }

  /// What is kept, and what of it the header is to tell.
  func recording(_ header: RecordingHeader) -> (header: RecordingHeader, entries: ArraySlice<Entry>) {
    state.withLock { state in
      var header = header
      header.lostEvents = state.lostEvents
      header.barePages = state.barePages
      return (header, state.entries)
    }
  }
}

extension RecentEvents.State {
  /// Makes room; false when there is nothing left to drop.
  fileprivate mutating func lighten() -> Bool {
    firstHeavy = max(firstHeavy, entries.startIndex)
    while firstHeavy < entries.endIndex {
      let entry = entries[firstHeavy]
      if let light = entry.event.withoutTexts {
        bytes += light.weight - entry.event.weight
        barePages += 1
        entries[firstHeavy] = RecentEvents.Entry(
          sequence: entry.sequence, time: entry.time, event: light, origin: entry.origin)
        return true
      }
      firstHeavy += 1
    }
    guard let first = entries.popFirst() else { return false }
    bytes -= first.event.weight
    lostEvents += 1
    return true
  }
}

extension PagerEvent {
  /// About how many bytes it takes.
  fileprivate var weight: Int {
    switch self {
    case .session(.loaded(let page, _)): 512 + page.weight
    case .pasted(let text): 128 + text.utf8.count
    case .ordered(let order): 256 + order.rows.count * (order.rules.sort == nil ? 4 : 28)
    case .read(.read(let fields, let body, let lines), _):
      256 + fields.reduce(0) { $0 + $1.text.utf8.count } + (body?.utf8.count ?? 0)
        + lines.reduce(0) { $0 + $1.utf8.count }
    case .historyRead(let queries): queries.reduce(128) { $0 + $1.utf8.count }
    default: 192
    }
  }

  /// The event without the texts of its rows; nil when it has none.
  fileprivate var withoutTexts: PagerEvent? {
    guard case .session(.loaded(let page, let request)) = self, page.hasTexts else { return nil }
    return .session(.loaded(page.withoutTexts, for: request))
  }
}

extension Page {
  fileprivate var hasTexts: Bool {
    if case .cells(let cells) = content { !cells.text.isEmpty } else { false }
  }

  fileprivate var weight: Int {
    guard case .cells(let cells) = content else { return 0 }
    return cells.text.count + cells.rowCount * 4 * (cells.columns.count + 1) + keys.count * 8
  }
}
