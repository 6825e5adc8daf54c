import Glibc
import Locking
package import NIOCore
import NIOPosix

/// A server on the loopback interface that answers each request with scripted bytes.
package final class RawServer: Sendable {
  package enum Action: Sendable {
    case send([UInt8])
    /// Sends these bytes repeatedly at this interval, until the client disconnects.
    case drip([UInt8], milliseconds: Int64)
    case pause(milliseconds: Int64)
    case close
    /// Closes with a reset instead of an orderly end.
    case reset
    /// Accepts no more connections. The next action runs when the listener is closed.
    case stopListening

    package static func send(_ text: String) -> Action {
      .send(Array(text.replacing("\n", with: "\r\n").utf8))
    }
  }

  /// The actions for a request, given its number (from 0) and text.
  package typealias Script = @Sendable (_ number: Int, _ request: String) -> [Action]

  package let port: Int
  private let channel: any Channel
  private let record: Record

  /// The traffic so far.
  fileprivate final class Record: Sendable {
    let state = Lock((connections: 0, closed: 0, sentBytes: 0, requests: [String]()))
    let open = Lock<[any Channel]>([])

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

  package var requests: [String] { record.state.withLock { $0.requests } }
  package var connections: Int { record.state.withLock { $0.connections } }
  /// The number of connections that have ended.
  package var closed: Int { record.state.withLock { $0.closed } }
  /// The number of bytes sent to clients, a few MiB of which may still be buffered by the system.
  package var sentBytes: Int { record.state.withLock { $0.sentBytes } }

  /// - Parameter conversation: The responses to the first parts received on each connection, before requests
  /// are read.
  package static func start(
    wrap: @escaping @Sendable (any Channel) throws -> Void = { _ in }, conversation: [[UInt8]] = [],
    _ script: @escaping Script
  ) async throws -> RawServer {
    let record = Record()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          record.state.withLock { $0.connections += 1 }
          record.open.withLock { $0.append(channel) }
          try wrap(channel)
          try channel.pipeline.syncOperations.addHandler(
            ScriptHandler(record: record, conversation: conversation, script: script))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    TakesTurns.atEnd { try? await channel.close() }
    return RawServer(channel: channel, record: record)
  }

  /// Closes all connections.
  package func closeConnections() {
    for channel in record.open.withLock({ $0 }) { channel.close(promise: nil) }
  }

  /// Accepts no more connections. May be called again.
  package func stop() async throws {
    do { try await channel.close() } catch ChannelError.alreadyClosed {}
  }
}

/// Treats input as a request once it contains an empty line and the announced body.
private final class ScriptHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let record: RawServer.Record
  private let script: RawServer.Script
  private var conversation: ArraySlice<[UInt8]>
  private var received = ""
  private var next: Scheduled<Void>?

  init(record: RawServer.Record, conversation: [[UInt8]], script: @escaping RawServer.Script) {
    self.record = record
    self.conversation = conversation[...]
    self.script = script
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let answer = conversation.popFirst() { return send(answer, context: context) }
    received += String(buffer: unwrapInboundIn(data))
    guard let head = received.firstRange(of: "\r\n\r\n") else { return }
    let length = received[..<head.lowerBound].lowercased().split(separator: "content-length: ").dropFirst()
      .first
    let announced = length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    guard received[head.upperBound...].utf8.count >= announced else { return }
    let request = received.replacing("\r\n", with: "\n")
    received = ""
    perform(script(record.add(request), request)[...], context: context)
  }

  /// Performs the actions one after the other.
  private func perform(_ actions: ArraySlice<RawServer.Action>, context: ChannelHandlerContext) {
    guard let action = actions.first else { return }
    let rest = actions.dropFirst()
    switch action {
    case .send(let bytes): send(bytes, context: context)
    case .close: context.close(promise: nil)
    case .reset:
      let channel = context.channel
      _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      context.close(promise: nil)
    case .drip(let bytes, let milliseconds):
      if context.channel.isWritable { send(bytes, context: context) }
      return perform(actions, after: milliseconds, context: context)
    case .pause(let milliseconds): return perform(rest, after: milliseconds, context: context)
    case .stopListening: return performWhenClosed(rest, context: context)
    }
    perform(rest, context: context)
  }

  private func perform(
    _ actions: ArraySlice<RawServer.Action>, after milliseconds: Int64, context: ChannelHandlerContext
  ) {
    next = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
      self.perform(actions, context: context)
    }
  }

  private func performWhenClosed(_ actions: ArraySlice<RawServer.Action>, context: ChannelHandlerContext) {
    guard let listener = context.channel.parent else { return }
    listener.close().hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.perform(actions, context: context)
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
    record.open.withLock { $0.removeAll { $0 === context.channel } }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
