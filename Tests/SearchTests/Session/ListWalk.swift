import JSON
import TestSupport
import Testing

@testable import Search

/// A service with lists under lists, and a run over them, as pictures. A list is named by the values of the
/// parents above it, `g1/p2`; the topmost list is `top`.
struct ListWalk {
  /// The content of a list, page by page.
  enum Content {
    /// The values of parent rows; nil for a row that has no list.
    case parents([[String?]])
    case rows([[Int]])
    case failure(PageError)
  }

  var lists: ParentTraversal
  /// `g1/p2 #1: 7 8`, in the order of writing.
  private(set) var written: [String] = []
  /// Where a run resumes after each written page.
  private(set) var points: [ResumePoint?] = []
  /// `g1/p2 #1`, in the order of requests.
  private(set) var asked: [String] = []
  private(set) var maxInFlight = 0
  private(set) var maxOpen = 0
  private(set) var time: Double
  /// When each request was sent.
  private(set) var sentAt: [Double] = []
  /// Whether responses contain the number of pages, so that several can be requested at once.
  var tellsPages = true
  /// The budget that each response reports.
  var budget: RateBudget?
  private var seen: Set<PageRequest> = []
  private let service: [String: Content]

  init(_ rules: ParentTraversal.Rules, _ service: [String: Content], at time: Double = 1_000) {
    self.service = service
    self.time = time
    lists = ParentTraversal(rules: rules)
    note()
  }

  /// The rows of all written pages.
  var rows: [Int] {
    written.flatMap { $0.split(separator: ":").last?.split(separator: " ") ?? [] }.compactMap { Int($0) }
  }

  /// The current requests: `g1 #1 · g2 #1`.
  var asks: String { lists.requests.map(name).joined(separator: " · ") }

  private func list(_ request: PageRequest) -> String {
    let path = request.query.options.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map(\.value)
    return path.isEmpty ? "top" : path.joined(separator: "/")
  }

  func name(_ request: PageRequest) -> String {
    "\(list(request)) #\(request.position.ordinal + 1)" + String(repeating: "'", count: request.attempt)
  }

  private mutating func note() {
    let requests = lists.requests
    maxInFlight = max(maxInFlight, requests.count)
    maxOpen = max(maxOpen, Set(requests.map { $0.list?.number }).count)
    for request in requests where seen.insert(request).inserted {
      asked.append(name(request))
      sentAt.append(time)
    }
  }

  mutating func reduce(_ event: SessionEvent) {
    lists.reduce(event)
    note()
  }

  /// Answers the request with this name, or the first one.
  mutating func answer(_ wanted: String? = nil) {
    guard let request = lists.requests.first(where: { wanted == nil || name($0) == wanted }) else {
      Issue.record("\(wanted ?? "nothing") is not asked: \(asks)")
      return
    }
    let number = request.position.ordinal
    switch service[list(request)] {
    case .failure(let error)?: fail(name(request), error)
    case .rows(let pages)?:
      load(page(pages[safe: number] ?? [], after(number, of: pages.count), at: time), pages.count, request)
    case .parents(let pages)?:
      let values = pages[safe: number] ?? []
      var response = page([], after(number, of: pages.count), at: time)
      response.content = .parents(values.map { value in value.map { ParentRow(value: $0) } })
      response.received = values.count
      response.keys = values.indices.map { RowKey.hash("\(number)/\($0)") }
      load(response, pages.count, request)
    case nil: Issue.record("no list \(list(request))")
    }
  }

  private func after(_ number: Int, of count: Int) -> Continuation {
    number + 1 < count ? .more(number + 1) : .end(.last)
  }

  private mutating func load(_ page: Page, _ pages: Int, _ request: PageRequest) {
    var page = page
    if tellsPages { page.pageCount = pages }
    page.budget = budget
    reduce(.loaded(page, for: request))
  }

