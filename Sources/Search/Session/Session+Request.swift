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
    fresh.blocks.first.map { (fresh.releasedBlocks, $0) }
  }

  func request(for slot: Slot) -> PageRequest {
    PageRequest(query: query, position: slot.position, generation: generation, attempt: slot.attempt)
  }
}

/// A wait to be carried out by a timer.
package struct WaitRequest: Sendable, Hashable {
  package var request: PageRequest
  /// Seconds since 1970.
  package var until: Double
}
