/// Storage for the JSON of loaded rows outside the state, as closures: a file in the program, memory in
/// tests.
package struct RowArchive: Sendable {
  /// Stores bytes and returns their offset; nil if they cannot be stored.
  package var keep: @Sendable ([UInt8]) -> Int?
  /// The bytes of a stored range; nil if they cannot be read.
  package var read: @Sendable (Range<Int>) -> [UInt8]?

  package init(
    keep: @escaping @Sendable ([UInt8]) -> Int?, read: @escaping @Sendable (Range<Int>) -> [UInt8]?
  ) {
    self.keep = keep
    self.read = read
  }

  /// The unmodified rows of a page, in the order of `numbers`; nil if they are not stored or cannot be read.
  /// O(bytes of the rows).
  package func rows(_ numbers: [Int], of page: ArchivedRows) -> DocumentRows? {
    var texts: [[UInt8]] = []
    for number in numbers {
      guard let range = page.range(of: number), let bytes = read(range) else { return nil }
      texts.append(bytes)
    }
    return page.document(of: texts)
  }
}
