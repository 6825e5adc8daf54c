/// One extended grapheme cluster of a `Sanitized`: what a reader sees as one character.
package struct Cluster: Sendable, Hashable {
  /// Where it lies in the UTF-8 of its text, as byte offsets.
  package let utf8: Range<Int>
  /// Columns it takes: at least 1; at most 2 when the terminal measures clusters.
  package let width: Int

  @inlinable
  package init(utf8: Range<Int>, width: Int) {
    self.utf8 = utf8
    self.width = width
  }
}
