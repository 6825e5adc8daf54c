private import Search

/// Why actions can do nothing.
extension PagerState {
  /// What is to be done with a row, without one.
  var lackOfRow: String? {
    if selectedRow != nil { return nil }
    return rows.isEmpty ? "there is no row yet" : "no row is listed"
  }

  /// What is to be done with a query, where none is asked.
  var lackOfQuery: String? {
    if session.isAsking { return nil }
    let way = keyLabel("edit-query", in: mode).map { ": \($0) goes to the query line" } ?? ""
    return "nothing is asked yet\(way)"
  }
}
