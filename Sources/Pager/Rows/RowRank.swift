import Search

/// What a row is sorted by, in 16 bytes: numbers by size before texts, texts without regard to case, missing
/// values last whichever way one sorts.
package struct RowRank: Sendable, Hashable {
  enum Kind: UInt8 { case number, text, missing }

  private let kind: Kind
  /// Of a number its bits in an order that is its own; of a text its first eight bytes in small letters.
  private let bits: UInt64

  init(row: Int, column: Int, of table: CellTable, empty: String) {
    if let number = table.number(row: row, column: column) {
      kind = number == .infinity ? .missing : .number
      bits = number.bitPattern ^ (number.sign == .minus ? .max : 1 << 63)
      return
    }
    let range = table.range(row: row, slot: column)
    kind = range.isEmpty || table.text[range].elementsEqual(empty.utf8) ? .missing : .text
    var first: UInt64 = 0
    for offset in 0..<8 {
      first <<= 8
      if offset < range.count { first |= UInt64(table.text[range.lowerBound + offset].smallASCII) }
    }
    bits = first
  }

  /// Whether the texts must be looked at to tell which comes first.
  func isUndecided(against other: RowRank) -> Bool { kind == .text && self == other }

  /// Which comes first; nil when neither does by rank alone.
  func precedes(_ other: RowRank, descending: Bool) -> Bool? {
    if kind == .missing || other.kind == .missing { return kind == other.kind ? nil : other.kind == .missing }
    if kind != other.kind { return (kind.rawValue < other.kind.rawValue) != descending }
    return bits == other.bits ? nil : (bits < other.bits) != descending
  }
}
