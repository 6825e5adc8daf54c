private import Text

/// The value of a cell as a filter writes it: `column=value` keeps the rows that have it.
package struct CellTerm: Sendable, Hashable {
  /// A whole number or time as read, a time as its day in UTC, a text as it is; "" for a missing value.
  package let value: String
  /// The term of a filter.
  package let text: String

  package init(row: Int, column index: Int, of table: CellTable, in column: Column) {
    let key = table.sortKey(row: row, column: index)
    let cell = String(decoding: table.text[table.range(row: row, slot: index)], as: UTF8.self)
    switch key.kind {
    case .missing: (value, text) = ("", "\(column.name)=\"\"")
    case .number:
      value = column.written(key)
      text = "\(column.name)=\(value)"
    case .text:
      value = cell
      // A text among numbers or times could be read as neither.
      let isRead = column.format.reading == .any || column.format.reading == .bool
      text = "\(column.name)\(isRead ? "=" : ":")\(RowFilter.quoted(cell))"
    }
  }
}

extension Column {
  /// A number of this column as a filter reads it: a time as its day in UTC.
  package func written(_ number: SortKey) -> String {
    switch format.reading {
    case .time:
      let time = Double(number.decimal()).flatMap { Timestamp(epoch: $0) }
      return time?.date(in: .utc) ?? number.decimal()
    case .percent: return number.decimal(shiftedBy: 2) + "%"
    case .any, .bool, .number, .duration: return number.decimal()
    }
  }
}
