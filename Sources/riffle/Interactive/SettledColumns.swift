import Search
import Synchronization

/// The columns of a run: those of the source, or those made from the first page with rows and kept from then
/// on, so that every page has the same.
final class SettledColumns: Sendable {
  private let columns: Mutex<[Column]>

  init(_ declared: [Column]) { columns = Mutex(declared) }

  func columns(for rows: DocumentRows) -> [Column] {
    columns.withLock { columns in
      // Each costs memory for every row.
      if columns.isEmpty { columns = Column.guessed(from: rows, limit: 50) }
      return columns
    }
  }
}
