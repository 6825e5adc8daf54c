import Testing

@testable import Terminal

@Suite struct CursorReportTests {
  private func inputs(_ text: String) -> [Input] {
    var parser = InputParser()
    return parser.inputs(from: Array(text.utf8))
  }

  @Test func `A report from below the first row is the cursor position.`() {
    #expect(inputs("\u{1B}[2;3R") == [.answer(.cursor(column: 2, row: 1))])
    #expect(inputs("\u{1B}[40;120R") == [.answer(.cursor(column: 119, row: 39))])
  }

  @Test func `A report from the first row is read as F3 with a modifier.`() {
    #expect(inputs("\u{1B}[1;2R") == [.key(Key(.function(3), .shift))])
  }

  @Test func `A report without a column is ignored.`() {
    #expect(inputs("\u{1B}[2R\u{1B}[2;0R") == [])
  }
}