  mutating func fail(_ wanted: String, _ error: PageError) {
    guard let request = lists.requests.first(where: { name($0) == wanted }) else {
      Issue.record("\(wanted) is not asked: \(asks)")
      return
    }
    reduce(.failed(error, for: request, at: RetryTiming(now: time)))
  }

  /// Reaches the time of the alarm.
  mutating func ring() {
    guard let alarm = lists.alarm else { return }
    time = max(time, alarm)
    reduce(.reached(time))
  }

  /// Writes the first page that is loaded; returns whether there was one.
  @discardableResult mutating func write() -> Bool {
    guard let page = lists.unwritten else { return false }
    guard case .document(let rows)? = page.block.content else {
      Issue.record("a page of parents is written")
      return false
    }
    let texts = page.block.kept.compactMap { kept in
      JSONValue(document: rows.response.document, node: rows.nodes[Int(kept)])["id"]?.numberText
    }
    let path = page.query.options.sorted { $0.key < $1.key }.map(\.value).joined(separator: "/")
    written.append("\(path) #\(page.block.position.ordinal + 1): \(texts.joined(separator: " "))")
    points.append(page.block.resumePoint)
    reduce(.written(page.ordinal, generation: page.generation))
    return true
  }

  /// Answers, waits and writes until nothing is left to do.
  mutating func settle(stopAfter pages: Int = .max, choose: (Int) -> Int = { _ in 0 }) {
    for _ in 0..<100_000 {
      if written.count >= pages { return }
      let requests = lists.requests
      let isWriting = lists.unwritten != nil && (requests.isEmpty || choose(2) == 0)
      if isWriting {
        write()
      } else if !requests.isEmpty {
        answer(name(requests[choose(requests.count)]))
      } else if lists.alarm != nil, !lists.isSettled {
        ring()
      } else {
        return
      }
    }
    Issue.record("the run does not end: \(asks)")
  }

  /// The result of the run: its rows, and how it ended.
  var picture: String {
    var lines = written
    lines += lists.failures.map { "skipped \($0.parents): \($0.error.message)" }
    if let failure = lists.failure {
      lines.append("failed \(lists.currentParents): \(failure.message)")
    } else if !lists.isSettled {
      lines.append("stuck, asks: \(asks)")
    } else {
      lines.append(lists.areOver ? "over" : "more")
    }
    return lines.joined(separator: "\n")
  }
}

extension ParentTraversal.Rules {
  /// Lists under rows of lists: the options `a`, `b` … hold the values of the parents.
  ///
  /// - Parameters:
  ///   - depth: The number of parents above a row that is written.
  ///   - values: The topmost parents, if they are no rows of a list.
  static func walk(
    depth: Int = 1, values: [String]? = nil, _ demand: Demand = .everything, concurrency: Int = 1,
    _ change: (inout Session.Rules) -> Void = { _ in }
  ) -> ParentTraversal.Rules {
    let names = ["a", "b", "c", "d"].prefix(depth)
    let levels = ((values == nil ? 0 : 1)...depth).map { level in
      let own = Session.Rules.plain.with {
        $0.awaitsWriting = true
        $0.minLength = 0
        $0.concurrency = concurrency
        change(&$0)
      }
      let options = Dictionary(uniqueKeysWithValues: names.prefix(level).map { ($0, "") })
      return ParentTraversal.Level(
        rules: own, query: Query(options: options), parentName: level == 0 ? nil : names[level - 1])
    }
    var rules = ParentTraversal.Rules(levels: levels, demand: demand)
    rules.values = values
    return rules
  }

  func with(_ change: (inout ParentTraversal.Rules) -> Void) -> ParentTraversal.Rules {
    var copy = self
    change(&copy)
    return copy
  }

  /// The same run, from where another stopped.
  func resumed(at point: ResumePoint?) -> ParentTraversal.Rules {
    with { $0.levels[$0.levels.count - 1].rules.resumePoint = point }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
