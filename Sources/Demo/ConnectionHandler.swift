import NIOCore
import NIOHTTP1

/// Handles the requests of one connection; the pipeline passes on the next request after the reply to the
/// previous one.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let responder: Responder
  private let name: LoopbackName
  private var head: HTTPRequestHead?
  private var body = RequestBody()
  private var pause: Scheduled<Void>?
  private var lastWrite: EventLoopFuture<Void>?

  init(responder: Responder, name: LoopbackName) {
    self.responder = responder
    self.name = name
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = RequestBody()
    case .body(let part): body.append(part.readableBytesView)
    case .end:
      guard let head else { return }
      let plan = responder.plan(for: head, body: body, to: name)
      perform(plan.steps(isHead: head.method == .HEAD, keepsAlive: head.isKeepAlive)[...], context: context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    pause?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func perform(_ steps: ArraySlice<ReplyStep>, context: ChannelHandlerContext) {
    for (index, step) in zip(steps.indices, steps) {
      let rest = steps[(index + 1)...]
      switch step {
      case .pause(let milliseconds):
        context.flush()
        pause = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
          self.perform(rest, context: context)
        }
        return
      case .head(let status, let fields):
        let headers = HTTPHeaders(fields.map { ($0.name, $0.value) })
        let status = HTTPResponseStatus(statusCode: status)
        write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), context: context)
      case .body(let bytes): write(bytes, context: context)
      case .repeated(_, times: 0): break
      case .repeated(let bytes, let times):
        write(bytes, context: context)
        context.flush()
        proceed([.repeated(bytes, times: times.map { $0 - 1 })] + rest, context: context)
        return
      case .end: write(.end(nil), context: context)
      case .close: close(context: context)
      }
    }
    context.flush()
  }

  /// Performs the steps after everything written has been flushed, so that a long body is never in memory as
  /// a whole.
  private func proceed(_ steps: ArraySlice<ReplyStep>, context: ChannelHandlerContext) {
    lastWrite?.assumeIsolated().whenSuccess {
      // In a new turn of the event loop, so that writes that complete immediately do not recurse.
      context.eventLoop.assumeIsolated().execute { self.perform(steps, context: context) }
    }
  }

  private func write(_ bytes: [UInt8], context: ChannelHandlerContext) {
    write(.body(.byteBuffer(ByteBuffer(bytes: bytes))), context: context)
  }

  private func write(_ part: HTTPServerResponsePart, context: ChannelHandlerContext) {
    let promise = context.eventLoop.makePromise(of: Void.self)
    context.write(wrapOutboundOut(part), promise: promise)
    lastWrite = promise.futureResult
  }

  /// Closes the connection after everything written has been flushed, so that nothing is truncated by
  /// accident.
  private func close(context: ChannelHandlerContext) {
    context.flush()
    lastWrite?.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}

/// The body of a request as it is received, limited to the maximum that a route needs.
struct RequestBody: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  /// More was received than stored.
  private(set) var isTooLong = false

  /// In bytes.
  static let limit = 64 << 10

  mutating func append(_ part: some Collection<UInt8>) {
    isTooLong = isTooLong || part.count > Self.limit - bytes.count
    if !isTooLong { bytes += part }
  }
}

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
