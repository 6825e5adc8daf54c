/// An effect whose task has not ended.
public struct RunningEffect: Sendable, Hashable, CustomStringConvertible {
  /// The name of the feedback that started it.
  public let feedback: String
  /// The description of the query it fulfils.
  public let query: String
  /// Tells the runs of a system's effects apart; later runs have higher numbers.
  public let lifetime: UInt64
  /// Whether it is a binding, which runs from start to stop.
  public let isBinding: Bool

  /// The feedback and the query.
  public var description: String { "\(feedback): \(query)" }
}
