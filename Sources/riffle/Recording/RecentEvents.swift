import FeedbackLoop
import Pager
import Search
import Synchronization

/// The latest events of a session, at most as many as take `limit` bytes in memory, with all that they hold, so that
/// a session that failed can be recorded afterwards. First the texts of the oldest rows go, by which nothing else is decided, and then the oldest
/// events.
final class RecentEvents: Sendable {
  typealias Entry = EventLog<PagerEvent>.Entry

  fileprivate struct State {
    var entries = Backlog<Entry>()
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

  /// A mebibyte less than a session may grow by, for what is not counted: places of dropped events, and the allocator's.
  init(limit: Int = 7 << 20) { self.limit = limit }

  /// O(1) amortised.
  func note(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += Self.bytes(of: entry.event)
      if case .ordered(let order) = entry.event { state.outlineOrders(before: order) }
      while state.bytes > limit, state.lighten() {}
    }
  }

  /// What is kept, what of it the header is to tell, and positions with secrets that the rest may repeat.
  func recording(
    _ header: RecordingHeader
  ) -> (header: RecordingHeader, entries: [Entry], secretPositions: [Position]) {
    state.withLock { state in
      var header = header
      header.lostEvents = state.lostEvents
      header.barePages = state.barePages
      return (header, state.entries.all, state.secretPositions)
    }
  }

  /// What an event takes here: its place, and what it holds besides.
  static func bytes(of event: PagerEvent) -> Int { Backlog<Entry>.stride + event.heldBytes }
}

/// Elements in the order they came, each with an index that it keeps; the first can go. They lie in blocks that go
/// one by one: what it takes follows what it holds, where an array would keep up to four times as much.
private struct Backlog<Element> {
  /// Elements of a block.
  private static var length: Int { 256 }
  static var stride: Int { MemoryLayout<Element?>.stride }

  private var blocks: [[Element?]] = []
  /// The index of the first element of the first block, which may be dropped.
  private var base = 0
  private(set) var startIndex = 0
  private(set) var endIndex = 0

  /// Those that are there. O(n).
  var all: [Element] { blocks.joined().compactMap(\.self) }

  func contains(_ index: Int) -> Bool { startIndex..<endIndex ~= index }

  /// Nil for one that is not there. O(1).
  subscript(index: Int) -> Element? {
    get { contains(index) ? blocks[(index - base) / Self.length][(index - base) % Self.length] : nil }
    set {
      if contains(index) { blocks[(index - base) / Self.length][(index - base) % Self.length] = newValue }
    }
  }

  mutating func append(_ element: Element) {
    if (endIndex - base) % Self.length == 0 {
      var block: [Element?] = []
      block.reserveCapacity(Self.length)
      blocks.append(block)
    }
    blocks[blocks.count - 1].append(element)
    endIndex += 1
  }

  mutating func popFirst() -> Element? {
    guard let first = self[startIndex] else { return nil }
    self[startIndex] = nil
    startIndex += 1
    if startIndex - base == Self.length {
      blocks.removeFirst()
      base = startIndex
    }
    return first
  }
}

extension RecentEvents.State {
  /// Makes room; false when there is nothing left to drop.
  fileprivate mutating func lighten() -> Bool {
    firstHeavy = max(firstHeavy, entries.startIndex)
    while firstHeavy < entries.endIndex {
      if let light = entries[firstHeavy]?.event.withoutTexts {
        replaceEvent(at: firstHeavy, with: light)
        barePages += 1
        return true
      }
      firstHeavy += 1
    }
    guard let first = entries.popFirst() else { return false }
    bytes -= RecentEvents.bytes(of: first.event)
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
      if case .ordered(let former)? = entries[index]?.event {
        former.rules == order.rules
      } else {
        true
      }
    }
    if let former = superseded ?? (wholeOrders.count > 1 ? 0 : nil) {
      let index = wholeOrders.remove(at: former)
      if let entry = entries[index] { replaceEvent(at: index, with: entry.event.outline) }
    }
    wholeOrders.append(entries.endIndex - 1)
  }

  private mutating func replaceEvent(at index: Int, with event: PagerEvent) {
    guard let entry = entries[index] else { return }
    bytes += event.heldBytes - entry.event.heldBytes
    entries[index] = RecentEvents.Entry(
      sequence: entry.sequence, time: entry.time, event: event, origin: entry.origin)
  }
}
