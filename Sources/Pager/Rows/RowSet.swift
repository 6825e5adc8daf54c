/// A set of row numbers, stored as a bitmap.
struct RowSet: Sendable, Hashable {
  private var words: [UInt64] = []
  private(set) var count = 0

  init() {}

  init(_ rows: some Sequence<UInt32>) {
    for row in rows { insert(Int(row)) }
  }

  var isEmpty: Bool { count == 0 }

  func contains(_ row: Int) -> Bool {
    row >> 6 < words.count && words[row >> 6] & 1 << UInt64(row & 63) != 0
  }

  mutating func insert(_ row: Int) {
    guard !contains(row) else { return }
    if row >> 6 >= words.count {
      words.append(contentsOf: repeatElement(0, count: row >> 6 + 1 - words.count))
    }
    words[row >> 6] |= 1 << UInt64(row & 63)
    count += 1
  }

  mutating func remove(_ row: Int) {
    guard contains(row) else { return }
    words[row >> 6] &= ~(1 << UInt64(row & 63))
    count -= 1
  }

  /// The rows, ascending. O(greatest row).
  var rows: [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(count)
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        rows.append(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return rows
  }
}
