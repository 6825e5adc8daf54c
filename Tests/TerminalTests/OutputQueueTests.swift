import Testing

@testable import Terminal

@Suite struct OutputQueueTests {
  private func portionEnd(_ text: String) -> Int {
    var queue = OutputQueue()
    queue.append(text.utf8)
    return queue.portionEnd
  }

  @Test func `Few bytes are written at once, and more only up to a sequence, so that no cluster is cut.`() {
    let row = String(repeating: "x", count: 1_500)
    #expect(portionEnd("\u{1B}[1H\(row)") == 1_504)
    #expect(portionEnd("\u{1B}[1H\(row)\u{1B}[2H👩‍👩‍👧\(row)") == 1_504)
    #expect(portionEnd("\u{1B}[1H\(row)\(row)") == 1_792)
  }
}
