import Search

/// All that a one-shot run begins with.
struct SearchBeginning: Sendable {
  var rules: Session.Rules
  var query: Query
  var demand: Demand
  var rowsBefore: Int
  var isSorted: Bool
  var awaitsTotal: Bool
  /// Seconds since 1970.
  var now: Double

  var state: OneShotState {
    var session = Session(rules: rules)
    session.reduce(.searched(query, demand))
    return OneShotState(
      session: session, rowsBefore: rowsBefore, isSorted: isSorted, startedAt: now, clock: now,
      awaitsTotal: awaitsTotal)
  }
}

extension SearchBeginning: JSONForm {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("session", rules)
      $0.member("query", query)
      $0.member("demand", demand)
      $0.member("rows_before", rowsBefore)
      if isSorted { $0.member("is_sorted", isSorted) }
      $0.member("awaits_total", awaitsTotal)
      $0.member("now", now)
    }
  }

  init(json: JSONValue) throws(JSONFormError) {
    self.init(
      rules: try json.member("session"), query: try json.member("query"), demand: try json.member("demand"),
      rowsBefore: try json.amount("rows_before"), isSorted: try json.member("is_sorted") ?? false,
      awaitsTotal: try json.member("awaits_total"),
      now: try json.seconds("now"))
  }
}
