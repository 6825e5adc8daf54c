extension Session {
  /// The pages to ask for now, in page order. A feedback fulfils them; each answer names its request.
  package var requests: [PageRequest] {
    slots.compactMap { slot in
      if case .asked = slot.status { request(for: slot) } else { nil }
    }
  }

  /// The waits that run now: when one is over, `.waited` with its request.
  package var waits: [WaitRequest] {
    slots.compactMap { slot in
      if case .waiting(let wait) = slot.status {
        WaitRequest(request: request(for: slot), until: wait.until)
      } else {
        nil
      }
    }
  }

  /// The first page that is loaded and not yet written (one-shot).
  package var unwritten: (ordinal: Int, block: RowStore.Block)? {
    fresh.blocks.indices.contains(writtenBlocks) ? (writtenBlocks, fresh.blocks[writtenBlocks]) : nil
  }

  func request(for slot: Slot) -> PageRequest {
    PageRequest(query: query, position: slot.position, generation: generation, attempt: slot.attempt)
  }

  /// Opens slots while more is wanted, a page is known, and the window has room.
  mutating func fillWindow(now: Double) {
    guard phase.isLoading || phase.isWaiting, !isBlocked else { return }
    while let position = frontier, isMoreWanted, slots.count < window, hasRoomToWrite {
      let start = max(earliestStart, walk.notBefore)
      let status: Slot.Status =
        start > now ? .waiting(Wait(until: start, reason: .pacing)) : .asked
      slots.append(Slot(position: position, status: status))
      walk.lastSentAt = max(start, now)
      frontier = follower(of: position)
    }
  }

  private var earliestStart: Double {
    demand.isBulk && walk.lastSentAt > 0 ? walk.lastSentAt + rules.minInterval : 0
  }

  /// A page that failed for good: none behind it is asked.
  private var isBlocked: Bool { if case .failed? = slots.last?.status { true } else { false } }

  /// The page after this one where it is known without a reply, and exists as far as one can tell.
  func follower(of position: Position) -> Position? {
    guard let stride = rules.stride, case .number(let number) = position.value else { return nil }
    return position.next(.number(number + stride))
  }

  /// Whether the pages loaded and asked for fall short of the demand.
  private var isMoreWanted: Bool {
    if let maxPages = rules.maxPages, pageCount + slots.count >= maxPages { return false }
    if let stale, stale.cause == .refresh, pageCount + slots.count >= stale.rows.blocks.count { return false }
    switch demand {
    case .nothing: return false
    case .pages(let count): return slots.count < count
    case .rows(let count):
      let expected = slots.count * max(walk.firstPageRows ?? Int.max / 1024, 1)
      return slots.isEmpty ? fresh.count < count : fresh.count + expected < count
    case .everything: return true
    }
  }

  /// How many pages may be in flight: one, unless pages are addressable and their number is known.
  private var window: Int {
    guard rules.stride != nil, let total, let size = walk.firstPageRows, size > 0 else { return 1 }
    var left = (total.count - walk.received + size - 1) / size
    if let last = rules.lastOrdinal { left = min(left, last + 1 - pageCount) }
    return max(1, min(rules.concurrency, left))
  }

  private var hasRoomToWrite: Bool {
    guard rules.awaitsWriting else { return true }
    let unwritten = fresh.blocks.count - writtenBlocks
    return slots.count + unwritten < max(rules.concurrency, 2)
  }
}

/// A wait to be carried out by a timer.
package struct WaitRequest: Sendable, Hashable {
  package var request: PageRequest
  /// Seconds since 1970.
  package var until: Double
}
