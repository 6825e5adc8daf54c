import JSON
import Search

/// What it costs to read one page of a service: 100 items of 5.9 kB, shaped like GitHub's, to ten columns.
///
///     RIFFLE_TOOLS=1 swift run -c release ReadingBenchmark
@main
struct Reading {
  static func main() throws {
    let body = Array(GitHubPage.text(items: 100).utf8)
    let columns = try GitHubPage.columns()
    print("one page: \(body.count) bytes, 100 items, \(columns.count) columns; of 200 runs")
    try report("read the JSON") { _ = try JSONDocument(body) }
    func cells() throws -> DocumentRows {
      let document = try JSONDocument(body)
      let rows = try GitHubPage.rows(of: document)
      let table = CellTable(rows, columns: columns, link: nil, context: FormatContext(now: 1_790_000_000))
      precondition(table.rowCount == 100)
      return rows
    }
    try report("read the JSON, make the cells") { _ = try cells() }
    // Where the key of the rows is a guess.
    try report("the same, and the hash of each row") { _ = try cells().contents }
  }

  private static func report(_ name: String, _ body: () throws -> Void) throws {
    let clock = ContinuousClock()
    try body()
    var times: [Double] = []
    for _ in 0..<200 { times.append(try clock.measure(body) / .milliseconds(1)) }
    times.sort()
    let text = [times[0], times[100], times[190]].map { String(Int($0 * 1000)) }
    print("\(name): least \(text[0]) µs, median \(text[1]) µs, p95 \(text[2]) µs")
  }
}
