import JSON
import Locking
import Search

/// The columns of a run: the source's, or those derived from the first page with rows, and the fields that the user
/// wants besides. They are fixed with that page, so that every page has the same columns; then come those that the user
/// adds.
final class RunColumns: Sendable {
  private let declared: [Column]
  /// Nil before the first page with rows.
  private let fixed = Lock<[Column]?>(nil)
  private let added = Lock<[Column]>([])
  /// The names of columns, or paths of fields, that the user wants besides.
  private let wanted: [String]

  init(_ declared: [Column], adding wanted: [String] = []) {
    (self.declared, self.wanted) = (declared, wanted)
  }

  /// Empty until they are derived.
  var known: [Column] { fixed.withLock { $0 } ?? (declared.isEmpty ? [] : completed(declared, in: nil)) }

  /// - Parameter rows: Their values decide the form of fields; nil before there are any.
  private func completed(_ columns: [Column], in rows: DocumentRows?) -> [Column] {
    var completed = columns
    for name in wanted where completed.index(named: name) == nil && columns.index(abbreviated: name) == nil {
      guard let path = try? JSONPath(name) else { continue }
      var column = Column(path, named: name, rows.map { FieldCensus.Kind(of: path, in: $0) } ?? .mixed)
      column.isHidden = true
      completed.append(column)
    }
    return completed
  }

  func columns(for rows: DocumentRows) -> [Column] {
    if rows.nodes.isEmpty { return known + added.withLock { $0 } }
    let own = fixed.withLock { fixed in
      // Each column costs memory in every row.
      let own =
        fixed ?? completed(declared.isEmpty ? Column.guessed(from: rows, limit: 50) : declared, in: rows)
      fixed = own
      return own
    }
    return own + added.withLock { $0 }
  }

  /// Adds these columns, and no others, to those of pages from now on.
  func add(_ columns: [Column]) { added.withLock { $0 = columns } }
}
