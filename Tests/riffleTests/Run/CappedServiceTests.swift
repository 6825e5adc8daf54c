import Foundation
import HTTPTransport
import HTTPValues
import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

/// Services that return only the first rows of a list, imitated in the shape of their responses: the built-in sources
/// read all rows with `--split`. Each row is the first one of a recorded response with another id; without recordings,
/// it has only the id.
@Suite(.takesTurns) struct CappedServiceTests {
  /// The rows of a service by their ids.
  private struct Rows {
    private let template: String

    /// - Parameters:
    ///   - recording: The path of a response in the folder of recordings; nil for rows with an id alone.
    ///   - list: The field with the rows.
    ///   - isText: Whether ids are strings.
    init(_ recording: String?, in list: String, id: String, isText: Bool = false) throws {
      var row: [String: Any] = [:]
      if let recording {
        guard let folder = Recordings.folder else {
          try Test.cancel("RIFFLE_RECORDINGS names no folder of recorded responses")
        }
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(recording)"))
        let response = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        row = try #require((response[list] as? [[String: Any]])?.first)
      }
      row[id] = isText ? "#" : "##"
      template = try #require(String(data: JSONSerialization.data(withJSONObject: row), encoding: .utf8))
    }

    /// A JSON array.
    func json(_ ids: [Int]) -> String {
      let rows = ids.map { template.replacing("\"##\"", with: "\($0)").replacing("\"#\"", with: "\"\($0)\"") }
      return "[\(rows.joined(separator: ", "))]"
    }
  }

  /// When each row was created, in seconds since 1970, the latest first: years with few rows, and days with many.
  private static func times(_ count: Int) -> [Int] {
    (0..<count).map { row in
      row % 3 == 0 ? 1_300_000_000 + row * 97_003 : 1_600_000_000 + row * 47 % 90_000
    }
    .sorted(by: >)
  }

  private static func json(_ text: String, at url: WebURL, _ fields: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: HTTPFields([HTTPField(received: "Content-Type", value: "application/json")] + fields),
      body: Array(text.utf8), url: url, arrivedAt: TransportConfiguration.timeOfDay())
  }

  private static func time(_ text: Substring) -> Int {
    Int(Timestamp(iso8601: text)?.epochSeconds ?? 0)
  }

  /// The rows of a page among those created in a range.
  private static func page(
    _ times: [Int], from: Int, to: Int, _ number: Int, size: Int
  ) -> (ids: [Int], total: Int) {
    let list = times.indices.filter { from <= times[$0] && times[$0] <= to }
    return (Array(list.dropFirst(number * size).prefix(size)), list.count)
  }

  /// The ids that `riffle search` writes, and its warnings.
  private func run(
    _ words: String, _ answer: @escaping @Sendable (WebURL, (String) -> String) -> HTTPResponse
  ) async throws -> (ids: [Int], result: Program.Result) {
    let transport = Transport { request, _ in
      let items = request.url.queryItems
      return answer(request.url) { name in items.first { $0.name == name }?.value ?? "" }
    }
    let result = try await Program.run(
      words.split(separator: " ").map(String.init) + [
        "--all", "--split", "--progress", "never", "-f", "csv", "--no-header", "-c", "@key",
      ],
      environment: ["RIFFLE_SEARCH_RETRIES": "0"], over: transport)
    return (result.output.split(separator: "\n").compactMap { Int($0) }, result)
  }

  @Test(arguments: [nil, "github/search-repositories-page-1.json"])
  func `GitHub's search is read past its 1,000 rows.`(recording: String?) async throws {
    let rows = try Rows(recording, in: "items", id: "id")
    let times = Self.times(3_100)
    let (ids, result) = try await run("search github swift") { url, value in
      let range = value("q").firstMatch(of: /^swift created:(\S+)\.\.(\S+)$/)
      let number = (Int(value("page")) ?? 1) - 1
      let size = Int(value("per_page")) ?? 30
      let (ids, total) = Self.page(
        times, from: range.map { Self.time($0.1) } ?? 0, to: range.map { Self.time($0.2) } ?? .max, number,
        size: size)
      let hasNext = (number + 1) * size < min(total, 1_000)
      var next = url
      next.setQueryItem(name: "page", value: "\(number + 2)")
      return Self.json(
        "{\"total_count\": \(total), \"incomplete_results\": false, \"items\": \(rows.json(ids))}", at: url,
        hasNext ? [HTTPField(received: "Link", value: "<\(next)>; rel=\"next\"")] : [])
    }
    #expect(ids.count == 3_100 && Set(ids) == Set(0..<3_100), "\(result.errors.suffix(400))")
    #expect(result.status == 0 && !result.errors.contains("rows may be missing"))
  }

  @Test(arguments: [nil, "hn-algolia/front-page-page4-recorded.json"])
  func `Hacker News is read past its 1,000 rows, the latest first.`(recording: String?) async throws {
    let rows = try Rows(recording, in: "hits", id: "objectID", isText: true)
    let times = Self.times(2_600)
    let (ids, result) = try await run("search hn swift --set endpoint=search_by_date") { url, value in
      let range = value("numericFilters").firstMatch(of: /^created_at_i>=(\d+),created_at_i<=(\d+)$/)
      let size = Int(value("hitsPerPage")) ?? 20
      let (ids, total) = Self.page(
        times, from: range.flatMap { Int($0.1) } ?? 0, to: range.flatMap { Int($0.2) } ?? .max,
        Int(value("page")) ?? 0, size: size)
      let pages = (min(total, 1_000) + size - 1) / size
      return Self.json(
        "{\"hits\": \(rows.json(ids)), \"nbHits\": \(total), \"nbPages\": \(pages), \"exhaustiveNbHits\": true}",
        at: url)
    }
    #expect(ids == Array(0..<2_600), "\(result.errors.suffix(400))")
    #expect(result.status == 0 && !result.errors.contains("rows may be missing"))
  }

  /// It has no total, so riffle walks each range to its end.
  @Test(arguments: [nil, "stackexchange/questions-backoff-last.json"])
  func `Stack Overflow is read past its 25 pages, and the missing total is reported.`(recording: String?)
    async throws
  {
    let rows = try Rows(recording, in: "items", id: "question_id")
    let times = Self.times(2_700)
    let (ids, result) = try await run("search stackoverflow swift --set sort=creation") { url, value in
      let (number, size) = ((Int(value("page")) ?? 1) - 1, Int(value("pagesize")) ?? 30)
      let (ids, total) = Self.page(
        times, from: Int(value("fromdate")) ?? 0, to: Int(value("todate")) ?? .max, number, size: size)
      return Self.json(
        "{\"items\": \(rows.json(ids)), \"has_more\": \((number + 1) * size < total)}", at: url)
    }
    #expect(ids == Array(0..<2_700), "\(result.errors.suffix(400))")
    #expect(
      result.status == 0 && result.errors.contains("2,700 rows, and the service reports no exact total"))
  }
}
