import Search

/// A filter made ready for the columns of a table: which rows of it are chosen.
struct RowMatcher: Sendable {
  private struct Term: Sendable {
    let needle: Needle
    let columns: [Int]
    let isExcluding: Bool
  }

  private let terms: [Term]

  /// - Parameters:
  ///   - columns: their names; a word `name:text` is looked for in the column of that name, shown or not.
  ///   - visible: the columns other words are looked for in.
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

  /// - Parameter text: the text of the table.
  func admits(
    _ row: Int, of table: CellTable, _ text: UnsafeBufferPointer<UInt8>, _ letters: inout SmallLetters
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
