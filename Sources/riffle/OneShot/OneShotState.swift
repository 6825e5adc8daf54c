import Search

/// A one-shot run as a value: the same session as the pager's, with a writer in the screen's place.
struct OneShotState: SessionState {
  var session: Session
  var ending: Ending?

  /// Why the run is over before everything wanted is written.
  enum Ending: Sendable, Hashable {
    /// The reader went away: quiet, nothing more is asked.
    case outputClosed
    case outputFailed(String)
    /// The first page shows that a column asked for is none.
    case columnRefused(String)
    case interrupted(signal: Int32)
    /// The loop guard stopped a chain without progress.
    case tripped(String)
  }

  /// The page to write now.
  struct WriteRequest: Sendable, Equatable {
    let ordinal: Int
    let generation: Int
    let block: RowStore.Block

    static func == (a: WriteRequest, b: WriteRequest) -> Bool {
      a.ordinal == b.ordinal && a.generation == b.generation
    }
  }

  var writeRequest: WriteRequest? {
    guard ending == nil, let (ordinal, block) = session.unwritten else { return nil }
    return WriteRequest(ordinal: ordinal, generation: session.generation, block: block)
  }

  var pageRequests: [PageRequest] { ending == nil ? session.requests : [] }
  var waitRequests: [WaitRequest] { ending == nil ? session.waits : [] }

  var isFinished: Bool { ending != nil || session.isSettled && session.unwritten == nil }
}

enum OneShotEvent: SessionCarrier {
  case session(SessionEvent)
  case ended(OneShotState.Ending)

  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension OneShotState {
  mutating func reduce(_ event: OneShotEvent) {
    guard ending == nil else { return }
    switch event {
    case .session(let event): session.reduce(event)
    case .ended(let ending): self.ending = ending
    }
  }
}
