/// How a list is divided into pages, correctly or not.
enum Paging: Sendable, Equatable {
  case regular
  /// The first page forever; its next page is itself.
  case looping
  /// Each page begins with the last rows of the previous one.
  case overlapping
  /// Every second page is empty but has a next page.
  case gapped

  /// The number of rows that an overlapping page repeats.
  static let overlap = 3

  /// The page at a position, which is the number of preceding rows (in `gapped`: of rows and gaps).
  ///
  /// - Parameters:
  ///   - start: At least 0; beyond the end, the page is empty and has no next page.
  ///   - size: At least 1.
  func span(from start: Int, size: Int, count: Int) -> PageSpan {
    switch self {
    case .regular:
      return PageSpan(from: start, to: start + size, next: start + size, count: count)
    case .looping:
      return PageSpan(rows: 0..<min(size, count), next: start)
    case .overlapping:
      return PageSpan(from: start - Self.overlap, to: start + size, next: start + size, count: count)
    case .gapped:
      let slot = start / size
      if slot % 2 == 1 { return PageSpan(rows: 0..<0, next: start + size) }
      let first = slot / 2 * size
      var span = PageSpan(from: first, to: first + size, next: first + size, count: count)
      if span.next != nil { span.next = start + size }
      return span
    }
  }
}

/// The rows of a list that are on a page, and the position of the next page; nil after the last.
struct PageSpan: Sendable, Equatable {
  var rows: Range<Int>
  var next: Int?

  init(rows: Range<Int>, next: Int?) {
    self.rows = rows
    self.next = next
  }

  /// Clamped to a list of `count` rows; there is a next page if rows remain.
  fileprivate init(from start: Int, to end: Int, next: Int, count: Int) {
    let first = min(max(start, 0), count)
    rows = first..<min(max(end, first), count)
    self.next = end < count ? next : nil
  }
}
