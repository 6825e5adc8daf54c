extension Session {
  /// How many rows are to be loaded in all, as far as one knows; nil when the list's length is unknown, or
  /// single pages are asked for.
  package var rowsWanted: Int? {
    switch demand {
    case .nothing, .pages: nil
    case .rows(let count): total.map { min(count, $0.count) } ?? count
    case .everything: total?.count
    }
  }
}
