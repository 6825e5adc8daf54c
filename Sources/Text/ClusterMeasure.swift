/// Adds up the columns of one cluster, scalar by scalar.
///
/// By code point: the sum of the columns of each. By cluster: as specified by the Python package wcwidth,
/// whose rules were measured on terminals: the sum, at most two, where a scalar after a joiner and a skin
/// tone on an emoji add nothing, a flag letter takes two, a spacing mark adds one, and U+FE0F widens a narrow
/// emoji.
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
