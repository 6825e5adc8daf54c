/// A failure found by a ``TestSystem``, with its location in the test.
///
/// The library imports no test framework; it passes failures to a closure. For Swift Testing:
///
/// ```swift
/// extension TestFailure {
///   @Sendable static func record(_ failure: TestFailure) {
///     Issue.record(
///       Comment(rawValue: failure.message),
///       sourceLocation: SourceLocation(
///         fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: failure.column))
///   }
/// }
/// ```
public struct TestFailure: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, with a difference where values are compared. May have many lines.
  public let message: String
  /// `#fileID` of the expectation.
  public let fileID: String
  /// `#filePath` of the expectation.
  public let filePath: String
  /// `#line` of the expectation.
  public let line: Int
  /// `#column` of the expectation.
  public let column: Int

  /// The message, preceded by file and line.
  public var description: String { "\(fileID):\(line): \(message)" }
}

/// The source location of an expectation.
struct Place {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int
}
