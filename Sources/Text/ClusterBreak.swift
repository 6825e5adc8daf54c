/// What a scalar does at a cluster boundary: the property Grapheme_Cluster_Break of UAX #29, with the three
/// properties its rules need beside it (Extended_Pictographic, Indic_Conjunct_Break, emoji modifier) folded
/// in. The generator of the table lists the cases in this order.
enum ClusterBreak: UInt8 {
  case other, control, extend, linker, joiner, regionalIndicator, prepend, spacingMark
  case leadingJamo, vowelJamo, trailingJamo, openSyllable, closedSyllable
  case pictograph, consonant, skinTone, nonJoiner
}
