extension Int {
  /// The next of sixteen sizes between each power of two and its double, at most a sixteenth above the number.
  ///
  /// Pages of one list are nearly, but not quite, of one size. Buffers of such sizes can take each other's place, so
  /// that the memory of a page that is done serves the next.
  package var sizeClass: Int {
    guard self > 16 else { return Swift.max(self, 0) }
    let step = 1 << (bitWidth - (self - 1).leadingZeroBitCount - 5)
    return (self + step - 1) & ~(step - 1)
  }
}
