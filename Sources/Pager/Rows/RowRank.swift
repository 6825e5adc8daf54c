import Search

/// What a row is sorted by, in 24 bytes: numbers by size before texts, texts without regard to case, missing
/// values last whichever way one sorts.
package struct RowRank: Sendable, Hashable {
  enum Kind: UInt8 { case number, text, missing }

  let kind: Kind
  /// Of a number its bits in an order that is its own; of a text its first bytes in small letters.
  let bits: UInt64
  /// The eight bytes of a text behind those.
  let moreBits: UInt64

  init(kind: Kind, bits: UInt64, moreBits: UInt64) {
    self.kind = kind
    self.bits = bits
    self.moreBits = moreBits
  }

  init(row: Int, column: Int, of table: CellTable, empty: String) {
    if let number = table.number(row: row, column: column) {
      kind = number == .infinity ? .missing : .number
      moreBits = 0
      bits = number.bitPattern ^ (number.sign == .minus ? .max : 1 << 63)
      return
    }
    let range = table.range(row: row, slot: column)
    kind = range.isEmpty || table.text[range].elementsEqual(empty.utf8) ? .missing : .text
    bits = Self.bits(of: table, range)
    moreBits = Self.bits(of: table, range.dropFirst(8))
  }

  /// Up to eight bytes in small letters, the first the most significant.
  private static func bits(of table: CellTable, _ range: Range<Int>) -> UInt64 {
    var bits: UInt64 = 0
    for offset in 0..<8 {
      bits <<= 8
      if offset < range.count { bits |= UInt64(table.text[range.lowerBound + offset].smallASCII) }
    }
    return bits
  }

  /// Whether the texts must be looked at to tell which comes first.
  func isUndecided(against other: RowRank) -> Bool { kind == .text && self == other }

  /// Which comes first; nil when neither does by rank alone.
  func precedes(_ other: RowRank, descending: Bool) -> Bool? {
    if kind == .missing || other.kind == .missing { return kind == other.kind ? nil : other.kind == .missing }
    if kind != other.kind { return (kind.rawValue < other.kind.rawValue) != descending }
    if bits != other.bits { return (bits < other.bits) != descending }
    return moreBits == other.moreBits ? nil : (moreBits < other.moreBits) != descending
  }
}
