/// One thing a connection does to send a reply.
enum ReplyStep: Sendable, Equatable {
  /// In milliseconds.
  case pause(Int)
  case head(status: Int, fields: [Reply.Field])
  case body([UInt8])
  /// The same bytes so many times (nil: for ever), each when those before have left.
  case repeated([UInt8], times: Int?)
  case end
  case close
}

extension ReplyPlan {
  /// What a connection does, in order. Without `end` or `close` at the end it stays open and answers no more.
  ///
  /// - Parameters:
  ///   - isHead: The request's method is HEAD: the same head, no body.
  ///   - keepsAlive: The client wants to send another request over the connection.
  func steps(isHead: Bool, keepsAlive: Bool) -> [ReplyStep] {
    if delivery == .hanging { return [] }
    // The end of a chunked body would be sent where there is none.
    let isCutShort = isHead && bodyLength == nil
    let keepsAlive = keepsAlive && !isCutShort
    let pause = delay > 0 ? [ReplyStep.pause(delay)] : []
    let start = ReplyStep.head(status: reply.status, fields: reply.fields + framing(keepsAlive: keepsAlive))
    let body = isHead || reply.body.isEmpty ? [] : bodySteps
    let end = (isCutShort ? [] : [ReplyStep.end]) + (keepsAlive ? [] : [.close])
    return pause + [start] + body + (body.last == .close ? [] : end)
  }

  private func framing(keepsAlive: Bool) -> [Reply.Field] {
    let length =
      bodyLength.map { Reply.Field(name: "Content-Length", value: String($0)) }
      ?? Reply.Field(name: "Transfer-Encoding", value: "chunked")
    return [length] + (keepsAlive ? [] : [Reply.Field(name: "Connection", value: "close")])
  }

  /// In bytes; nil when it has no end.
  private var bodyLength: Int? {
    switch delivery {
    case .repeating(let piece, let times, let end): reply.body.count + piece.count * times + end.count
    case .endless: nil
    case .whole, .truncated, .dripping, .hanging: reply.body.count
    }
  }

  private var bodySteps: [ReplyStep] {
    switch delivery {
    case .hanging: []
    case .whole: [.body(reply.body)]
    case .truncated(let bytes): [.body(Array(reply.body.prefix(bytes))), .close]
    case .dripping(let bytes, let pause):
      stride(from: 0, to: reply.body.count, by: bytes).flatMap { start in
        [.pause(pause), .body(Array(reply.body[start...].prefix(bytes)))]
      }
    case .repeating(let piece, let times, let end):
      [.body(reply.body), .repeated(piece, times: times), .body(end)]
    case .endless(let piece): [.body(reply.body), .repeated(piece, times: nil)]
    }
  }
}
