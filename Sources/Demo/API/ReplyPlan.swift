/// How a connection sends a reply: the reply, its delay, and its delivery. Faults modify a plan.
struct ReplyPlan: Sendable, Equatable {
  var reply: Reply
  /// In milliseconds, before the first byte.
  var delay = 0
  var delivery = Delivery.whole

  enum Delivery: Sendable, Equatable {
    case whole
    /// The headers announce the whole body, but only its first bytes are sent before the connection is
    /// closed.
    case truncated(bytes: Int)
    /// The body in pieces, with a pause in milliseconds before each.
    case dripping(bytes: Int, pause: Int)
    /// The body, then a piece repeated this many times, then an end: for bodies too large to keep in memory.
    case repeating(piece: [UInt8], times: Int, end: [UInt8])
    /// The body, then a piece repeated forever, without a declared length.
    case endless(piece: [UInt8])
    /// Nothing is sent, and the connection remains open.
    case hanging
  }
}
