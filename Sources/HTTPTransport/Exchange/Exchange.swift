import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Search

/// One request and its reply, without redirects.
struct Exchange {
  let route: Route
  let limits: TransportLimits
  let deadline: RequestDeadline
  /// The time of day in seconds since 1970.
  let now: @Sendable () -> Double

  struct Failure: Error {
    let cause: TransportFailure
    /// Whether the request may not have reached the server: a reused connection ended before any of this
    /// reply arrived, or the connection ended before the request was written.
    var mayBeUnsent = false
  }

  func reply(to request: HTTPRequest) async throws(Failure) -> HTTPReply {
    let sentAt = now()
    deadline.send()
    let reply = try await wholeReply(to: request)
    return HTTPReply(
      status: Int(reply.head.status.code),
      headers: HTTPFields(reply.head.headers.map { HTTPField(received: $0.name, value: $0.value) }),
      body: reply.body, url: request.url, sentAt: sentAt, arrivedAt: now())
  }

  private func wholeReply(to request: HTTPRequest) async throws(Failure) -> ReplyCollector.Whole {
    let collector = ReplyCollector(for: request, limits: limits, deadline: deadline)
    do {
      let task = route.client.execute(
        request: try HTTPClient.Request(request), delegate: collector, deadline: .distantFuture)
      return try await withTaskCancellationHandler {
        try await task.get()
      } onCancel: {
        task.cancel()
      }
    } catch let error as LostConnection {
      let failure = failure(error.cause, collector, request)
      throw Failure(cause: failure, mayBeUnsent: error.isReused && failure.kind == .lostBeforeHead)
    } catch {
      let failure = failure(error, collector, request)
      guard collector.moment == .waitingForHead else { throw Failure(cause: failure) }
      let cause = await route.proxy?.failure(error, as: failure, of: request.url.origin, limits)
      throw Failure(cause: cause ?? failure, mayBeUnsent: failure.kind == .lostBeforeHead)
    }
  }

  private func failure(
    _ error: any Error, _ collector: ReplyCollector, _ request: HTTPRequest
  ) -> TransportFailure {
    let origin = request.url.origin.description
    let failure = TransportFailure(error, while: collector.moment, limits: limits, origin: origin)
    guard case .lostInBody = failure.kind, let type = collector.contentType else { return failure }
    return TransportFailure(failure.kind, origin: origin, detail: type)
  }
}
