extension LoopGuard {
  /// A refusal to start an effect.
  public struct Trip: Sendable, Hashable, CustomStringConvertible {
    /// The limit that was exceeded.
    public enum Reason: Sendable, Hashable {
      /// Effects caused one another this many times without progress.
      case depth(limit: Int)
      /// An equal query was answered this many times in a row without progress.
      case repeatedQuery(limit: Int)
      /// Effects requested because of other effects started faster than this.
      case startRate(StartRate)
    }

    /// The limit that was exceeded.
    public let reason: Reason
    /// The name of the feedback whose effect was refused.
    public let feedback: String
    /// The description of the query that was refused.
    public let query: String
    /// The causal depth of the state that requested the effect.
    public let depth: Int

    /// Creates a trip, for tests of how an application handles one.
    public init(reason: Reason, feedback: String, query: String, depth: Int) {
      self.reason = reason
      self.feedback = feedback
      self.query = query
      self.depth = depth
    }

    /// One sentence with the feedback, the query, the depth and the limit.
    public var description: String {
      "feedback \"\(feedback)\" was stopped at depth \(depth), query \(query): \(why)"
    }

    private var why: String {
      switch reason {
      case .depth(let limit): "\(limit) effects caused one another without progress"
      case .repeatedQuery(let limit): "the same query was answered \(limit) times without progress"
      case .startRate(let rate):
        "more than \(rate.perSecond) starts per second (burst \(rate.burst)) without progress"
      }
    }
  }
}
