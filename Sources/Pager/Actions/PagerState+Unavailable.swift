private import Search

/// Why an action cannot do anything now.
extension PagerState {
  /// For what is done with a row; nil when one is selected.
  var missingRowReason: String? {
    if selectedRow != nil { return nil }
    return rows.isEmpty ? "no rows yet" : "no row matches the filter"
  }

  /// For what is done with a query; nil when one was asked.
  var missingQueryReason: String? {
    session.isAsking ? nil : "no query yet" + hint("edit-query", "type one")
  }

  /// ` (s: type one)`: what to press, to be appended to a message; "" when the action has no key here.
  func hint(_ action: String, _ effect: String) -> String {
    keyLabel(action, in: mode).map { " (\($0): \(effect))" } ?? ""
  }
}
