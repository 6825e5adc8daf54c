package import JSON
package import Text

/// The cells of one page for display: one buffer of UTF-8 and the end of every cell in it, so that 100,000 rows are a
/// few large blocks. The text of the cells is not sanitized; read it through `Sanitized`.
///
/// A class, because each frame reads the table of every row on the screen, and copying a class is copying one
/// reference.
package final class CellTable: Sendable {
  package let columns: [Column]
  package let rowCount: Int
  /// The width of each column's widest cell, in terminal columns, by the width model that needs the most.
  package let naturalWidths: [Int]
  /// The text of all cells, row by row; `range(row:slot:)` is the range of a cell.
  package let text: [UInt8]
  let ends: [UInt32]
  /// The original rows, outside the state; nil if they are not archived.
  package let archived: ArchivedRows?
  /// `SortKey.bits` of the cells of a column that contains values other than strings: `sortsByText` for a string,
  /// `sortsLast` for a missing value. Empty for a column of strings.
  let sortBits: [[UInt64]]
  /// `SortKey.moreBits` of the same cells, for a column with a number of more than 14 digits.
  let moreSortBits: [[UInt64]]
  /// Whether all values of a column are numbers or missing.
  package let isNumeric: [Bool]

  /// Creates the cells of all rows. The link of each row is an additional cell after the columns. Cells are
  /// truncated to `cellLimit` bytes at a character boundary. O(rows × columns).
  package convenience init(
    _ rows: DocumentRows, columns: [Column], link: ValueExpression?, context: FormatContext,
    archived: ArchivedRows? = nil
  ) {
    var text: [UInt8] = []
    var ends: [UInt32] = []
    var widths = [Int](repeating: 0, count: columns.count)
    var sorting = [SortBits](repeating: SortBits(), count: columns.count)
    ends.reserveCapacity(rows.nodes.count * (columns.count + 1))
    for node in rows.nodes {
      for (index, column) in columns.enumerated() {
        var context = context
        context.separator = column.separator
        let value = rows.response.cell(column, at: node)
        let cell = column.format.display(value, context)
        sorting[index].append(column.sortNumber(value) ?? (cell.isEmpty ? .missing : nil))
        let kept = Self.bounded(cell.isEmpty ? column.empty : cell)
        let shown = Sanitized(kept)
        widths[index] = max(widths[index], shown.width(.clusters), shown.width(.codePoints))
        text.append(contentsOf: kept.utf8)
        ends.append(UInt32(truncatingIfNeeded: text.count))
      }
      if let address = link.flatMap({ rows.response.link($0, at: node) }) {
        text.append(contentsOf: Self.bounded(address).utf8)
      }
      ends.append(UInt32(truncatingIfNeeded: text.count))
    }
    let needsSortBits = zip(sorting, columns).map { $0.hasNumbers || $0.hasMissing && !$1.empty.isEmpty }
    self.init(
      columns: columns, rowCount: rows.nodes.count, naturalWidths: widths, text: text, ends: ends,
      sortBits: zip(sorting, needsSortBits).map { $1 ? $0.bits : [] },
      moreSortBits: zip(sorting, needsSortBits).map { $1 && $0.hasMore ? $0.more : [] }, archived: archived)
  }

  /// Creates a table from its parts; `ends` and the sort bits must match the rows and columns.
  init(
    columns: [Column], rowCount: Int, naturalWidths: [Int], text: [UInt8], ends: [UInt32],
    sortBits: [[UInt64]], moreSortBits: [[UInt64]], archived: ArchivedRows? = nil
  ) {
    self.columns = columns
    self.rowCount = rowCount
    self.naturalWidths = naturalWidths
    self.text = text
    self.ends = ends
    self.sortBits = sortBits
    self.moreSortBits = moreSortBits
    self.archived = archived
    isNumeric = sortBits.map { bits in
      !bits.contains(Self.sortsByText) && bits.contains { $0 != Self.sortsLast }
    }
  }

  /// Creates a table without columns for rows of which only the number is known.
  convenience init(withoutTextsOf rowCount: Int) {
    self.init(
      columns: [], rowCount: rowCount, naturalWidths: [], text: [], ends: [], sortBits: [], moreSortBits: [])
  }

  package static let empty = CellTable(withoutTextsOf: 0)

  /// The maximum size of a cell in bytes.
  static let cellLimit = 16_384

  /// The text of a cell; empty if the page has no such column. O(length of the cell).
  package func cell(row: Int, column: Int) -> Sanitized {
    column < columns.count ? Sanitized(utf8: bytes(row: row, slot: column)) : ""
  }

  /// The URL of the row's page; empty if it has none. Not sanitized.
  package func link(row: Int) -> String {
    String(decoding: bytes(row: row, slot: columns.count), as: UTF8.self)
  }

  /// The range of a cell in `text`, empty if there is none; the slot after the columns is the link. O(1).
  package func range(row: Int, slot: Int) -> Range<Int> {
    let index = row * (columns.count + 1) + slot
    guard ends.indices.contains(index) else { return 0..<0 }
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// The sort key of a cell: the one that a pipe uses, independent of the cell's format. O(1); for a string O(16
  /// letters).
  package func sortKey(row: Int, column: Int) -> SortKey {
    if sortBits.indices.contains(column), sortBits[column].indices.contains(row) {
      let bits = sortBits[column][row]
      if bits == Self.sortsLast { return .missing }
      if bits != Self.sortsByText {
        return SortKey(
          kind: .number, bits: bits, moreBits: moreSortBits[column].isEmpty ? 0 : moreSortBits[column][row])
      }
    }
    let range = range(row: row, slot: column)
    return text.withUnsafeBufferPointer { SortKey(text: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Whether a row has the same cells as a row of another table. Ages are compared by their times, because their text
  /// is different a minute later. True for tables with different columns or without texts, which cannot be compared.
  /// O(length of the cells).
  package func showsSame(_ row: Int, as otherRow: Int, of other: CellTable) -> Bool {
    guard columns.count == other.columns.count else { return true }
    return columns.indices.allSatisfy { column in
      if columns[column].format.isAge {
        let (key, otherKey) = (
          sortKey(row: row, column: column), other.sortKey(row: otherRow, column: column)
        )
        if key.kind != .text, otherKey.kind != .text { return key == otherKey }
      }
      return bytes(row: row, slot: column).elementsEqual(other.bytes(row: otherRow, slot: column))
    }
  }

  fileprivate static let sortsByText: UInt64 = 0
  fileprivate static let sortsLast = UInt64.max

  private func bytes(row: Int, slot: Int) -> ArraySlice<UInt8> { text[range(row: row, slot: slot)] }

  /// A cell truncated to the size limit.
  static func bounded(_ cell: String) -> String {
    guard cell.utf8.count > cellLimit else { return cell }
    var cell = cell
    cell.makeContiguousUTF8()
    var end = cell.utf8.index(cell.startIndex, offsetBy: cellLimit)
    while String.Index(end, within: cell.unicodeScalars) == nil { end = cell.utf8.index(before: end) }
    return String(cell[..<end])
  }
}

/// Collects the sort keys of the cells of a column.
private struct SortBits {
  var bits: [UInt64] = []
  var more: [UInt64] = []
  var hasNumbers = false
  var hasMissing = false
  var hasMore = false

  /// - Parameter key: Nil if the text determines the order.
  mutating func append(_ key: SortKey?) {
    hasNumbers = hasNumbers || key?.kind == .number
    hasMissing = hasMissing || key?.kind == .missing
    hasMore = hasMore || key?.moreBits ?? 0 != 0
    bits.append(key.map { $0.kind == .missing ? CellTable.sortsLast : $0.bits } ?? CellTable.sortsByText)
    more.append(key?.moreBits ?? 0)
  }
}

/// The exact value of one column in one row: strings decoded, numbers as their source text.
package enum CellValue: Sendable, Hashable {
  case missing
  case text(String)
  case number(String)
  case bool(Bool)
  case list([CellValue])
  /// An object, or an array where a single value was expected, as compact JSON.
  case json(String)

  /// The value as plain text, with list elements joined by `separator`; "" if missing.
  package func text(separator: String) -> String {
    switch self {
    case .missing: ""
    case .text(let text), .number(let text), .json(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .list(let values): values.map { $0.text(separator: separator) }.joined(separator: separator)
    }
  }

  /// The value with characters in place of their escapes in objects.
  var readable: CellValue {
    switch self {
    case .json(let text): .json(JSONText.readable(text))
    case .list(let values): .list(values.map(\.readable))
    case .missing, .text, .number, .bool: self
    }
  }

  /// The value with each of its strings transformed; objects are unchanged.
  func mapTexts(_ rewrite: (String) -> String) -> CellValue {
    switch self {
    case .text(let text): .text(rewrite(text))
    case .list(let values): .list(values.map { $0.mapTexts(rewrite) })
    case .missing, .number, .bool, .json: self
    }
  }
}

extension ResponseValues {
  /// The value of a column in the row at `node`: the first alternative that is neither null nor "", with its
  /// markup and time zone converted; missing if the column's condition does not hold.
  package func cell(_ column: Column, at node: JSONNode) -> CellValue {
    if let condition = column.condition, !holds(condition, at: node) { return .missing }
    var value = exactCell(column.value, at: node)
    if column.markup != .kept { value = value.mapTexts(column.markup.plain) }
    if column.zone != 0 { value = value.mapTexts { Self.inUTC($0, from: column.zone) } }
    return value
  }

  private func exactCell(_ expression: ValueExpression, at node: JSONNode) -> CellValue {
    switch value(of: expression, at: node) {
    case nil: .missing
    case .text(let text): .text(text)
    case .node(let node, _): cell(of: node)
    case .nodes(let nodes, _): .list(nodes.map(cell(of:)))
    }
  }

  /// A time in UTC, from its own offset or else the column's. Dates without a time, and strings that are not times, are
  /// unchanged.
  private static func inUTC(_ text: String, from zone: Int) -> String {
    guard text.utf8.count > 10, let time = Timestamp(iso8601: text, zone: zone) else { return text }
    return time.rfc3339(fractionOf: text)
  }

  private func cell(of node: JSONNode) -> CellValue {
    switch document.kind(of: node) {
    case .null: .missing
    case .string: .text(document.text(of: node) ?? "")
    case .number: .number(document.text(of: node) ?? "")
    case .bool: .bool(document.bool(of: node) ?? false)
    case .object: json(of: node)
    // One level deep: nested arrays are compact JSON, so nothing recurses on input.
    case .array:
      .list(document.elements(of: node).map { document.kind(of: $0) == .array ? json(of: $0) : cell(of: $0) })
    }
  }

  private func json(of node: JSONNode) -> CellValue {
    .json(String(decoding: document.compactBytes(of: node), as: UTF8.self))
  }
}
