private import Search
import Terminal
private import Text

/// The first line: the source, how loaded rows are sorted, and the service's remaining budget.
enum TitleBar {
  static func line(_ state: PagerState) -> Line {
    let dim = state.theme[.dim]
    let facts = (sort(state) + options(state)).map { (Sanitized("   \($0)"), dim) }
    return Line(
      left: [(Sanitized(" riffle  "), state.theme[.header]), (Sanitized(state.rules.title), .plain)]
        + facts,
      right: budget(state).map { [(Sanitized($0), dim)] } ?? [], state)
  }

  private static func sort(_ state: PagerState) -> [String] {
    guard let sort = state.list.sort, state.table.columns.indices.contains(sort.column) else { return [] }
    let sign = sort.isDescending ? state.rules.glyphs.descending : state.rules.glyphs.ascending
    return ["sorted by \(state.table.columns[sort.column].title) \(sign)"]
  }

  /// The options that can be cycled with a key, and those that were set.
  private static func options(_ state: PagerState) -> [String] {
    state.rules.options.compactMap { option in
      guard option.key != nil || state.options[option.name] != nil,
        let value = state.options[option.name] ?? option.defaultValue
      else { return nil }
      return "\(option.name): \(value.isEmpty ? "any" : value)"
    }
  }

  /// `27/30 requests left, resets at 14:02`.
  private static func budget(_ state: PagerState) -> String? {
    guard let budget = state.session.budget, let remaining = budget.remaining else { return nil }
    let share = budget.limit.map { "\(remaining)/\($0) requests left" } ?? "\(remaining) requests left"
    guard let reset = budget.resetsAt.flatMap(Timestamp.init(epoch:)) else { return share }
    return "\(share), resets at \(reset.clock(in: state.rules.zone))"
  }
}
