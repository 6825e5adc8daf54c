import Search
import Text

/// The initial state of a one-shot run.
struct SearchInitialState: Sendable {
  var rules: Session.Rules
  var query: Query
  var demand: Demand
  var rowsBefore: Int
  var pagesBefore: Int
  var isSorted: Bool
  /// The maximum number of sorted rows written; nil for all.
  var rowLimit: Int?
  var awaitsTotal: Bool
  var reportsTotal = false
  var failsEmpty = false
  var continuation = ResumeHint.none
  var zone = LocalZone.utc
  /// The time in seconds since 1970.
  var now: Double

  var state: OneShotState {
    var session = Session(rules: rules)
    session.reduce(.searched(query, demand))
    return OneShotState(
      session: session, continuation: continuation, rowsBefore: rowsBefore, pagesBefore: pagesBefore,
      isSorted: isSorted, rowLimit: rowLimit, failsEmpty: failsEmpty, startedAt: now, clock: now, zone: zone,
      awaitsTotal: awaitsTotal, reportsTotal: reportsTotal)
  }
}

extension SearchInitialState: JSONCodable {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("session", rules)
      $0.member("query", query)
      $0.member("demand", demand)
      $0.member("rows_before", rowsBefore)
      if pagesBefore > 0 { $0.member("pages_before", pagesBefore) }
      if isSorted { $0.member("is_sorted", isSorted) }
      $0.member("row_limit", rowLimit)
      $0.member("awaits_total", awaitsTotal)
      if reportsTotal { $0.member("reports_total", reportsTotal) }
      if failsEmpty { $0.member("fails_empty", failsEmpty) }
      if continuation != .none { $0.member("continuation", continuation) }
      $0.member("now", now)
      // The offset at the start is enough: only the end of a wait is shown in local time.
      let offset = zone.offset(at: Timestamp(epoch: now)?.epochSeconds ?? 0)
      if offset != 0 { $0.member("utc_offset", offset) }
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      rules: try json.member("session"), query: try json.member("query"), demand: try json.member("demand"),
      rowsBefore: try json.amount("rows_before"), pagesBefore: try json.amount("pages_before") ?? 0,
      isSorted: try json.member("is_sorted") ?? false,
      rowLimit: try json.size("row_limit"), awaitsTotal: try json.member("awaits_total"),
      reportsTotal: try json.member("reports_total") ?? false,
      failsEmpty: try json.member("fails_empty") ?? false,
      continuation: try json.member("continuation") ?? ResumeHint.none,
      zone: LocalZone(offset: try json.utcOffset("utc_offset")), now: try json.seconds("now"))
  }
}

extension JSONValue {
  /// Seconds east of UTC, within a day; 0 if the member is missing.
  fileprivate func utcOffset(_ name: String) throws(JSONCodingError) -> Int {
    let seconds: Double = try self.seconds(name) ?? 0
    guard abs(seconds) < 86_400 else { throw JSONCodingError("\(seconds) is not an offset from UTC") }
    return Int(seconds)
  }
}
