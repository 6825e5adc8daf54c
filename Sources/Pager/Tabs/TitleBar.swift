import Search
import Terminal
import Text

/// The first line: the source or the tabs, how loaded rows are sorted, when they are refreshed, and the service's remaining budget.
enum TitleBar {
  private static let name = Sanitized(" riffle  ")

  static func line(_ state: PagerState) -> Line {
    let goal = state.rules.goal.map { "\($0.instruction) for \($0.title)" }
    let facts =
      ([goal].compactMap(\.self) + sort(state) + options(state) + [state.watchText].compactMap(\.self)).map {
        (Sanitized("   \($0)"), state.theme[.dim])
      }
    let subject = tabs(state)?.parts.map { ($0.text, $0.style) } ?? [(Sanitized(state.rules.title), .plain)]
    return Line.justified(
      [(name, state.theme[.header])] + subject + facts, right: Sanitized(budget(state)), state)
  }

  /// The number, from 1, of the tab at a column; nil if there is none.
  static func tab(at column: Int, _ state: PagerState) -> Int? {
    var end = name.width(state.widthModel)
    guard let parts = tabs(state)?.parts, column >= end else { return nil }
    for part in parts {
      end += part.text.width(state.widthModel)
      if column < end { return part.tab }
    }
    return nil
  }

  private static func tabs(_ state: PagerState) -> TabBar? {
    if state.tabs.tabs.isEmpty { return nil }
    return TabBar(state, width: state.screenWidth - name.width(state.widthModel) - 1)
  }

  private static func sort(_ state: PagerState) -> [String] {
    guard let sort = state.list.sort, state.table.columns.indices.contains(sort.column) else { return [] }
    let arrow = sort.isDescending ? state.glyphs.descending : state.glyphs.ascending
    return ["sorted by \(state.table.columns[sort.column].title) \(arrow)"]
  }

  /// The options that can be cycled with a key, and those that were set.
  private static func options(_ state: PagerState) -> [String] {
    let chosen = state.query.options
    return state.rules.options.compactMap { option in
      guard option.key != nil || chosen[option.name] != nil,
        let value = chosen[option.name] ?? option.defaultValue
      else { return nil }
      return "\(option.name): \(SourceOption.label(of: value))"
    }
  }

  /// `27/30 requests left, resets at 14:02`.
  private static func budget(_ state: PagerState) -> String {
    guard let budget = state.session.budget, let remaining = budget.remaining else { return "" }
    let share = budget.limit.map { "\(remaining)/\($0) requests left" } ?? "\(remaining) requests left"
    guard let reset = budget.resetsAt.flatMap(Timestamp.init(epoch:)) else { return share }
    return "\(share), resets at \(reset.clock(in: state.rules.zone))"
  }
}

/// The tabs with their numbers, in brackets the one that is shown: ` 1 unicode arrow 124 [2 @bugs 17]`. Titles are
/// shortened until all fit; else those around the shown one are left.
struct TabBar {
  struct Part {
    let text: Sanitized
    let style: Style
    /// From 1; nil for a sign that some are left out.
    let tab: Int?
  }

  let parts: [Part]

  /// - Parameter width: In terminal columns.
  init(_ state: PagerState, width: Int) {
    let model = state.widthModel
    func total(_ texts: ArraySlice<Sanitized>) -> Int { texts.reduce(0) { $0 + $1.width(model) } }
    var texts: [Sanitized] = []
    for limit in [40, 24, 16, 10] {
      texts = state.tabs.tabs.indices.map { Self.text(of: $0, limit, state) }
      if total(texts[...]) <= width { break }
    }
    let signs = [state.glyphs.earlier, state.glyphs.later].map { $0 + .spaces(1) }
    let room = width - (total(texts[...]) <= width ? 0 : signs.reduce(0) { $0 + $1.width(model) })
    let current = max(0, min(state.tabs.current, texts.count - 1))
    var (first, end) = (current, min(current + 1, texts.count))
    while true {
      if end < texts.count, total(texts[first...end]) <= room {
        end += 1
      } else if first > 0, total(texts[(first - 1)..<end]) <= room {
        first -= 1
      } else {
        break
      }
    }
    let dim = state.theme[.dim]
    let shown = (first..<end).map { index in
      Part(text: texts[index], style: index == current ? state.theme[.accent] : dim, tab: index + 1)
    }
    parts =
      (first > 0 ? [Part(text: signs[0], style: dim, tab: nil)] : []) + shown
      + (end < texts.count ? [Part(text: signs[1], style: dim, tab: nil)] : [])
  }

  /// - Parameter limit: The most terminal columns of the title.
  private static func text(of index: Int, _ limit: Int, _ state: PagerState) -> Sanitized {
    let tab = state.tabs.tabs[index]
    let title = Sanitized(tab.title).truncated(
      to: limit, ellipsis: state.glyphs.ellipsis, state.widthModel)
    let status = tab.status.isEmpty ? Sanitized() : Sanitized(" \(tab.status)")
    let isCurrent = index == state.tabs.current
    return Sanitized(isCurrent ? "[\(index + 1) " : " \(index + 1) ") + title + status
      + Sanitized(isCurrent ? "]" : " ")
  }
}
