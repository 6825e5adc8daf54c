import FeedbackLoop
import Pager
import Search
import Synchronization

/// The latest events of a session, bounded by `limit` bytes of memory, so that a session that failed can
/// still be recorded. When the limit is reached, the texts of the oldest rows are dropped first, because
/// nothing else depends on them, and then the oldest events.
final class RecentEvents: Sendable {
  typealias Entry = EventLog<PagerEvent>.Entry

  fileprivate struct State {
    var entries = ChunkedQueue<Entry>()
    var bytes = 0
    var lostEvents = 0
    var pagesWithoutTexts = 0
    /// The positions that contain secrets in pages that are no longer kept.
    var secretPositions: [Position] = []
    /// All entries before this index have had their texts dropped.
    var firstWithTexts = 0
    /// The entries that include the rows of an order.
    var wholeOrders: [Int] = []
  }

  private let state = Mutex(State())
  private let limit: Int

  /// The default limit leaves a mebibyte of the memory budget of a session for what is not counted: slots of
  /// dropped events and allocator overhead.
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
      return (header, state.entries.all, state.secretPositions)
    }
  }

  /// The memory of an event in bytes: its slot and its allocations.
  static func bytes(of event: PagerEvent) -> Int { ChunkedQueue<Entry>.stride + event.heldBytes }
}

/// A queue whose elements keep a stable index. Elements are stored in blocks that are freed one by one, so
/// that memory follows the count; an array could keep up to four times as much.
struct ChunkedQueue<Element> {
  /// The number of elements in a block.
  private static var length: Int { 256 }
  static var stride: Int { MemoryLayout<Element?>.stride }

  private var blocks: [[Element?]] = []
  /// The index of the first element of the first block, which may have been removed.
  private var base = 0
  private(set) var startIndex = 0
  private(set) var endIndex = 0

  /// All remaining elements. O(n).
  var all: [Element] { blocks.joined().compactMap(\.self) }

  /// Places that take memory, with those of elements that were dropped. O(1).
  var placeCount: Int { blocks.count * Self.length }

  func contains(_ index: Int) -> Bool { startIndex..<endIndex ~= index }

  /// Nil if there is no such element. O(1).
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
  /// Frees some memory; false if nothing is left to drop.
  fileprivate mutating func dropOldestTexts() -> Bool {
    firstWithTexts = max(firstWithTexts, entries.startIndex)
    while firstWithTexts < entries.endIndex {
      if let light = entries[firstWithTexts]?.event.withoutTexts {
        replaceEvent(at: firstWithTexts, with: light)
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
    let superseded = wholeOrders.firstIndex { index in
      if case .ordered(let previous)? = entries[index]?.event {
        previous.rules == order.rules
      } else {
        true
      }
    }
    if let previous = superseded ?? (wholeOrders.count > 1 ? 0 : nil) {
      let index = wholeOrders.remove(at: previous)
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
