import Demo
import NIOCore
import NIOHTTP1

/// How a connection sends a response: the response, its delay, and its delivery. Faults modify a plan.
struct ResponsePlan: Sendable {
  var response: Response
  /// When the request was received, in seconds since 1970.
  var time = 0
  /// The delay before the first byte, in milliseconds.
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

extension ResponsePlan {
  /// The response, to be delivered as planned.
  var planned: Response {
    if delay == 0, delivery == .whole { return response }
    var planned = response
    planned.delivery = ResponseDelivery { response, request, channel in
      var plan = self
      plan.response = response
      ResponseStep.perform(
        plan.steps(isHead: request.method == .HEAD, keepsAlive: request.isKeepAlive)[...], on: channel)
    }
    return planned
  }
}

/// One step of sending a response.
enum ResponseStep: Sendable, Equatable {
  /// Pauses for this many milliseconds.
  case pause(Int)
  case head(status: Int, HTTPHeaders)
  case body([UInt8])
  /// The same bytes this many times (nil for endlessly), each after the previous ones have been flushed.
  case repeated([UInt8], times: Int?)
  case end
  case close
}

extension ResponsePlan {
  /// The steps of a connection, in order. Without `end` or `close` as the last step, it remains open and
  /// answers no further requests.
  ///
  /// - Parameters:
  ///   - isHead: The request's method is HEAD: the same headers, no body.
  ///   - keepsAlive: The client wants to send another request on the connection.
  func steps(isHead: Bool, keepsAlive: Bool) -> [ResponseStep] {
    if delivery == .hanging { return [] }
    // Otherwise the terminator of a chunked body would be sent although there is no body.
    let isCutShort = isHead && bodyLength == nil
    let keepsAlive = keepsAlive && !isCutShort
    let pause = delay > 0 ? [ResponseStep.pause(delay)] : []
    let start = ResponseStep.head(status: response.status, headers(keepsAlive: keepsAlive))
    let body = isHead || response.body.isEmpty ? [] : bodySteps
    let end = (isCutShort ? [] : [ResponseStep.end]) + (keepsAlive ? [] : [.close])
    return pause + [start] + body + (body.last == .close ? [] : end)
  }

  private func headers(keepsAlive: Bool) -> HTTPHeaders {
    var headers = response.headers
    if let bodyLength {
      headers.add(name: "Content-Length", value: String(bodyLength))
    } else {
      headers.add(name: "Transfer-Encoding", value: "chunked")
    }
    if !keepsAlive { headers.add(name: "Connection", value: "close") }
    return headers
  }

  /// The length of the body in bytes; nil if it is endless.
  private var bodyLength: Int? {
    switch delivery {
    case .repeating(let piece, let times, let end): response.body.count + piece.count * times + end.count
    case .endless: nil
    case .whole, .truncated, .dripping, .hanging: response.body.count
    }
  }

  private var bodySteps: [ResponseStep] {
    switch delivery {
    case .hanging: []
    case .whole: [.body(response.body)]
    case .truncated(let bytes): [.body(Array(response.body.prefix(bytes))), .close]
    case .dripping(let bytes, let pause):
      stride(from: 0, to: response.body.count, by: bytes).flatMap { start in
        [.pause(pause), .body(Array(response.body[start...].prefix(bytes)))]
      }
    case .repeating(let piece, let times, let end):
      [.body(response.body), .repeated(piece, times: times), .body(end)]
    case .endless(let piece): [.body(response.body), .repeated(piece, times: nil)]
    }
  }
}

extension ResponseStep {
  /// Performs the steps in order, unless the connection has ended.
  static func perform(_ steps: ArraySlice<ResponseStep>, on channel: any Channel) {
    guard channel.isActive else { return }
    var lastWrite: EventLoopFuture<Void>?
    for (index, step) in zip(steps.indices, steps) {
      let rest = steps[(index + 1)...]
      switch step {
      case .pause(let milliseconds):
        channel.flush()
        channel.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { perform(rest, on: channel) }
        return
      case .head(let status, let headers):
        let status = HTTPResponseStatus(statusCode: status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        lastWrite = channel.write(HTTPServerResponsePart.head(head))
      case .body(let bytes): lastWrite = channel.write(part(bytes))
      case .repeated(_, times: 0): break
      case .repeated(let bytes, let times):
        // The next piece follows once this one has been sent, so that a long body is never in memory as a whole.
        channel.writeAndFlush(part(bytes)).whenSuccess {
          // In a new turn of the event loop, so that writes that complete immediately do not recurse.
          channel.eventLoop.execute {
            perform([.repeated(bytes, times: times.map { $0 - 1 })] + rest, on: channel)
          }
        }
        return
      case .end: lastWrite = channel.write(HTTPServerResponsePart.end(nil))
      case .close:
        channel.flush()
        // After everything written has been sent, so that nothing is truncated by accident.
        lastWrite?.whenComplete { _ in channel.close(promise: nil) }
      }
    }
    channel.flush()
  }

  private static func part(_ bytes: [UInt8]) -> HTTPServerResponsePart {
    .body(.byteBuffer(ByteBuffer(bytes: bytes)))
  }
}
