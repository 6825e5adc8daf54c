import FeedbackLoop
import FeedbackLoopTesting

/// A number with a fact about it that can be refreshed. Refreshing can be canceled and can fail.
struct Refreshable: Sendable, Equatable {
  /// The current request. A refresh during a refresh is another request.
  struct Request: Sendable, Hashable {
    let number: Int
    let generation: Int
  }

  private(set) var number = 0
  private(set) var fact: String?
  private(set) var failure: String?
  private(set) var request: Request?
  private var generation = 0

  var isRefreshing: Bool { request != nil }

  enum Event: Sendable, Equatable {
    case incremented
    case refreshed
    case cancelled
    case answered(String, for: Request)
    case failed(String, for: Request)
  }

  @Sendable static func reduce(_ state: inout Refreshable, _ event: Event) {
    switch event {
    case .incremented:
      state.number += 1
      state.fact = nil
    case .refreshed:
      state.generation += 1
      state.failure = nil
      state.request = Request(number: state.number, generation: state.generation)
    case .cancelled: state.request = nil
    case .answered(let fact, let request) where request == state.request:
      state.request = nil
      // The number may have changed while its fact was loading.
      if request.number == state.number { state.fact = fact }
    case .failed(let message, let request) where request == state.request:
      state.request = nil
      state.failure = message
    case .answered, .failed: break
    }
  }

  struct Failure: Error {
    let message: String
  }

  /// Calls `fact` for each request. The answer contains its request.
  static func facts(
    _ fact: @escaping @Sendable (Int) async throws(Failure) -> String
  ) -> Feedback<Refreshable, Event> {
    .react(
      to: \.request, name: "fact",
      effect: { request in .answered(try await fact(request.number), for: request) },
      failure: { error, request in .failed((error as? Failure)?.message ?? "\(error)", for: request) })
  }
}
