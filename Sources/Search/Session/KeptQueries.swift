import HTTPValues
import Text

/// The first pages of the queries of a session, which are shown again while they are checked. A session has one source
/// and one credential, and the origin follows from the query, so no page is shown for another of them. The pages
/// loaded longest ago are dropped when the pages exceed 16 MiB.
struct KeptQueries: Sendable {
  struct Entry: Sendable {
    fileprivate let query: Query
    let page: Page
    /// The indices of the rows to show.
    let rows: [UInt32]
  }

  /// The latest last.
  private var entries: [Entry] = []

  private static let maxBytes = 16 << 20

  subscript(query: Query) -> Entry? { entries.first { $0.query == query } }

  /// Keeps the page in place of an earlier one, unless the service forbids it.
  mutating func keep(_ page: Page, _ rows: [UInt32], of query: Query) {
    entries.removeAll { $0.query == query }
    guard page.mayBeKept, !rows.isEmpty else { return }
    entries.append(Entry(query: query, page: page, rows: rows))
    var bytes = entries.reduce(0) { $0 + $1.page.content.cellBytes }
    while bytes > Self.maxBytes { bytes -= entries.removeFirst().page.content.cellBytes }
  }
}

extension PageContent {
  /// The memory that the cells take, about.
  fileprivate var cellBytes: Int {
    if case .cells(let cells) = self {
      cells.text.count + 4 * cells.ends.count + 32 * cells.rowCount
    } else {
      0
    }
  }
}

extension HTTPResponse {
  /// Whether the response lacks `Cache-Control: no-store`.
  var mayBeKept: Bool {
    !headers.all("Cache-Control").contains { field in
      field[...].split(outsideQuotesAt: ",").contains { $0.trimmedBlanks.lowercased() == "no-store" }
    }
  }
}
