import HTTPValues
import JSON
import Pager
import Search

/// What it costs to filter 100,000 loaded rows, to the last row, and to summarize a column of them.
///
///     RIFFLE_BENCHMARKS=1 swift run -c release AskingBenchmark
@main
struct Asking {
  private static let rowCount = 100_000
  /// 2026-09-21T14:13:20Z.
  private static let now = 1_790_000_000.0

  static func main() async throws {
    let columns = try columns()
    let rows = try rows(columns)
    print("\(rows.count) rows of \(columns.count) columns; of 21 runs")
    for filter in [
      "9999", "~rpz99", "stars>1000", "pushed<30d", "lang=swift", "lang>=m",
      "stars>1000 pushed<30d lang=swift -fork ~fzy",
    ] {
      let rules = RowOrderRules(filter: filter, visible: Array(columns.indices), now: now)
      var found = 0
      report("filter \(filter)") {
        var ordering = RowOrdering(continuing: RowOrder(rules, version: 0), over: rows, columns: columns)
        while !ordering.isFinished { ordering.advance(by: 200_000) }
        found = ordering.order.rows.count
      } _: {
        "\(found) rows"
      }
    }
    for (index, column) in columns.enumerated() {
      let identity = ColumnSummary.Identity(column: index, rules: nil, version: 0, loaded: rows.count)
      let request = ColumnSummaryRequest(identity: identity, rows: rows, listed: nil, column: column)
      var summary: ColumnSummary?
      report("summary of \(column.name)") {
        summary = request.completed()
      } _: {
        "\(summary?.distinct ?? 0) distinct"
      }
    }
  }

  private static func report(_ name: String, _ body: () -> Void, _ result: () -> String) {
    body()
    var times = (0..<21).map { _ in ContinuousClock().measure(body) / .milliseconds(1) }
    times.sort()
    func written(_ place: Int) -> String { "\((times[place] * 10).rounded() / 10)" }
    print("\(name): least \(written(0)) ms, median \(written(10)) ms, most \(written(20)) ms; \(result())")
  }

  private static func columns() throws -> [Column] {
    let formats: [(String, ColumnFormat)] = [
      ("name", .text), ("stars", .number), ("language", .text), ("pushed", .relative), ("about", .text),
    ]
    return try formats.map { name, format in
      Column(name: name, value: try ValueExpression(parsing: name), format: format)
    }
  }

  private static func rows(_ columns: [Column]) throws -> RowStore {
    let languages = ["Swift", "Rust", "Go", "C", "Python", "Zig", "OCaml", "日本語"]
    let abouts = ["a fuzzy finder", "naïve café", "parser for JSON and TOML", "a fork of another", "東京の検索"]
    var store = RowStore()
    for first in stride(from: 0, to: rowCount, by: 100) {
      let items = (first..<first + 100).map { row in
        let pushed = Int(now) - row * 7_919 % (400 * 86_400)
        return """
          {"name": "owner\(row % 977)/repository-\(row)", "stars": \(row * 7_919 % 100_003 / 7), \
          "language": "\(languages[row % 8])", "pushed": \(pushed), "about": "\(abouts[row % 5]) \(row % 13)"}
          """
      }
      let document = try JSONDocument(Array("[\(items.joined(separator: ","))]".utf8))
      let reply = ReplyValues(document: document, headers: [], url: try WebURL("https://api.example.org/"))
      let found = DocumentRows(reply: reply, nodes: document.root.elements.map(\.node))
      let table = CellTable(found, columns: columns, link: nil, context: FormatContext(now: now))
      let page = Page(content: .cells(table), continuation: .end(.last))
      store.append(page, kept: Array(0..<100), at: .start, resumePoint: nil)
    }
    return store
  }
}
