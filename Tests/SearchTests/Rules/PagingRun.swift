import HTTPValues
import JSON
import Testing

@testable import Search

/// A complete paging run over a service defined in the test: session, requests and responses as in the
/// program, without a network or a clock.
struct PagingRun {
  let source: Source
  let context: RunContext
  let service: (HTTPRequest) throws -> Answer
  var session: Session
  /// The query of each requested address, in order.
  var requested: [String] = []
  var time = 1_000.0
  /// Each response reports a rate budget, usually a tight one, and its reset.
  var tellsBudget = false

  struct Answer {
    var status = 200
    var body: String
    var headers: [(String, String)] = []
    /// Where the response comes from, if not from the requested address.
    var url: String?
  }

  init(
    _ source: Source, size: Int? = nil, rules: (inout Session.Rules) -> Void = { _ in },
    service: @escaping (HTTPRequest) throws -> Answer
  ) {
    self.source = source
    self.context = RunContext(pageSize: size)
    self.service = service
    var all = Session.Rules(source, pageSize: size)
    all.retry = RetryPolicy(attempts: 0, maxWait: 120)
    rules(&all)
    session = Session(rules: all)
  }

  /// Responds in this order, regardless of the request. The last response is repeated.
  init(
    _ source: Source, size: Int? = nil, rules: (inout Session.Rules) -> Void = { _ in },
    answers: [Answer]
  ) {
    let turn = Turn()
    self.init(source, size: size, rules: rules) { _ in answers[min(turn.next(), answers.count - 1)] }
  }

  private final class Turn {
    private var count = 0
    func next() -> Int {
      defer { count += 1 }
      return count
    }
  }

  mutating func load(_ demand: Demand = .everything, query: String = "x") throws {
    session.reduce(.searched(Query(query), demand))
    try settle()
  }

  mutating func reduce(_ event: SessionEvent) throws {
    session.reduce(event)
    try settle()
  }

  /// Answers requests and waits until there are none left.
  ///
  /// - Parameter pick: The index of the request to answer first, given their number.
  mutating func settle(pick: (Int) -> Int = { _ in 0 }) throws {
    var known: Set<PageRequest> = []
    while requested.count < 500 {
      for request in session.requests where known.insert(request).inserted {
        requested.append(try message(for: request).url.query ?? "-")
      }
      guard session.requests.count > 1 else {
        if session.requests.isEmpty, session.waits.isEmpty { return }
        try step()
        continue
      }
      try answer(session.requests[pick(session.requests.count)])
    }
    Issue.record("it never ends: \(requested.suffix(5))")
  }

  /// Answers one request, or moves the clock to the next alarm.
  mutating func step() throws {
    if let request = session.requests.first {
      try answer(request)
    } else if let alarm = session.alarm {
      time = max(time, alarm)
      session.reduce(.reached(time))
    }
  }

  func message(for request: PageRequest) throws -> HTTPRequest {
    try source.request(for: request, in: context)
  }

  private mutating func answer(_ request: PageRequest) throws {
    time += 0.001
    session.reduce(try event(request, service))
  }

  /// The event for the response of a service to a request.
  func event(
    _ request: PageRequest, _ service: (HTTPRequest) throws -> Answer
  ) throws -> SessionEvent {
    let message = try message(for: request)
    var answer = try service(message)
    if tellsBudget {
      answer.headers += [
        ("X-Remaining", "\(requested.count % 4)"), ("X-Reset", "\(requested.count * 7 % 30)"),
      ]
    }
    let response = HTTPResponse(
      status: answer.status,
      headers: HTTPFields(answer.headers.map { HTTPField(received: $0.0, value: $0.1) }),
      body: Array(answer.body.utf8), url: try answer.url.map { try WebURL($0) } ?? message.url,
      sentAt: time, arrivedAt: time)
    do throws(PageError) {
      return .loaded(
        try source.page(from: response, for: request, in: context) { .document($0) }, for: request)
    } catch {
      return .failed(error, for: request, at: RetryTiming(now: time))
    }
  }

  var ids: [Int] { session.ids(in: session.rows) }

  /// `asks p=1 p=2 · rows 1 2 3 · end last`
  var picture: String {
    let words =
      switch session.phase {
      case .end(let reason): "end \(reason.name)"
      case .failed(_, let error): "failed: \(error.message)"
      default: "\(session.phase)"
      }
    return
      "asks \(requested.joined(separator: " ")) · rows \(ids.map(String.init).joined(separator: " ")) · \(words)"
  }
}

extension PagingRun.Answer {
  /// `{"items": [{"id": 1}, …], …}`
  ///
  /// - Parameter rest: further members, as JSON.
  init(_ ids: [Int], _ rest: String = "") {
    let rows = ids.map { "{\"id\": \($0)}" }.joined(separator: ", ")
    self.init(body: "{\"items\": [\(rows)]\(rest.isEmpty ? "" : ", \(rest)")}")
  }
}

func expression(_ texts: String...) throws -> ValueExpression { try ValueExpression(parsing: texts) }

/// A source at https://api.example.org/list with rows at `items` and the key `id`.
func listSource(
  _ style: any PaginationStyle.Type, _ settings: PaginationSettings,
  _ change: (inout Source) throws -> Void = { _ in }
) throws -> Source {
  var source = Source(
    id: "test", title: "Test", endpoint: Endpoint(url: try Template("https://api.example.org/list")),
    pagination: try Pagination(style, settings),
    rows: RowShape(
      path: try JSONPath("items"), key: try expression("id"), total: try expression("total")),
    limits: Limits(
      remaining: try expression("header:X-Remaining"), reset: try expression("header:X-Reset"),
      resetKind: .seconds),
    errors: ErrorRules(message: try expression("message")))
  try change(&source)
  return source
}

extension HTTPRequest {
  /// A number in the query.
  func number(_ name: String) -> Int? {
    url.queryItems.first { $0.name == name }?.value.flatMap { Int($0) }
  }

  func text(_ name: String) -> String? { url.queryItems.first { $0.name == name }?.value }
}
