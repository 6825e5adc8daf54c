package import NIOCore
package import NIOHTTP1

/// Handles the requests of one connection; the pipeline passes on the next request after the reply to the
/// previous one.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let responder: Responder
  private let name: LoopbackName
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  init(responder: Responder, name: LoopbackName) {
    self.responder = responder
    self.name = name
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let part):
      // One byte too many shows that the body is too long.
      body += part.readableBytesView.prefix(Request.bodyLimit + 1 - body.count)
    case .end:
      guard let head else { return }
      let reply = responder.reply(to: head, body: body, at: name)
      reply.delivery.send(reply, head, context.channel)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// How a connection sends a reply.
package struct Delivery: Sendable {
  /// Writes the reply to a request to a channel, on its event loop.
  let send: @Sendable (_ reply: Reply, _ request: HTTPRequestHead, _ channel: any Channel) -> Void

  package init(
    send: @escaping @Sendable (_ reply: Reply, _ request: HTTPRequestHead, _ channel: any Channel) -> Void
  ) { self.send = send }

  /// The whole reply at once.
  package static let whole = Delivery { reply, request, channel in
    var headers = reply.headers
    headers.add(name: "Content-Length", value: String(reply.body.count))
    if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: reply.status)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    if request.method != .HEAD {
      channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: reply.body))), promise: nil)
    }
    let end = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    if !request.isKeepAlive { end.whenComplete { _ in channel.close(promise: nil) } }
  }
}
