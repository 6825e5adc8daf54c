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
    /// Of pages that are not kept.
    var secretPositions: [Position] = []
    /// Before this entry all are light.
    var firstHeavy = 0
    /// Entries that tell the rows of an order.
    var wholeOrders: [Int] = []
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = 8 << 20) { self.limit = limit }

  /// O(1) amortised.
  func note(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += entry.event.weight
      if case .ordered(let order) = entry.event { state.outlineOrders(before: order) }
      while state.bytes > limit, state.lighten() {}
    }
  }

  /// What is kept, what of it the header is to tell, and positions with secrets that the rest may repeat.
  func recording(
    _ header: RecordingHeader
  ) -> (header: RecordingHeader, entries: ArraySlice<Entry>, secretPositions: [Position]) {
    state.withLock { state in
      var header = header
      header.lostEvents = state.lostEvents
      header.barePages = state.barePages
      return (header, state.entries, state.secretPositions)
    }
  }
}

extension RecentEvents.State {
  /// Makes room; false when there is nothing left to drop.
  fileprivate mutating func lighten() -> Bool {
    firstHeavy = max(firstHeavy, entries.startIndex)
    while firstHeavy < entries.endIndex {
      if let light = entries[firstHeavy].event.withoutTexts {
        replaceEvent(at: firstHeavy, with: light)
        barePages += 1
        return true
      }
      firstHeavy += 1
    }
    guard let first = entries.popFirst() else { return false }
    bytes -= first.event.weight
    lostEvents += 1
    if case .session(.loaded(let page, _)) = first.event, let next = page.secretNext {
      secretPositions.append(next)
    }
    return true
  }

  /// The last order of the list and that of the search are kept with their rows, since those cannot be chosen again where
  /// the texts are gone; of all others the outline is enough.
  fileprivate mutating func outlineOrders(before order: RowOrder) {
    let superseded = wholeOrders.firstIndex { index in
      if entries.indices.contains(index), case .ordered(let former) = entries[index].event {
        former.rules == order.rules
      } else {
        true
      }
    }
    if let former = superseded ?? (wholeOrders.count > 1 ? 0 : nil) {
      let index = wholeOrders.remove(at: former)
      if entries.indices.contains(index) { replaceEvent(at: index, with: entries[index].event.outline) }
    }
    wholeOrders.append(entries.endIndex - 1)
  }

  private mutating func replaceEvent(at index: Int, with event: PagerEvent) {
    let entry = entries[index]
    bytes += event.weight - entry.event.weight
    entries[index] = RecentEvents.Entry(
      sequence: entry.sequence, time: entry.time, event: event, origin: entry.origin)
  }
}
