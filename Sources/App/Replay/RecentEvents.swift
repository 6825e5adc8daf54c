import DequeModule
import FeedbackLoop
import HTTPValues
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
  static func bytes(of event: PagerEvent) -> Int { MemoryLayout<Entry>.stride + event.heldBytes }
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
    bytes += event.heldBytes - entry.event.heldBytes
    entries[number - lostEvents] = entry.with(event)
  }
}

extension EventLog<PagerEvent>.Entry {
  /// The entry with another event in its place.
  func with(_ event: PagerEvent) -> Self {
    Self(sequence: sequence, time: time, event: event, origin: origin)
  }
}

/// The memory an event takes, and what can be dropped from it.
extension PagerEvent {
  /// The approximate size in bytes of the event's storage outside its own stride.
  var heldBytes: Int {
    switch self {
    case .key, .mouse, .resized, .resumed, .background, .focused, .rested, .ticked, .watchElapsed: 0
    case .pasted(let text), .refused(let text), .warned(let text), .tripped(let text): text.heldBytes
    case .session(let event): boxBytes(of: event) + event.heldBytes
    case .ordered(let order):
      boxBytes(of: order) + order.rules.filter.heldBytes + order.rules.visible.heldBytes
        + order.rows.count * (order.rules.sort == nil ? 4 : 28)
    case .summarized(let summary):
      boxBytes(of: summary) + summary.values.reduce(0) { $0 + 40 + [$1.text, $1.term].heldBytes }
    case .read(let content, let identity), .rowRead(let content, let identity):
      boxBytes(of: (content, identity)) + content.heldBytes
    case .effectEnded(_, .done(let report)): report?.heldBytes ?? 0
    case .effectEnded(_, .failed(let report)): report.heldBytes
    case .effectEnded(_, .ran(let report)):
      boxBytes(of: report)
        + report.runs.reduce(0) {
          $0 + MemoryLayout<ProgramReport.Run>.stride + $1.command.heldBytes + $1.output.heldBytes
        }
    case .historyRead(let queries): queries.heldBytes
    case .childrenFound(let sources), .childrenOffered(let sources), .sourcesFound(let sources):
      sources.reduce(0) { $0 + 48 + ([$1.id, $1.title] + ($1.about ?? [])).heldBytes }
    case .tabsChanged(let list):
      boxBytes(of: list) + list.tabs.reduce(0) { $0 + 32 + [$1.title, $1.status].heldBytes }
    }
  }

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

extension SessionEvent {
  fileprivate var heldBytes: Int {
    switch self {
    case .searched(let query, _): query.heldBytes
    case .loaded(let page, let request): page.heldBytes + request.query.heldBytes + request.position.heldBytes
    case .failed(let error, let request, _):
      error.heldBytes + request.query.heldBytes + request.position.heldBytes
    case .totalReceived(_, let requested): requested.query.heldBytes
    case .totalFailed(let error, let requested, _): error.heldBytes + requested.query.heldBytes
    case .wanted, .refreshed, .stopped, .retried, .reached, .written: 0
    }
  }
}

extension Page {
  /// The columns are shared by all pages of a session, so they are not counted.
  fileprivate var heldBytes: Int {
    var bytes = keys.heldBytes + notes.heldBytes + exchange.address.heldBytes
    if case .next(let next, _) = continuation { bytes += 2 * next.heldBytes }
    if case .cells(let cells) = content { bytes += cells.heldBytes }
    return bytes
  }
}

extension Position {
  fileprivate var heldBytes: Int {
    switch value {
    case .start, .number: 0
    // Links and cursors are stored both as text and parsed.
    case .token, .link, .members: 256 + 2 * "\(value)".utf8.count
    }
  }
}

extension Query {
  fileprivate var heldBytes: Int {
    options.reduce(text.heldBytes) { $0 + 64 + $1.key.heldBytes + $1.value.heldBytes }
  }
}

extension PageError {
  fileprivate var heldBytes: Int {
    message.heldBytes + (remedy?.heldBytes ?? 0) + (exchange?.address.heldBytes ?? 0)
  }
}

extension RowDetail.Content {
  fileprivate var heldBytes: Int {
    switch self {
    case .read(let fields, let others, let body, let json):
      (fields + others).reduce(64) { $0 + 32 + $1.title.heldBytes + $1.text.heldBytes }
        + (body?.heldBytes ?? 0) + json.heldBytes
    case .failed(let why): why.heldBytes
    }
  }
}

/// The size of a heap allocation for a value.
private func boxBytes<Value>(of value: Value) -> Int { 16 + MemoryLayout<Value>.stride }

extension String {
  /// Short strings are stored inline.
  fileprivate var heldBytes: Int { utf8.count > 15 ? 32 + utf8.count : 0 }
}

extension [String] {
  fileprivate var heldBytes: Int { isEmpty ? 0 : reduce(32) { $0 + 16 + $1.heldBytes } }
}

extension Array where Element: FixedWidthInteger {
  fileprivate var heldBytes: Int { isEmpty ? 0 : 32 + MemoryLayout<Element>.stride * count }
}
