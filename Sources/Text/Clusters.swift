/// An extended grapheme cluster of a `Sanitized`: a user-perceived character.
package struct Cluster: Sendable, Hashable {
  /// The range of the cluster in the UTF-8 of the text, in byte offsets.
  package let utf8: Range<Int>
  /// The width of the cluster in columns: at least 1; at most 2 if the terminal measures clusters.
  package let width: Int
}

extension Sanitized {
  /// The clusters of the text in order, measured according to the model.
  package func clusters(_ model: WidthModel) -> Clusters { Clusters(text: self, model: model) }
}

/// The clusters of a text, segmented and measured lazily. Together they cover its UTF-8 without gaps.
package struct Clusters: Sequence, Sendable {
  let text: Sanitized
  let model: WidthModel

  package func makeIterator() -> Iterator { Iterator(text: text, model: model) }

  package struct Iterator: IteratorProtocol, Sendable {
    private let text: Sanitized
    private let model: WidthModel
    private var offset = 0

    init(text: Sanitized, model: WidthModel) {
      self.text = text
      self.model = model
    }

    package mutating func next() -> Cluster? {
      guard offset < text.string.utf8.count else { return nil }
      let cluster = text.string.utf8Span.span.cluster(at: offset, model)
      offset = cluster.utf8.upperBound
      return cluster
    }
  }
}

extension Span<UInt8> {
  /// The cluster that begins at a byte offset of sanitized UTF-8.
  func cluster(at start: Int, _ model: WidthModel) -> Cluster {
    let first = scalar(at: start)
    let next = start + first.length
    // ASCII never joins, and a plain scalar always ends the preceding cluster.
    if next == count || self[next] < 0x80 || CellWidth[scalar(at: next).value].isPlain {
      return Cluster(utf8: start..<next, aloneIs: first.value, model)
    }
    return longCluster(at: start, model)
  }

  private func longCluster(at start: Int, _ model: WidthModel) -> Cluster {
    var measure = ClusterMeasure(model)
    let first = scalar(at: start)
    let traits = CellWidth[first.value]
    measure.add(first.value, traits)
    var boundary = ClusterBoundary(first: traits)
    var end = start + first.length
    while end < count {
      let next = scalar(at: end)
      let traits = CellWidth[next.value]
      guard boundary.absorbs(traits) else { break }
      // A scalar beyond the end of the cluster by UAX #29 takes no column.
      if !boundary.isSealed { measure.add(next.value, traits) }
      end += next.length
    }
    return Cluster(utf8: start..<end, width: measure.width)
  }
}

extension Cluster {
  fileprivate init(utf8: Range<Int>, aloneIs scalar: UInt32, _ model: WidthModel) {
    let traits = CellWidth[scalar]
    if traits.isPlain {
      self.init(utf8: utf8, width: traits.columns(ambiguousIsWide: model.ambiguousIsWide))
    } else {
      var measure = ClusterMeasure(model)
      measure.add(scalar, traits)
      self.init(utf8: utf8, width: measure.width)
    }
  }
}

/// Finds the end of a cluster by the rules of UAX #29 for extended grapheme clusters, with three differences.
/// A scalar that takes no column always joins, so that every cluster of a `Sanitized` is at least one column
/// wide. A cluster has at most 32 scalars, so that hostile text cannot make one cell huge. A prepended mark
/// is a separate cluster, so that the width of a text does not depend on the text that follows.
struct ClusterBoundary {
  private static let maxScalars = 32

  private enum Emoji { case none, pictograph, joined }
  private enum Conjunct { case none, consonant, linked }

  private var previous: ClusterBreak
  private var emoji = Emoji.none
  private var conjunct = Conjunct.none
  private var scalars = 0
  private var regionalIndicatorIsOpen = false

  /// Whether the cluster has ended by UAX #29, and only scalars without a column may still join it.
  private(set) var isSealed = false

  init(first: ScalarTraits) {
    previous = first.clusterBreak
    advance(over: previous)
  }

  /// Whether the next scalar belongs to the cluster; if so, the boundary advances past it.
  mutating func absorbs(_ next: ScalarTraits) -> Bool {
    if !isSealed && joins(next.clusterBreak) {
      advance(over: next.clusterBreak)
      isSealed = scalars == Self.maxScalars
      return true
    }
    if next.isZeroWidth { isSealed = true }
    return next.isZeroWidth
  }

  private func joins(_ next: ClusterBreak) -> Bool {
    if next == .control || previous == .control { return false }
    switch next {
    case .extend, .linker, .joiner, .nonJoiner, .spacingMark, .skinTone: return true
    case .leadingJamo, .openSyllable, .closedSyllable: return previous == .leadingJamo
    case .vowelJamo: return previous == .leadingJamo || previous == .openSyllable || previous == .vowelJamo
    case .trailingJamo: return isSyllable(previous)
    case .regionalIndicator: return regionalIndicatorIsOpen
    case .pictograph: return emoji == .joined
    case .consonant: return conjunct == .linked
    case .other, .control, .prepend: return false
    }
  }

  private func isSyllable(_ clusterBreak: ClusterBreak) -> Bool {
    switch clusterBreak {
    case .openSyllable, .closedSyllable, .vowelJamo, .trailingJamo: true
    default: false
    }
  }

  private mutating func advance(over next: ClusterBreak) {
    switch next {
    case .pictograph: emoji = .pictograph
    case .joiner: emoji = emoji == .pictograph ? .joined : .none
    case .extend, .linker, .nonJoiner, .skinTone: if emoji == .joined { emoji = .none }
    default: emoji = .none
    }
    switch next {
    case .consonant: conjunct = .consonant
    case .linker: if conjunct == .consonant { conjunct = .linked }
    case .extend, .joiner, .skinTone: break
    default: conjunct = .none
    }
    regionalIndicatorIsOpen = next == .regionalIndicator && !regionalIndicatorIsOpen
    previous = next
    scalars += 1
  }
}

/// The behavior of a scalar at a cluster boundary: the Grapheme_Cluster_Break property of UAX #29, combined
/// with the three other properties that its rules need (Extended_Pictographic, Indic_Conjunct_Break, emoji
/// modifier). The cases are in the order that the table generator uses.
enum ClusterBreak: UInt8 {
  case other, control, extend, linker, joiner, regionalIndicator, prepend, spacingMark
  case leadingJamo, vowelJamo, trailingJamo, openSyllable, closedSyllable
  case pictograph, consonant, skinTone, nonJoiner
}
