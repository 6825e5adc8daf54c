import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Reads much at a time where a body comes as it is, and little where it is decompressed.
///
/// A part that is read is decompressed whole before anybody can stop it, to a thousand times its size: so such parts
/// are small. A reply's first part is too, since its head is in it. Each part is asked for, one at a time.
final class ReadSizes: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head) where !head.headers.contains(name: "Content-Encoding"): use(.large, in: context)
    case .head, .end: use(.small, in: context)
    case .body: break
    }
    context.fireChannelRead(data)
  }

  private func use(_ buffers: ReadBuffers, in context: ChannelHandlerContext) {
    // Cannot fail: every socket has this option.
    try? context.channel.syncOptions?.setOption(.recvAllocator, value: buffers)
  }

  /// Puts one between a client's HTTP decoder and its decompression.
  static func install(in channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let handlers = channel.pipeline.syncOperations
      let decompressor = try handlers.handler(type: NIOHTTPResponseDecompressor.self)
      try handlers.addHandler(ReadSizes(), position: .before(decompressor))
      try channel.syncOptions?.setOption(.recvAllocator, value: ReadBuffers.small)
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }
  }
}

/// Buffers of one size to read into.
private struct ReadBuffers: RecvByteBufferAllocator {
  /// In bytes.
  let capacity: Int

  static let small = ReadBuffers(capacity: 16 << 10)
  static let large = ReadBuffers(capacity: 128 << 10)

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: capacity) }

  /// Nil prevents that a buffer of at least this size, and perhaps of a larger one, is used again.
  func nextBufferSize() -> Int? { capacity < Self.large.capacity ? nil : capacity }

  /// The next buffer may always be another.
  func record(actualReadBytes: Int) -> Bool { true }
}
