private import Search

/// Why an action is unavailable.
extension PagerState {
  /// The reason for actions that need a row; nil if one is selected.
  var missingRowReason: String? {
    if selectedRow != nil { return nil }
    return rows.isEmpty ? "no rows yet" : "no row matches the filter"
  }

  /// The reason for actions that need a query; nil if one was submitted.
  var missingQueryReason: String? {
    session.hasQuery ? nil : "no query yet" + hint("edit-query", "type one")
  }

  /// ` (s: type one)`: the key to press, to be appended to a message; "" if the action has no key here.
  func hint(_ action: String, _ effect: String) -> String {
    keyLabel(action, in: mode).map { " (\($0): \(effect))" } ?? ""
  }
}
