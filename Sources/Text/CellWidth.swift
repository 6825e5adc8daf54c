/// The rules by which a terminal measures the width of text.
package struct WidthModel: Sendable, Hashable, Codable {
  /// The unit that the terminal measures.
  package enum Measure: String, Sendable, Hashable, Codable {
    /// Each code point separately: xterm, tmux, the Linux console, mode 2027 off.
    case codePoints
    /// Extended grapheme clusters, none wider than two columns: mode 2027 on.
    case clusters
  }

  package var measure: Measure
  /// Whether characters of East Asian width "ambiguous" (Greek, ±, …, box drawing) take two columns.
  package var ambiguousIsWide: Bool

  package init(_ measure: Measure, ambiguousIsWide: Bool = false) {
    self.measure = measure
    self.ambiguousIsWide = ambiguousIsWide
  }

  package static let codePoints = WidthModel(.codePoints)
  package static let clusters = WidthModel(.clusters)
}

extension Sanitized {
  /// The width of the text in columns, according to the model. O(1) for ASCII, O(n) otherwise.
  ///
  /// The width of two concatenated strings may be less than the sum of their widths, if clusters join: two flag
  /// letters.
  package func width(_ model: WidthModel) -> Int {
    let utf8 = string.utf8Span
    if utf8.isKnownASCII { return utf8.span.count }
    return switch model.measure {
    case .codePoints: utf8.span.columnsOfScalars(ambiguousIsWide: model.ambiguousIsWide)
    case .clusters: utf8.span.columnsOfClusters(model)
    }
  }
}

extension Span<UInt8> {
  fileprivate func columnsOfScalars(ambiguousIsWide: Bool) -> Int {
    var columns = 0
    var offset = 0
    while offset < count {
      let (scalar, length) = scalar(at: offset)
      columns += length == 1 ? 1 : CellWidth[scalar].columns(ambiguousIsWide: ambiguousIsWide)
      offset += length
    }
    return columns
  }

  fileprivate func columnsOfClusters(_ model: WidthModel) -> Int {
    var columns = 0
    var offset = 0
    while offset < count {
      let cluster = cluster(at: offset, model)
      columns += cluster.width
      offset = cluster.utf8.upperBound
    }
    return columns
  }
}

/// Adds up the columns of one cluster, scalar by scalar.
///
/// By code point, the width is the sum of the columns of each scalar. By cluster, it follows the Python package
/// wcwidth, whose rules were measured on terminals: the sum, at most two, where a scalar after a joiner and a skin tone
/// on an emoji add nothing, a flag letter takes two, a spacing mark adds one, and U+FE0F widens a narrow emoji.
struct ClusterMeasure {
  private let model: WidthModel
  private var columns = 0
  private var previous = ClusterBreak.other
  /// The scalar that the next mark applies to; nil after a mark.
  private var base: ScalarTraits?

  init(_ model: WidthModel) { self.model = model }

  var width: Int { model.measure == .clusters ? min(columns, 2) : columns }

  mutating func add(_ scalar: UInt32, _ traits: ScalarTraits) {
    let own = traits.columns(ambiguousIsWide: model.ambiguousIsWide)
    columns += model.measure == .clusters ? share(of: scalar, traits, own) : own
    previous = traits.clusterBreak
  }

  private mutating func share(of scalar: UInt32, _ traits: ScalarTraits, _ own: Int) -> Int {
    if previous == .joiner { return 0 }
    if traits.clusterBreak == .skinTone && base?.clusterBreak == .pictograph { return 0 }
    if traits.isSpacing || scalar == 0xFE0F {
      defer { base = nil }
      return traits.isSpacing && base != nil || base?.isWidenedByVariation == true ? 1 : 0
    }
    if own > 0 { base = traits }
    return traits.clusterBreak == .regionalIndicator ? 2 : own
  }
}

/// The columns and cluster break property of scalars, from the generated table.
package enum CellWidth {
  /// The Unicode version of the table, such as "17.0.0".
  package static var unicodeVersion: String { CellWidthTable.unicodeVersion.description }

  /// Looks up a scalar. O(1).
  @inline(__always)
  static subscript(scalar: UInt32) -> ScalarTraits {
    let chunk = Int(digit(CellWidthTable.index, at: Int(scalar >> 10)))
    let block = Int(pair(CellWidthTable.chunks, at: chunk << 6 | Int(scalar >> 4 & 63)))
    let record = Int(digit(CellWidthTable.blocks, at: block << 4 | Int(scalar & 15)))
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

  /// The columns of the scalar on its own: 0, 1, or 2.
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
