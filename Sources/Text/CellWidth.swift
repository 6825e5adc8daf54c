/// The columns and cluster break property of scalars, from the generated table.
package enum CellWidth {
  /// The Unicode version of the table, such as "17.0.0".
  package static var unicodeVersion: String { CellWidthTable.unicodeVersion.description }

  /// Looks up a scalar. O(1).
  @inline(__always)
  static subscript(scalar: UInt32) -> ScalarTraits {
    let block = Int(pair(CellWidthTable.index, at: Int(scalar >> 7)))
    let record = Int(digit(CellWidthTable.blocks, at: block << 7 | Int(scalar & 127)))
    return ScalarTraits(record: pair(CellWidthTable.records, at: record))
  }

  @inline(__always)
  private static func digit(_ text: StaticString, at offset: Int) -> UInt16 {
    UInt16(text.utf8Start[offset]) &- 48
  }

  @inline(__always)
  private static func pair(_ text: StaticString, at position: Int) -> UInt16 {
    digit(text, at: 2 * position) | digit(text, at: 2 * position + 1) << 6
  }
}

/// One record of the table; the generator documents its bits.
struct ScalarTraits {
  let record: UInt16

  var clusterBreak: ClusterBreak { ClusterBreak(rawValue: UInt8(record & 31)) ?? .other }
  /// Whether the scalar adds a column inside a cluster but takes none alone.
  var isSpacing: Bool { record & 1 << 7 != 0 }
  /// Whether U+FE0F makes the scalar two columns wide.
  var isWidenedByVariation: Bool { record & 1 << 8 != 0 }

  /// The columns of the scalar by itself: 0, 1, or 2.
  func columns(ambiguousIsWide: Bool) -> Int {
    let columns = Int(record >> 5 & 3)
    return columns == 3 ? (ambiguousIsWide ? 2 : 1) : columns
  }

  /// Whether the scalar takes no column in any width model.
  var isZeroWidth: Bool { record >> 5 & 3 == 0 }

  /// Whether the scalar takes a column and no cluster rule applies to it, so that it never joins the
  /// preceding one.
  var isPlain: Bool { record & 31 == 0 && !isZeroWidth }

  /// Whether the scalar would join any preceding cluster, and so needs one.
  var joinsAnyBase: Bool {
    switch clusterBreak {
    case .extend, .linker, .joiner, .nonJoiner, .spacingMark, .skinTone: true
    default: isZeroWidth
    }
  }
}
