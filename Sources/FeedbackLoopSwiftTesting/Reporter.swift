public import FeedbackLoopTesting
private import Testing

extension TestFailure {
  /// Records a failure as an issue of the running test of Swift Testing, at the line of the expectation that failed.
  ///
  /// A `TestSystem` that is created without `report` uses it:
  ///
  /// ```swift
  /// import FeedbackLoop
  /// import FeedbackLoopSwiftTesting
  /// import FeedbackLoopTesting
  /// import Testing
  ///
  /// @Test func `A counter counts`() {
  ///   let system = TestSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
  ///   system.send(1) { $0 = 1 }
  ///   system.finish()
  /// }
  /// ```
  ///
  /// - Parameter failure: The failure; its message becomes the comment of the issue.
  @Sendable public static func record(_ failure: TestFailure) {
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(
        fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: failure.column))
  }
}
