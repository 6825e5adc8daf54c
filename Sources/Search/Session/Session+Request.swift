extension Session {
  /// The pages to request now, in page order. A feedback sends the requests; each reply identifies its
  /// request.
  package var requests: [PageRequest] {
    slots.compactMap { slot in
      if case .requested = slot.status { request(for: slot) } else { nil }
    }
  }

  /// The next time at which something changes: a wait is over, a budget is reset, or a refused request may be
  /// sent again. It is later than `clock`; a feedback sends `.reached` at that time. Nil if nothing is
  /// scheduled.
  package var alarm: Double? {
    var times = slots.compactMap { slot -> Double? in
      switch slot.status {
      case .waiting(let wait): wait.until
      case .failed(_, let until): until
      case .requested, .arrived: nil
      }
    }
    times += [totalWait?.until, totalRefusedUntil].compactMap(\.self)
    if let reset = ledger.current.budget?.resetsAt { times.append(reset) }
    return times.filter { $0 > clock }.min()
  }

  /// Moves the clock forward and requests whatever was waiting until then. The clock is never set back.
  mutating func advance(to time: Double) {
    guard time > clock else { return }
    clock = time
    wakeTotal(at: time)
    for index in slots.indices {
      guard case .waiting(let wait) = slots[index].status, wait.until <= time else { continue }
      slots[index].status = .requested
      progress.lastSentAt = max(progress.lastSentAt, time)
    }
    settlePhase()
  }

  /// The first page that is loaded and not yet written (one-shot mode).
  package var unwritten: (ordinal: Int, block: RowStore.Block)? {
    fresh.blocks.first.map { (fresh.releasedBlocks, $0) }
  }

  func request(for slot: Slot) -> PageRequest {
    PageRequest(query: query, position: slot.position, generation: generation, attempt: slot.attempt)
  }
}
