/// How a terminal measures the width of text.
package struct WidthModel: Sendable, Hashable {
  /// The unit that the terminal measures.
  package enum Measure: Sendable, Hashable {
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
