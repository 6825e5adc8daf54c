import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import Search

/// One request and its reply over one connection, without redirects.
struct Exchange {
  let way: Way
  let limits: TransportLimits
  let watchdog: Watchdog
  /// The time of day in seconds since 1970.
  let now: @Sendable () -> Double

  func reply(to request: HTTPRequest) async throws(TransportFailure) -> HTTPReply {
    let sentAt = now()
    watchdog.send()
    let reply = try await wholeReply(to: request)
    return HTTPReply(
      status: Int(reply.head.status.code),
      headers: HTTPFields(reply.head.headers.map { HTTPField(received: $0.name, value: $0.value) }),
      body: reply.body, url: request.url, sentAt: sentAt, arrivedAt: now())
  }

  private func wholeReply(to request: HTTPRequest) async throws(TransportFailure) -> ReplyCollector.Whole {
    let collector = ReplyCollector(for: request, limits: limits, watchdog: watchdog)
    do {
      let task = way.client.execute(
        request: try HTTPClient.Request(request), delegate: collector, deadline: .distantFuture)
      return try await withTaskCancellationHandler {
        try await task.get()
      } onCancel: {
        task.cancel()
      }
    } catch let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData {
      // The decoder misses the end of a compressed body where the head alone speaks of one.
      if let reply = collector.bodiless { return reply }
      throw failure(error, collector.moment, request)
    } catch {
      throw failure(error, collector.moment, request)
    }
  }

  private func failure(
    _ error: any Error, _ moment: ExchangeMoment, _ request: HTTPRequest
  ) -> TransportFailure {
    let failure = TransportFailure(
      error, while: moment, limits: limits, origin: request.url.origin.description)
    return moment == .waitingForHead ? way.proxy.map(failure.naming) ?? failure : failure
  }
}
