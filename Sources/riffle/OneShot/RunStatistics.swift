import Search

/// The output of `--stats`: one JSON object with stable member names.
struct RunStatistics: Sendable {
  let state: OneShotState
  /// The maximum number of rows the service returns; nil if it has no cap.
  let cap: Int?

  var json: String {
    let session = state.session
    let members: [(name: String, value: String)] = [
      ("rows", String(state.writtenRows)), ("pages", String(session.pageCount)),
      ("requests", String(state.requests)), ("retries", String(state.retries)),
      ("total", session.total.map { String($0.count) } ?? "null"),
      ("total_kind", session.total.map { JSONText.quoted(Self.kind($0)) } ?? "null"),
      ("duplicates", String(session.duplicates)), ("ended_by", JSONText.quoted(endedBy)),
      ("cap", cap.map(String.init) ?? "null"), ("status", String(state.report.status.rawValue)),
    ]
    return "{\(members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", "))}\n"
  }

  private static func kind(_ total: Total) -> String {
    switch total {
    case .exact: "exact"
    case .atLeast: "at-least"
    case .estimate: "estimate"
    }
  }

  /// Why the run ended, as a keyword for scripts.
  private var endedBy: String {
    switch state.ending {
    case .outputClosed: "closed-output"
    case .outputFailed: "output"
    case .columnRefused: "column"
    case .interrupted: "signal"
    case .tripped: "loop-guard"
    case nil: sessionEnd
    }
  }

  private var sessionEnd: String {
    switch state.session.phase {
    case .end(let reason): reason.name
    case .failed(_, let error): error.kind.rawValue
    case .idle, .loading, .waiting, .stopped: "page"
    }
  }
}
