import FeedbackLoopTesting
import Testing

extension TestFailure {
  /// Reports a failure of the harness as an issue of the running test.
  @Sendable static func record(_ failure: TestFailure) {
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(
        fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: failure.column))
  }
}
