extension Int {
  /// The next of sixteen sizes between consecutive powers of two, at most a sixteenth larger than the number.
  ///
  /// Pages of one list have similar but not equal sizes. Buffers with rounded sizes are interchangeable, so
  /// that the memory of a released page can be reused for the next.
  package var sizeClass: Int {
    guard self > 16 else { return Swift.max(self, 0) }
    let step = 1 << (bitWidth - (self - 1).leadingZeroBitCount - 5)
    return (self + step - 1) & ~(step - 1)
  }
}
