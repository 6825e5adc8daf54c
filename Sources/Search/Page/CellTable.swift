package import Text

/// The cells of one page as a screen shows them: one buffer of UTF-8 and the end of every cell in it,
/// so that 100,000 rows are a few large blocks. Cell text is not sanitised; `Sanitized` reads it.
package struct CellTable: Sendable {
  package let columns: [Column]
  package let rowCount: Int
  /// The widest cell of each column, in columns of the terminal that takes most for it.
  package let naturalWidths: [Int]
  /// The text of all cells, row by row; `range(row:slot:)` says which is whose.
  package let text: [UInt8]
  let ends: [UInt32]
  /// The rows as they came, outside the state; nil when they are not kept.
  package var archived: ArchivedRows?
  /// What the cells of a column are sorted by, where any of them is not sorted by its text.
  let numbers: [[Double]]
  /// Whether all values of a column are numbers, or missing.
  package let isNumeric: [Bool]

  /// Makes the cells of all rows; each row has one more cell, its link, behind the columns.
  /// O(rows × columns). Cells are cut at `cellLimit` bytes, at a character boundary.
  package init(_ rows: DocumentRows, columns: [Column], link: ValueExpression?, context: FormatContext) {
    var text: [UInt8] = []
    var ends: [UInt32] = []
    var widths = [Int](repeating: 0, count: columns.count)
    var numbers = [[Double]](repeating: [], count: columns.count)
    ends.reserveCapacity(rows.nodes.count * (columns.count + 1))
    for node in rows.nodes {
      for (index, column) in columns.enumerated() {
        var context = context
        context.separator = column.separator
        let value = rows.reply.cell(column, at: node)
        numbers[index].append(value.sortNumber(in: column))
        let cell = column.format.display(value, context)
        let kept = Self.bounded(cell.isEmpty ? column.empty : cell)
        let shown = Sanitized(kept)
        widths[index] = max(widths[index], shown.width(.clusters), shown.width(.codePoints))
        text.append(contentsOf: kept.utf8)
        ends.append(UInt32(truncatingIfNeeded: text.count))
      }
      if let address = link.flatMap({ rows.reply.link($0, at: node) }) {
        text.append(contentsOf: Self.bounded(address).utf8)
      }
      ends.append(UInt32(truncatingIfNeeded: text.count))
    }
    self.init(
      columns: columns, rowCount: rows.nodes.count, naturalWidths: widths, text: text, ends: ends,
      numbers: numbers.map { $0.contains(where: \.isFinite) ? $0 : [] })
  }

  /// As it was taken apart: `ends` and `numbers` fit the rows and columns.
  init(
    columns: [Column], rowCount: Int, naturalWidths: [Int], text: [UInt8], ends: [UInt32],
    numbers: [[Double]]
  ) {
    self.columns = columns
    self.rowCount = rowCount
    self.naturalWidths = naturalWidths
    self.text = text
    self.ends = ends
    self.numbers = numbers
    isNumeric = numbers.map { !$0.isEmpty && !$0.contains(where: \.isNaN) }
  }

  /// Rows without columns: only their number is known.
  init(withoutTextsOf rowCount: Int) {
    self.init(columns: [], rowCount: rowCount, naturalWidths: [], text: [], ends: [], numbers: [])
  }

  package static let empty = CellTable(withoutTextsOf: 0)

  /// Bytes of memory that the texts and numbers take; the columns are those of other tables too.
  package var heldBytes: Int {
    text.count + 4 * ends.count + numbers.reduce(0) { $0 + 8 * $1.count } + 9 * naturalWidths.count
  }

  /// Bytes of one cell that are kept for the screen.
  static let cellLimit = 16_384

  /// O(length of the cell).
  package func cell(row: Int, column: Int) -> Sanitized { Sanitized(utf8: bytes(row: row, slot: column)) }

  /// The row's address; empty when it has none. Not sanitised.
  package func link(row: Int) -> String {
    String(decoding: bytes(row: row, slot: columns.count), as: UTF8.self)
  }

  /// Where the text of a cell is in `text`; the slot behind the columns is the link. Empty for a cell that is
  /// not there. O(1).
  package func range(row: Int, slot: Int) -> Range<Int> {
    let index = row * (columns.count + 1) + slot
    guard ends.indices.contains(index) else { return 0..<0 }
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// What a cell is sorted by when it is a number or a time, whatever its picture; `.infinity` for a missing
  /// value, nil where the text decides. O(1).
  package func number(row: Int, column: Int) -> Double? {
    guard numbers.indices.contains(column), numbers[column].indices.contains(row) else { return nil }
    let number = numbers[column][row]
    return number.isNaN ? nil : number
  }

  private func bytes(row: Int, slot: Int) -> ArraySlice<UInt8> { text[range(row: row, slot: slot)] }

  private static func bounded(_ cell: String) -> String {
    guard cell.utf8.count > cellLimit else { return cell }
    var cell = cell
    cell.makeContiguousUTF8()
    var end = cell.utf8.index(cell.startIndex, offsetBy: cellLimit)
    while String.Index(end, within: cell.unicodeScalars) == nil { end = cell.utf8.index(before: end) }
    return String(cell[..<end])
  }
}
