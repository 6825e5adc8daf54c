private import Search
import Terminal
private import Text

/// The first line: what is searched, and what the service still allows.
enum TitleBar {
  static func line(_ state: PagerState) -> Line {
    Line(
      left: [
        (Sanitized(" riffle  "), state.rules.theme[.header]), (Sanitized(state.rules.title), .plain),
      ] + options(state),
      right: budget(state).map { [(Sanitized($0), state.rules.theme[.dim])] } ?? [], canvas: state.canvas)
  }

  private static func options(_ state: PagerState) -> [(Sanitized, Style)] {
    state.session.query.options.sorted { $0.key < $1.key }.map { name, value in
      (Sanitized("   \(name): \(value)"), state.rules.theme[.dim])
    }
  }

  /// `27/30 requests, reset 14:02`.
  private static func budget(_ state: PagerState) -> String? {
    guard let budget = state.session.budget, let remaining = budget.remaining else { return nil }
    let share = budget.limit.map { "\(remaining)/\($0) requests" } ?? "\(remaining) requests left"
    guard let reset = budget.resetsAt.flatMap(Timestamp.init(epoch:)) else { return share }
    return "\(share), reset \(reset.clock(offset: state.rules.utcOffset))"
  }
}
