/// Finds the end of a cluster by the rules of UAX #29 for extended grapheme clusters, with three differences.
/// A scalar that takes no column always joins, so that every cluster of a `Sanitized` is at least one column
/// wide. A cluster has at most 32 scalars, so that hostile text cannot make one cell huge. A prepended mark
/// is a separate cluster, so that the width of a text does not depend on the text that follows.
struct ClusterBoundary {
  private static let mostScalars = 32

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
      isSealed = scalars == Self.mostScalars
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
