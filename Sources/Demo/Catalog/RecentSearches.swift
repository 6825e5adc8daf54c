import Synchronization

/// Caches the rows of recent queries, since every page of a list needs the same ones.
final class RecentSearches: Sendable {
  private let searches = Mutex<[Search]>([])

  private struct Search {
    let query: String
    let rows: [Int]
  }

  /// The number of cached queries, each of at most 1.2 MB.
  private static let most = 4

  /// As `UnicodeCatalog.rows(matching:)`; recent queries are not searched again.
  func rows(matching query: String, in catalog: UnicodeCatalog) -> [Int] {
    if let known = searches.withLock({ $0.first { $0.query == query } }) { return known.rows }
    let rows = catalog.rows(matching: query)
    searches.withLock { searches in
      searches = [Search(query: query, rows: rows)] + searches.prefix(Self.most - 1)
    }
    return rows
  }
}
