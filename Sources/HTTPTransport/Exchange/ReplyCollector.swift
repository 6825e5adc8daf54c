import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Search
import Synchronization

/// Gathers one reply on the thread of its connection: no other thread is woken until it is whole.
final class ReplyCollector: HTTPClientResponseDelegate {
  private let method: Search.HTTPMethod
  private let origin: String
  private let limits: TransportLimits
  private let watchdog: Watchdog
  private let state = Mutex(State())

  private struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
  }

  /// A reply whose body is decoded.
  struct Whole: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]
  }

  init(for request: HTTPRequest, limits: TransportLimits, watchdog: Watchdog) {
    method = request.method
    origin = request.url.origin.description
    self.limits = limits
    self.watchdog = watchdog
  }

  /// How far the reply has come.
  var moment: ExchangeMoment {
    state.withLock { $0.head == nil ? .waitingForHead : .receivingBody(bytes: $0.body.count) }
  }

  /// The reply, where its head is all there can be of it.
  var bodiless: Whole? {
    guard let head = state.withLock({ $0.head }), head.isBodiless(method) else { return nil }
    return Whole(head: head, body: [])
  }

  func didReceiveHead(task: HTTPClient.Task<Whole>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    watchdog.receive()
    // So that a body whose length is known is not copied while it grows.
    let room = min(head.plainLength ?? 0, limits.bodyBytes).sizeClass
    state.withLock { state in
      state.head = head
      state.body.reserveCapacity(room)
    }
    return outcome(task) { () throws(TransportFailure) in try check(head) }
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Whole>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
    watchdog.receive()
    return outcome(task) { () throws(TransportFailure) in
      let fits = state.withLock { state in
        guard state.body.count + part.readableBytes <= limits.bodyBytes else { return false }
        state.body.append(contentsOf: part.readableBytesView)
        return true
      }
      if !fits { throw TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin) }
    }
  }

  func didFinishRequest(task: HTTPClient.Task<Whole>) throws -> Whole {
    let end = state.withLock { state in
      defer { state.body = [] }
      return state
    }
    guard let head = end.head else { throw TransportFailure(.lostBeforeHead, origin: origin) }
    return Whole(head: head, body: end.body)
  }

  private func outcome(
    _ task: HTTPClient.Task<Whole>, of step: () throws(TransportFailure) -> Void
  ) -> EventLoopFuture<Void> {
    do throws(TransportFailure) {
      try step()
      return task.eventLoop.makeSucceededVoidFuture()
    } catch {
      return task.eventLoop.makeFailedFuture(error)
    }
  }

  /// Refuses what the head already shows to be too much or unreadable.
  private func check(_ head: HTTPResponseHead) throws(TransportFailure) {
    // Four bytes for the colon, the space and the line end.
    let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.headBytes {
      throw TransportFailure(.headTooLarge(limit: limits.headBytes), origin: origin)
    }
    if head.isBodiless(method) { return }
    if let length = head.announcedLength, length > limits.bodyBytes {
      throw TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    }
    let coding = head.headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
    if !["identity", "gzip", "deflate", ""].contains(coding) {
      throw TransportFailure(.brokenEncoding(received: 0), origin: origin, detail: "not asked for: \(coding)")
    }
  }
}

extension HTTPResponseHead {
  /// Of the body as it is sent, in bytes, at least 0; nil when it is not said.
  fileprivate var announcedLength: Int? {
    headers.first(name: "Content-Length").flatMap { Int($0) }.map { max($0, 0) }
  }

  /// Of the decoded body, as far as the head tells.
  fileprivate var plainLength: Int? {
    headers.contains(name: "Content-Encoding") ? nil : announcedLength
  }

  /// Whether no body can follow the head (RFC 9112 section 6.3).
  fileprivate func isBodiless(_ method: Search.HTTPMethod) -> Bool {
    method == .head || status == .noContent || status == .notModified
      || headers.first(name: "Content-Length") == "0"
  }
}
