/// How a connection answers: which reply, when, and how well. Faults are changes of a plan.
struct ReplyPlan: Sendable, Equatable {
  var reply: Reply
  /// In milliseconds, before the first byte.
  var delay = 0
  var delivery = Delivery.whole

  enum Delivery: Sendable, Equatable {
    case whole
    /// The head announces the whole body, of which only the first bytes are sent before the connection closes.
    case truncated(bytes: Int)
    /// The body in pieces with a pause in milliseconds before each.
    case dripping(bytes: Int, pause: Int)
    /// The body, then a piece so many times, then an end: for bodies that are never in memory as a whole.
    case repeating(piece: [UInt8], times: Int, end: [UInt8])
    /// The body, then a piece for ever, without an announced length.
    case endless(piece: [UInt8])
    /// Nothing is sent and the connection stays open.
    case hanging
  }
}
