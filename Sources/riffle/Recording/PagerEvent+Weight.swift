import Pager
import Search

/// What an event takes to be kept, and what of it can be left out.
extension PagerEvent {
  /// About how many bytes it takes.
  var weight: Int {
    switch self {
    case .session(.loaded(let page, _)): 512 + page.weight
    case .pasted(let text): 128 + text.utf8.count
    case .ordered(let order): 256 + order.rows.count * (order.rules.sort == nil ? 4 : 28)
    case .read(.read(let fields, let body, let lines), _):
      256 + fields.reduce(0) { $0 + $1.text.utf8.count } + (body?.utf8.count ?? 0)
        + lines.reduce(0) { $0 + $1.utf8.count }
    case .historyRead(let queries): queries.reduce(128) { $0 + $1.utf8.count }
    default: 192
    }
  }

  /// The event without what follows from the state.
  var outline: PagerEvent { if case .ordered(let order) = self { .ordered(order.outline) } else { self } }

  /// The event without the texts of its rows; nil when it has none.
  var withoutTexts: PagerEvent? {
    guard case .session(.loaded(let page, let request)) = self, page.hasTexts else { return nil }
    return .session(.loaded(page.withoutTexts, for: request))
  }
}

extension Page {
  fileprivate var hasTexts: Bool {
    if case .cells(let cells) = content { !cells.text.isEmpty } else { false }
  }

  fileprivate var weight: Int {
    guard case .cells(let cells) = content else { return 0 }
    return cells.text.count + cells.rowCount * 4 * (cells.columns.count + 1) + keys.count * 8
  }
}
