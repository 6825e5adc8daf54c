import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Demo
@testable import DemoTesting

/// A single connection whose time is advanced manually.
struct ConnectionHandlerTests {
  private let channel = EmbeddedChannel()

  init() throws {
    let api = DemoAPI { request throws(DemoError) in try FaultyAPI().plan(for: request).planned }
    let responder = Responder(api: api, budget: RequestBudget(), clock: { 0 })
    try channel.pipeline.syncOperations.addHandler(
      ConnectionHandler(responder: responder, name: LoopbackName(port: 8080)))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 8080)).wait()
  }

  private func request(_ target: String) throws {
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: target, headers: ["host": "127.0.0.1:8080"])
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
  }

  /// The number of response parts sent since the last call.
  private func sentParts() throws -> Int {
    var count = 0
    while try channel.readOutbound(as: HTTPServerResponsePart.self) != nil { count += 1 }
    return count
  }

  @Test func `A delayed response is sent after its delay.`() throws {
    try request("/?delay=500")
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
    try #expect(sentParts() == 0)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    try #expect(sentParts() == 3)
  }

  @Test func `A dripping response sends its head at once and a piece every 100 ms.`() throws {
    try request("/?fault=drip")
    try #expect(sentParts() == 1)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
    try #expect(sentParts() == 0)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    try #expect(sentParts() == 1)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(300))
    try #expect(sentParts() == 3)
  }

  @Test func `When a client disconnects, its pending responses end.`() throws {
    try request("/?fault=drip")
    try #expect(sentParts() == 1)
    try channel.close().wait()
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    try #expect(sentParts() == 0)
  }

  @Test func `The next piece of a long body is written once the previous one has been sent.`() throws {
    let slow = SlowWrites()
    try channel.pipeline.syncOperations.addHandler(slow, position: .first)
    try request("/?fault=endless")
    #expect(slow.parts == 3)
    for parts in 4...6 {
      slow.leave()
      channel.embeddedEventLoop.run()
      #expect(slow.parts == parts)
    }
  }

  @Test func `A server that hangs sends no response.`() throws {
    try request("/?fault=hang")
    channel.embeddedEventLoop.advanceTime(by: .hours(1))
    try #expect(sentParts() == 0)
    #expect(channel.isActive)
  }
}

/// Holds written data until it is released.
private final class SlowWrites: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart

  private(set) var parts = 0
  private var waiting: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    parts += 1
    if let promise { waiting.append(promise) }
  }

  func leave() {
    for promise in waiting { promise.succeed() }
    waiting = []
  }
}
