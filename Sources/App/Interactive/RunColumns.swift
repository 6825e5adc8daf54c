import JSON
import Locking
import Search

/// The columns of a run: the source's, or those derived from the first page with rows and then fixed, so that
/// every page has the same columns; then those that the user adds.
final class RunColumns: Sendable {
  private let columns: Lock<[Column]>
  private let added = Lock<[Column]>([])
  /// The names of columns, or paths of fields, that the user wants besides.
  private let wanted: [String]

  init(_ declared: [Column], adding wanted: [String] = []) {
    self.wanted = wanted
    columns = Lock(declared.isEmpty ? [] : Self.completed(declared, with: wanted))
  }

  /// Empty until they are derived.
  var known: [Column] { columns.withLock { $0 } }

  /// Those whose name is none of a column are fields.
  private static func completed(_ columns: [Column], with wanted: [String]) -> [Column] {
    var completed = columns
    for name in wanted where completed.index(named: name) == nil && columns.index(abbreviated: name) == nil {
      guard let path = try? JSONPath(name) else { continue }
      var column = Column(name: name, value: ValueExpression([.path(path)]))
      column.isHidden = true
      completed.append(column)
    }
    return completed
  }

  func columns(for rows: DocumentRows) -> [Column] {
    let own = columns.withLock { columns in
      // Each column costs memory in every row.
      if columns.isEmpty { columns = Self.completed(Column.guessed(from: rows, limit: 50), with: wanted) }
      return columns
    }
    return own + added.withLock { $0 }
  }

  /// Adds these columns, and no others, to those of pages from now on.
  func add(_ columns: [Column]) { added.withLock { $0 = columns } }
}
