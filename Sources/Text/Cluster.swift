/// An extended grapheme cluster of a `Sanitized`: a user-perceived character.
package struct Cluster: Sendable, Hashable {
  /// Its range in the UTF-8 of the text, in byte offsets.
  package let utf8: Range<Int>
  /// Its width in columns: at least 1; at most 2 if the terminal measures clusters.
  package let width: Int

  @inlinable
  package init(utf8: Range<Int>, width: Int) {
    self.utf8 = utf8
    self.width = width
  }
}
