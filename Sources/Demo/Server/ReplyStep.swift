/// One step of sending a reply.
enum ReplyStep: Sendable, Equatable {
  /// In milliseconds.
  case pause(Int)
  case head(status: Int, fields: [Reply.Field])
  case body([UInt8])
  /// The same bytes this many times (nil for endlessly), each after the previous ones have been flushed.
  case repeated([UInt8], times: Int?)
  case end
  case close
}

extension ReplyPlan {
  /// The steps of a connection, in order. Without `end` or `close` as the last step, it remains open and
  /// answers no further requests.
  ///
  /// - Parameters:
  ///   - isHead: The request's method is HEAD: the same headers, no body.
  ///   - keepsAlive: The client wants to send another request on the connection.
  func steps(isHead: Bool, keepsAlive: Bool) -> [ReplyStep] {
    if delivery == .hanging { return [] }
    // Otherwise the terminator of a chunked body would be sent although there is no body.
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

  /// In bytes; nil if it is endless.
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
