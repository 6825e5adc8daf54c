package import Search
package import Terminal
private import Text

/// The initial state of an interactive session; replaying its events from here reproduces the session.
package struct PagerInitialState: Sendable {
  package var rules: PagerRules
  package var session: Session.Rules
  package var columns: [Column]
  package var canvas: Canvas
  package var query: Query
  /// The time in seconds since 1970.
  package var now: Double

  package init(
    rules: PagerRules, session: Session.Rules, columns: [Column], canvas: Canvas, query: Query, now: Double
  ) {
    self.rules = rules
    self.session = session
    self.columns = columns
    self.canvas = canvas
    self.query = query
    self.now = now
  }

  package var state: PagerState {
    PagerState(
      rules: rules, session: Session(rules: session), columns: columns, canvas: canvas, query: query, now: now
    )
  }
}

extension PagerInitialState: JSONCodable {
  package func write(to json: inout JSONWriter) {
    // A replay in another time zone uses the offset at the start; only times of requests and limits are
    // local.
    var rules = rules
    rules.zone = LocalZone(offset: rules.zone.offset(at: Timestamp(epoch: now)?.epochSeconds ?? 0))
    json.object {
      $0.member("rules", rules)
      $0.member("session", session)
      $0.member("columns", columns)
      $0.member("screen", canvas)
      $0.member("query", query)
      $0.member("now", now)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let session: Session.Rules = try json.member("session")
    // A session that writes its rows does not keep them, so the list would be incomplete.
    guard !session.awaitsWriting else {
      throw JSONCodingError("an interactive session does not wait for output")
    }
    self.init(
      rules: try json.member("rules"), session: session,
      columns: try json.member("columns"), canvas: try json.member("screen"), query: try json.member("query"),
      now: try json.seconds("now"))
  }
}
