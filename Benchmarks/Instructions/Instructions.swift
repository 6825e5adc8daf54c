import FeedbackLoop
import Glibc
import HTTPValues
import JSON
import Output
import Pager
import SamplePages
import Search
import Terminal
import Text

/// Does one thing a number of times, for `.ci/count-instructions` to count the instructions of it.
///
///     InstructionBenchmark PATH TIMES
@main
struct Instructions {
  /// What is counted: its name, what it needs before, and what is repeated.
  private static let paths: [(name: String, prepare: @Sendable () throws -> () throws -> Void)] = [
    ("key", { try keys { $0 % 2 == 0 ? "down" : "up" } }),
    ("scroll", { try keys(first: 50) { _ in "down" } }),
    ("parse", parse), ("cells", cells), ("csv", csv), ("event", event),
  ]

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard let path = paths.first(where: { $0.name == words.first }), let times = words.last.flatMap(Int.init)
    else { throw Usage(names: paths.map(\.name)) }
    let repeated = try path.prepare()
    for _ in 0..<times { try repeated() }
  }

  private struct Usage: Error, CustomStringConvertible {
    let names: [String]
    var description: String { "usage: InstructionBenchmark \(names.joined(separator: "|")) TIMES" }
  }

  private static let now = 1_790_000_000.0
  private static let context = FormatContext(now: now)
  private static let body = Array(GitHubPage.text(items: 100).utf8)

  /// A page of 100 items of 5.9 kB, read from its bytes.
  private static func parse() -> () throws -> Void {
    { _ = try JSONDocument(body) }
  }

  /// The cells of ten columns of a page that has been read.
  private static func cells() throws -> () throws -> Void {
    let rows = try GitHubPage.rows(of: JSONDocument(body))
    let columns = try GitHubPage.columns()
    return { _ = CellTable(rows, columns: columns, link: nil, context: context) }
  }

  /// The same ten columns of the same page as CSV.
  private static func csv() throws -> () throws -> Void {
    var source = Source(
      id: "sample", title: "Sample", endpoint: Endpoint(url: try Template("https://api.example.org/")),
      pagination: try Pagination(SinglePage.self, .standard))
    source.columns = try GitHubPage.columns()
    let rows = OutputRows(try GitHubPage.rows(of: JSONDocument(body)), arrivedAt: now, pageNumber: 1)
    guard let format = OutputFormats.named("csv") else { return {} }
    var writer = OutputWriter(
      format, selection: ColumnSelection(columnsOf: source), outputOptions: OutputOptions())
    var output: [UInt8] = []
    return {
      output.removeAll(keepingCapacity: true)
      try writer.append(rows, into: &output)
    }
  }

  /// An event that no feedback reacts to, in a system of five.
  private static func event() -> () throws -> Void {
    struct State: Sendable {
      var count = 0
      var query = "swift"
      var page: Int?
      var downloads = [1, 2, 3]
    }
    let system = FeedbackSystem<State, Int>(
      initialState: State(), reduce: { $0.count += $1 },
      feedbacks: [
        .react(to: { $0.query }, effect: { _ in nil }), .react(to: { $0.page }, effect: { _ in nil }),
        .react(to: { $0.count < 0 ? true : nil }, effect: { _ in nil }),
        .react(toEach: { $0.downloads }, effect: { _ in nil }), .observe { _ in },
      ])
    system.start()
    var sent = 0
    return {
      sent += 1
      system.send(1)
      // While the effects of the start end on other threads, these reduce the event.
      while system.state.count < sent { sched_yield() }
    }
  }

  /// A key in the table of 1,000 rows on a screen of 120 × 40: what it changes, the frame, and the bytes for the terminal.
  private static func keys(first: Int = 0, _ key: @escaping (Int) -> String) throws -> () throws -> Void {
    var state = try session(pages: 10)
    let diff = FrameDiff(colors: .direct, isSynchronized: true)
    var drawn = DrawnFrame()
    var laidOut = LaidOutRows()
    var frame: Frame?
    var count = 0
    func press(_ name: String) throws {
      state.reduce(.key(try Key(notation: name)))
      let next = PagerView.frame(state, &drawn)
      _ = diff.bytes(from: frame, to: next, &laidOut)
      frame = next
    }
    for _ in 0..<first { try press("down") }
    return {
      try press(key(count))
      count += 1
    }
  }

  private static func session(pages: Int) throws -> PagerState {
    let columns = try GitHubPage.columns()
    let rules = Session.Rules(first: Position.start)
    var state = PagerInitialState(
      rules: PagerRules(title: "Sample"), session: rules, columns: columns,
      canvas: Canvas(size: Size(columns: 120, rows: 40), widthModel: .codePoints), query: Query("swift"),
      now: now
    ).state
    let table = CellTable(
      try GitHubPage.rows(of: JSONDocument(body)), columns: columns, link: nil, context: context)
    for number in 1...pages {
      if state.pageRequests.isEmpty { state.reduce(.key(try Key(notation: "M"))) }
      guard let request = state.pageRequests.first else { break }
      let next = request.position.next(.number(number))
      let page = Page(content: .cells(table), continuation: .next(next, .value))
      state.reduce(.session(.loaded(page, for: request)))
    }
    return state
  }
}
