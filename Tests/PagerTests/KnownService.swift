import JSON
import Search
import Text

@testable import Pager

/// A service whose pages are all known: each query, with its options, has its own rows, from none up to nine pages of
/// eight, and each page begins with the last row of the previous one.
enum KnownService {
  /// The number of pages of a query; 0 for one that finds nothing.
  static func pageCount(_ query: Query) -> Int {
    Int(query.description.utf8.reduce(7) { $0 &* 31 &+ $1 } % 10)
  }

  /// The names of all rows of a query, in order.
  static func names(_ query: Query) -> [String] {
    let count = pageCount(query)
    return (0..<(count == 0 ? 0 : count * 7 + 1)).map { name($0, of: query) }
  }

  /// The service's response.
  static func page(for request: PageRequest, by pager: PagerDriver) throws -> Page {
    let (query, ordinal) = (request.query, request.position.ordinal)
    let rows = ordinal < pageCount(query) ? ordinal * 7..<ordinal * 7 + 8 : 0..<0
    return try pager.page(
      rows.map { row(name($0, of: query), stars: $0 * 31 % 100) }, for: request,
      more: ordinal + 1 < pageCount(query), total: names(query).count)
  }

  private static func name(_ number: Int, of query: Query) -> String {
    "thing \(number) of \(query.description)"
  }

  private static func row(_ name: String, stars: Int) -> String {
    let name = JSONText.quoted(name)
    return "{\"name\":\(name),\"stars\":\(stars),\"about\":\(name),\"url\":\"https://example.org/\(stars)\"}"
  }
}

extension Query {
  fileprivate var description: String { "\(text) \(options.sorted { $0.key < $1.key }.map(\.value))" }
}

extension RowStore {
  /// The keys of all rows.
  var allKeys: [UInt64] { blocks.flatMap(\.keys) }

  /// The first cell of every row.
  var names: [String] {
    (0..<count).map { row in
      guard let (block, place) = locate(row), case .cells(let cells)? = block.content else { return "?" }
      return cells.cell(row: place, column: 0).string
    }
  }
}
