import DequeModule
import FeedbackLoop
import Pager
import Search

/// The latest events of a session, bounded by `limit` bytes of memory, so that a session that failed can
/// still be recorded. When the limit is reached, the texts of the oldest rows are dropped first, because
/// nothing else depends on them, and then the oldest events.
final class RecentEvents: Sendable {
  typealias Entry = EventLog<PagerEvent>.Entry

  fileprivate struct State {
    var entries = Deque<Entry>()
    var bytes = 0
    /// The number of dropped events, and so the number of the first entry, from 0.
    var lostEvents = 0
    var pagesWithoutTexts = 0
    /// The positions that contain secrets in pages that are no longer kept.
    var secretPositions: [Position] = []
    /// All entries before this number have had their texts dropped.
    var firstWithTexts = 0
    /// The numbers of the entries that include the rows of an order.
    var wholeOrders: [Int] = []
  }

  private let state = Lock(State())
  private let limit: Int

  /// The default limit leaves a mebibyte of the memory budget of a session for what is not counted: free slots and
  /// allocator overhead.
  init(limit: Int = 7 << 20) { self.limit = limit }

  /// Amortized O(1).
  func note(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += Self.bytes(of: entry.event)
      if case .ordered(let order) = entry.event { state.outlineOrders(before: order) }
      while state.bytes > limit, state.dropOldestTexts() {}
    }
  }

  /// The kept events, the losses for the header to report, and the positions with secrets that the events may
  /// repeat.
  func recording(
    _ header: RecordingHeader
  ) -> (header: RecordingHeader, entries: [Entry], secretPositions: [Position]) {
    state.withLock { state in
      var header = header
      header.lostEvents = state.lostEvents
      header.pagesWithoutTexts = state.pagesWithoutTexts
      return (header, Array(state.entries), state.secretPositions)
    }
  }

  /// The memory of an event in bytes: its slot and its allocations.
  static func bytes(of event: PagerEvent) -> Int { MemoryLayout<Entry>.stride + memory(of: event) }
}

extension RecentEvents.State {
  /// Frees some memory; false if nothing is left to drop.
  fileprivate mutating func dropOldestTexts() -> Bool {
    firstWithTexts = max(firstWithTexts, lostEvents)
    while let entry = entry(firstWithTexts) {
      if let light = entry.event.withoutTexts {
        replaceEvent(firstWithTexts, with: light)
        pagesWithoutTexts += 1
        return true
      }
      firstWithTexts += 1
    }
    guard let first = entries.popFirst() else { return false }
    bytes -= RecentEvents.bytes(of: first.event)
    lostEvents += 1
    if case .session(.loaded(let page, _)) = first.event, let next = page.secretNext {
      secretPositions.append(next)
    }
    return true
  }

  /// The latest orders of the list and of the search are kept with their rows, because those cannot be
  /// recomputed once the texts are dropped. For all others the outline is enough.
  fileprivate mutating func outlineOrders(before order: RowOrder) {
    let superseded = wholeOrders.firstIndex { number in
      if case .ordered(let previous)? = entry(number)?.event { previous.rules == order.rules } else { true }
    }
    if let previous = superseded ?? (wholeOrders.count > 1 ? 0 : nil) {
      let number = wholeOrders.remove(at: previous)
      if let entry = entry(number) { replaceEvent(number, with: entry.event.outline) }
    }
    wholeOrders.append(lostEvents + entries.count - 1)
  }

  /// Nil if it was dropped or is not there yet.
  private func entry(_ number: Int) -> RecentEvents.Entry? {
    entries.indices.contains(number - lostEvents) ? entries[number - lostEvents] : nil
  }

  private mutating func replaceEvent(_ number: Int, with event: PagerEvent) {
    guard let entry = entry(number) else { return }
    bytes += RecentEvents.bytes(of: event) - RecentEvents.bytes(of: entry.event)
    entries[number - lostEvents] = entry.with(event)
  }
}

extension EventLog<PagerEvent>.Entry {
  /// The entry with another event in its place.
  func with(_ event: PagerEvent) -> Self {
    Self(sequence: sequence, time: time, event: event, origin: origin)
  }
}

/// What can be dropped from an event.
extension PagerEvent {
  /// The event without the command lines of programs and what they printed, which may be secret.
  var withoutOutput: PagerEvent {
    if case .effectEnded(let id, .ran(let report)) = self {
      .effectEnded(id: id, .ran(report.recorded))
    } else {
      self
    }
  }

  /// The event without what can be recomputed from the state.
  var outline: PagerEvent { if case .ordered(let order) = self { .ordered(order.outline) } else { self } }

  /// The event without the texts of its rows; nil if it has none.
  var withoutTexts: PagerEvent? {
    guard case .session(.loaded(let page, let request)) = self, case .cells(let cells) = page.content,
      !cells.text.isEmpty
    else { return nil }
    return .session(.loaded(page.withoutTexts, for: request))
  }
}

/// The approximate size in bytes of what a value holds besides its own place: texts, lists and rows.
private func memory(of value: Any) -> Int {
  switch value {
  // Short texts are stored inline.
  case let text as String: text.utf8.count > 15 ? 32 + text.utf8.count : 0
  case let texts as [String]: texts.reduce(32) { $0 + 16 + memory(of: $1) }
  // The columns are shared by all pages of a session.
  case let cells as CellTable: cells.heldBytes
  case let keys as [UInt64]: 8 * keys.count
  case let order as RowOrder: order.rows.count * (order.rules.sort == nil ? 4 : 28)
  default: Mirror(reflecting: value).children.reduce(0) { $0 + memory(of: $1.value) }
  }
}
