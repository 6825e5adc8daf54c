import Search

/// A filter prepared for the columns of a table.
struct RowMatcher: Sendable {
  private struct Term: Sendable {
    let needle: Needle
    let columns: [Int]
    let isExcluding: Bool
  }

  private let terms: [Term]

  /// - Parameters:
  ///   - columns: The names of all columns; a word `name:text` searches the column of that name, shown or
  ///     not.
  ///   - visible: The columns that other words search.
  init(_ filter: RowFilter, columns: [String], visible: [Int]) {
    terms = filter.terms.map { term in
      if let named = term.named, let column = columns.firstIndex(of: named.column) {
        Term(needle: Needle(named.text), columns: [column], isExcluding: term.isExcluding)
      } else {
        Term(needle: Needle(term.text), columns: visible, isExcluding: term.isExcluding)
      }
    }
  }

  var admitsAll: Bool { terms.isEmpty }

  /// - Parameter text: The text of the table.
  func admits(
    _ row: Int, of table: CellTable, _ text: UnsafeBufferPointer<UInt8>, _ letters: inout CaseFolding
  ) -> Bool {
    for term in terms {
      var isFound = false
      for column in term.columns where !isFound {
        isFound = term.needle.isFound(in: text, table.range(row: row, slot: column), &letters)
      }
      if isFound == term.isExcluding { return false }
    }
    return true
  }
}
