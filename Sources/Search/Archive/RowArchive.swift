/// Where the JSON of loaded rows is kept outside the state, as functions: a file in the program, memory in tests.
package struct RowArchive: Sendable {
  /// Keeps bytes and tells where; nil when they cannot be kept.
  package var keep: @Sendable ([UInt8]) -> Int?
  /// The bytes of a range that was kept; nil when they cannot be read.
  package var read: @Sendable (Range<Int>) -> [UInt8]?

  package init(
    keep: @escaping @Sendable ([UInt8]) -> Int?, read: @escaping @Sendable (Range<Int>) -> [UInt8]?
  ) {
    self.keep = keep
    self.read = read
  }

  /// Rows of a page as they came, in the order asked for; nil when they are not kept, or cannot be read.
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
