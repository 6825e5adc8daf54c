/// The behavior of a scalar at a cluster boundary: the Grapheme_Cluster_Break property of UAX #29, combined
/// with the three other properties that its rules need (Extended_Pictographic, Indic_Conjunct_Break, emoji
/// modifier). The cases are in the order that the table generator uses.
enum ClusterBreak: UInt8 {
  case other, control, extend, linker, joiner, regionalIndicator, prepend, spacingMark
  case leadingJamo, vowelJamo, trailingJamo, openSyllable, closedSyllable
  case pictograph, consonant, skinTone, nonJoiner
}
