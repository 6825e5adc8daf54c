/// An effect whose task has not ended.
public struct RunningEffect: Sendable, Hashable, CustomStringConvertible {
  /// The name of the feedback that started it.
  public let feedback: String
  /// The description of its query.
  public let query: String
  /// Identifies the run of an effect within a system; later runs have higher numbers.
  public let lifetime: UInt64
  /// Whether it is a binding, which runs from start to stop.
  public let isBinding: Bool

  /// The feedback and the query.
  public var description: String { "\(feedback): \(query)" }
}
