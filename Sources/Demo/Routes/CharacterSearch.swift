/// The characters that match a query, to be divided into pages.
struct CharacterSearch {
  /// All matches, in ascending order.
  private let rows: [Int]
  private let paging: Paging
  private let catalog = UnicodeCatalog.standardLibrary

  /// Searches for the parameter `q`; all characters without it.
  init(_ request: Request) throws(Refusal) {
    try self.init(request.query["q"] ?? "", paging: request.paging)
  }

  init(_ text: String, paging: Paging) throws(Refusal) {
    guard text.utf8.count <= Self.longestText else {
      throw Refusal(422, "q must have at most \(Self.longestText) bytes")
    }
    rows = Self.recent.rows(matching: text, in: catalog)
    self.paging = paging
  }

  private static let recent = RecentSearches()

  /// In bytes, so that a long query cannot keep the server busy.
  private static let longestText = 256

  /// The number of matches.
  var count: Int { rows.count }

  /// The page at a position, with at most `size` characters (a few more with faulty paging); empty beyond the
  /// end.
  func page(from start: Int, size: Int) -> CharacterPage {
    let span = paging.span(from: start, size: size, count: count)
    return CharacterPage(
      characters: rows[span.rows].compactMap { catalog.character(at: $0) }, next: span.next, total: count)
  }

  /// The position of the first match whose code point is at least this one. O(log n).
  func position(notBefore codePoint: UInt32) -> Int {
    let row = catalog.firstRow(notBefore: codePoint)
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
