import Testing
import Text

@Suite struct ArraysTests {
  @Test(arguments: [
    ([], ", ", ""), (["a"], ", ", "a"), (["a", "b", "c"], ", ", "a, b, c"), (["", "", "é"], "-", "--é"),
    (["a", "b"], "", "ab"),
  ])
  func `Texts are joined with a separator between them.`(texts: [String], separator: String, joined: String) {
    #expect(texts.joined(separator: separator) == joined)
  }

  @Test(arguments: [([], 0), ([1], 0), ([-1], 1), ([-2, -1, 1, 2], 2), ([-3, -2, -1], 3)])
  func `Where a condition begins to hold is found by halving.`(numbers: [Int], index: Int) {
    #expect(numbers.partitionIndex { $0 > 0 } == index)
  }

  @Test func `A literal of attributes has each of them.`() {
    let attributes: Style.Attributes = [.bold, .underline, .bold]
    #expect(attributes == Style.Attributes.bold.union(.underline))
    #expect(([] as Style.Attributes).isEmpty)
  }
}
