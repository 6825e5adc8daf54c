import Search
import Synchronization

/// The columns of a run: the source's, or those derived from the first page with rows and then fixed, so that
/// every page has the same columns.
final class RunColumns: Sendable {
  private let columns: Mutex<[Column]>

  init(_ declared: [Column]) { columns = Mutex(declared) }

  func columns(for rows: DocumentRows) -> [Column] {
    columns.withLock { columns in
      // Each column costs memory in every row.
      if columns.isEmpty { columns = Column.guessed(from: rows, limit: 50) }
      return columns
    }
  }
}
