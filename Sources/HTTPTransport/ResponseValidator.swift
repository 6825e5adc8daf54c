import HTTPValues
import NIOCore
import NIOHTTP1

/// Protects the client from invalid responses, between it and the HTTP decoder of a connection. The client
/// trusts the decoder completely: it takes a status below 100 for an interim response, and the body after it
/// crashes the program.
///
/// It also determines whether a failed request was on a reused connection, which the client does not report.
final class ResponseValidator: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// The maximum number of interim (1xx) heads before a response (RFC 9110, section 15.2).
  private static let maxInterimHeads = 100

  private let origin: String
  private var requests = 0
  private var state = State.idle

  private enum State {
    case idle
    /// - Parameter interim: The number of 1xx heads received.
    case awaitingHead(interim: Int)
    case receiving
    /// The response was rejected; the connection is being closed.
    case refused
  }

  init(origin: Origin) { self.origin = origin.description }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .head = Self.unwrapOutboundIn(data) {
      requests += 1
      state = .awaitingHead(interim: 0)
    }
    context.write(data, promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (Self.unwrapInboundIn(data), state) {
    case (.head(let head), .awaitingHead(let interim)): receive(head, after: interim, context, data)
    case (.body, .receiving): context.fireChannelRead(data)
    case (.end, .receiving):
      state = .idle
      context.fireChannelRead(data)
    // Unsolicited parts, or parts after a rejected head.
    case (.head, _), (.body, _), (.end, _): break
    }
  }

  private func receive(
    _ head: HTTPResponseHead, after interim: Int, _ context: ChannelHandlerContext, _ data: NIOAny
  ) {
    switch head.status.code {
    case 100, 102...199:
      state = .awaitingHead(interim: interim + 1)
      if interim == Self.maxInterimHeads {
        refuse(.malformed, "more than \(Self.maxInterimHeads) interim responses", context)
      }
    case 101, 200...999:
      state = .receiving
      context.fireChannelRead(data)
    default: refuse(.invalidStatusLine, "", context)
    }
  }

  private func refuse(_ kind: TransportError.Kind, _ detail: String, _ context: ChannelHandlerContext) {
    state = .refused
    context.fireErrorCaught(TransportError(kind, origin: origin, detail: detail))
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(
      isAwaitingHead ? LostConnectionError(cause: error, isReused: requests > 1) : error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isAwaitingHead {
      context.fireErrorCaught(LostConnectionError(cause: ChannelError.eof, isReused: requests > 1))
    }
    context.fireChannelInactive()
  }

  private var isAwaitingHead: Bool { if case .awaitingHead = state { true } else { false } }
}

/// A failure of an established connection before the head of a response.
struct LostConnectionError: Error {
  let cause: any Error
  /// The connection was used before, so the server may have closed it while this request was in transit.
  let isReused: Bool
}

extension ResponseValidator {
  /// Adds a guard to an established connection, and configures it for large reads, one per read request.
  static func install(in channel: any Channel, of origin: Origin) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let handlers = channel.pipeline.syncOperations
      let decoder = try handlers.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try handlers.addHandler(ResponseValidator(origin: origin), position: .after(decoder))
      try channel.syncOptions?.setOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 128 << 10))
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }
  }
}
