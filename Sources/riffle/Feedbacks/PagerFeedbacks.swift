import FeedbackLoop
import Pager
import Search

extension PagerState: SessionState {}

extension PagerEvent: SessionCarrier {
  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: the last edit is told of its rest, each earlier one is cancelled by the next.
  static var rest: Self {
    .react(to: \.rest, name: "rest") { request in
      do { try await Task.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit)
    }
  }

  /// Turns spinners and countdowns, eight times a second, only while there is one.
  static func ticks(now: @escaping @Sendable () -> Double) -> Self {
    .react(to: { $0.isAnimated ? true : nil }, name: "ticks", progress: { _, _ in true }) { (_: Bool, emit) in
      while (try? await Task.sleep(for: .milliseconds(125))) != nil { emit(.ticked(now())) }
    }
  }
}
