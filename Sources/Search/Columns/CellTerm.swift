private import Text

/// The filter term for the value of a cell: `column=value` matches the rows with that value.
package struct CellTerm: Sendable, Hashable {
  /// The value as a filter writes it: a number in plain form, a time as its day in UTC, a string unchanged; "" for a
  /// missing value.
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
      // A string in a column of numbers or times cannot be read as either.
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
