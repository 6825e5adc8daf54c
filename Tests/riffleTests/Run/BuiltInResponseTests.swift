import Config
import HTTPValues
import JSON
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Tests what every built-in source reads from a response in the format of its service.
@Suite struct BuiltInResponseTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var source: String
    var headers: [(String, String)] = []
    var body: String
    var read: String

    var testDescription: String { source }
  }

  @Test(arguments: samples)
  func `A response in the service's format is read as rows, total and next page.`(sample: Sample) throws {
    let read = try picture(sample)
    #expect(read == sample.read)
  }

  @Test func `Every built-in source has a sample or a walk.`() {
    let names = Self.samples.map(\.source) + WalkTests.names
    #expect(names.sorted() == BuiltInSources.sources.map(\.name).sorted())
  }

  private func picture(_ sample: Sample) throws -> String {
    let catalog = Catalog(
      builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0, input: SearchInput())
    let source = try catalog.entry(named: sample.source).source
    var query = Query(source.input.minLength == 0 ? "" : "x")
    if let parent = source.parent { query.options[parent.name] = "7" }
    let request = PageRequest(query: query, position: source.pagination.style.first, generation: 1)
    let url = try source.request(for: request, in: RunContext(pageSize: 2)).url
    let headers = HTTPFields(sample.headers.map { HTTPField(received: $0.0, value: $0.1) })
    let response = HTTPResponse(
      status: 200, headers: headers, body: Array(sample.body.utf8), url: url, sentAt: 1_790_000_000,
      arrivedAt: 1_790_000_000)
    let page = try source.page(from: response, for: request, in: RunContext(pageSize: 2)) { rows in
      let columns =
        source.columns.isEmpty ? Column.guessed(from: rows).filter { !$0.isHidden } : source.columns
      let context = FormatContext(now: 1_790_000_000)
      return .cells(CellTable(rows, columns: columns, link: source.rows.link, context: context))
    }
    return ([facts(page)] + cells(page)).joined(separator: "\n")
  }

  private func facts(_ page: Page) -> String {
    let total =
      switch page.total {
      case nil: "some"
      case .exact(let count): "\(count)"
      case .atLeast(let count): "at least \(count)"
      case .estimate(let count): "about \(count)"
      }
    guard case .next(let position, _) = page.continuation else { return "of \(total), the end" }
    let next =
      switch position.value {
      case .start: "start"
      case .number(let number): "\(number)"
      case .token(let token): token.json
      case .link(let url): url.description
      case .members(let members): members.map { "\($0.name)=\($0.value.json)" }.joined(separator: " ")
      }
    let budget = page.budget?.remaining.map { ", \($0) requests left" } ?? ""
    return "of \(total), next \(next)\(budget)"
  }

  private func cells(_ page: Page) -> [String] {
    guard case .cells(let table) = page.content else { return [] }
    return (0..<table.rowCount).map { row in
      (table.columns.indices.map { table.cell(row: row, column: $0).string } + [table.link(row: row)])
        .joined(separator: "|")
    }
  }
}
