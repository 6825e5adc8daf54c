import Testing

@testable import Pager

@Suite struct ViewportTests {
  /// Top and selection, number of rows, lines of the screen and of each row; then the fitting top and selection.
  @Test(arguments: [
    ((0, 0), 0, 5, 1, (0, 0)), ((0, 3), 10, 5, 1, (0, 3)), ((0, 7), 10, 5, 1, (3, 7)),
    ((6, 2), 10, 5, 1, (2, 2)), ((9, 9), 10, 5, 1, (5, 9)), ((3, 12), 4, 5, 1, (0, 3)),
    ((0, 3), 10, 5, 2, (2, 3)), ((0, 9), 10, 1, 3, (9, 9)), ((-4, -1), 10, 5, 1, (0, 0)),
  ]) func `The selected row is on the screen, and the screen is within the rows.`(
    from: (Int, Int), count: Int, height: Int, lines: Int, to: (Int, Int)
  ) {
    var viewport = Viewport(top: from.0, selection: from.1)
    viewport.fit(count: count, height: height) { _ in lines }
    #expect(viewport == Viewport(top: to.0, selection: to.1))
  }

  @Test func `Another row can take the screen line of the selected row.`() {
    var viewport = Viewport(top: 10, selection: 13)
    viewport.place(50, line: viewport.line)
    #expect(viewport == Viewport(top: 47, selection: 50))
  }
}
