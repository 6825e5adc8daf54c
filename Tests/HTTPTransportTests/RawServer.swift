import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A server on the loopback interface that answers each request with scripted bytes.
final class RawServer: Sendable {
  enum Action: Sendable {
    case send([UInt8])
    /// These bytes again and again, every so many milliseconds, until the client is gone.
    case drip([UInt8], milliseconds: Int64)
    case close
    /// Closes with a reset in place of an orderly end.
    case reset

    static func send(_ text: String) -> Action { .send(Array(text.replacing("\n", with: "\r\n").utf8)) }
  }

  /// What to do about a request: its number (from 0) and its text.
  typealias Script = @Sendable (_ number: Int, _ request: String) -> [Action]

  let port: Int
  private let channel: any Channel
  private let record: Record

  /// What came in so far.
  fileprivate final class Record: Sendable {
    let state = Mutex((connections: 0, closed: 0, sentBytes: 0, requests: [String]()))

    func add(_ request: String) -> Int {
      state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
    }
  }

  private init(channel: any Channel, record: Record) {
    self.channel = channel
    self.record = record
    port = channel.localAddress?.port ?? 0
  }

  var requests: [String] { record.state.withLock { $0.requests } }
  var connections: Int { record.state.withLock { $0.connections } }
  /// How many connections have ended.
  var closed: Int { record.state.withLock { $0.closed } }
  /// How many bytes have left for clients, of which the system holds a few MiB back.
  var sentBytes: Int { record.state.withLock { $0.sentBytes } }

  static func start(
    wrap: @escaping @Sendable (any Channel) throws -> Void = { _ in }, _ script: @escaping Script
  ) async throws -> RawServer {
    let record = Record()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          record.state.withLock { $0.connections += 1 }
          try wrap(channel)
          try channel.pipeline.syncOperations.addHandler(ScriptHandler(record: record, script: script))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return RawServer(channel: channel, record: record)
  }

  func stop() async throws { try await channel.close() }
}

/// Takes what comes for a request whenever it holds a blank line and the announced body.
private final class ScriptHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let record: RawServer.Record
  private let script: RawServer.Script
  private var received = ""
  private var next: Scheduled<Void>?

  init(record: RawServer.Record, script: @escaping RawServer.Script) {
    self.record = record
    self.script = script
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += String(buffer: unwrapInboundIn(data))
    guard let head = received.firstRange(of: "\r\n\r\n") else { return }
    let length = received[..<head.lowerBound].lowercased().split(separator: "content-length: ").dropFirst()
      .first
    let announced = length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    guard received[head.upperBound...].utf8.count >= announced else { return }
    let request = received.replacing("\r\n", with: "\n")
    received = ""
    for action in script(record.add(request), request) { perform(action, context: context) }
  }

  private func perform(_ action: RawServer.Action, context: ChannelHandlerContext) {
    switch action {
    case .send(let bytes): send(bytes, context: context)
    case .close: context.close(promise: nil)
    case .reset:
      let channel = context.channel
      _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      context.close(promise: nil)
    case .drip(let bytes, let milliseconds):
      if context.channel.isWritable { send(bytes, context: context) }
      next = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
        self.perform(action, context: context)
      }
    }
  }

  private func send(_ bytes: [UInt8], context: ChannelHandlerContext) {
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenSuccess { [record] in record.state.withLock { $0.sentBytes += bytes.count } }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: sent)
  }

  func channelInactive(context: ChannelHandlerContext) {
    next?.cancel()
    record.state.withLock { $0.closed += 1 }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
