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
    let origin = request.url.origin.description
    let sentAt = now()
    watchdog.send()
    let response: HTTPClientResponse
    do {
      response = try await way.client.execute(HTTPClientRequest(request), deadline: .distantFuture)
    } catch {
      let failure = TransportFailure(error, while: .waitingForHead, limits: limits, origin: origin)
      throw way.proxy.map(failure.naming) ?? failure
    }
    watchdog.receive()
    try check(response, to: request, origin: origin)
    let body = try await body(of: response, to: request, origin: origin)
    return HTTPReply(
      status: Int(response.status.code),
      headers: HTTPFields(response.headers.map { HTTPField(received: $0.name, value: $0.value) }),
      body: body, url: request.url, sentAt: sentAt, arrivedAt: now())
  }

  /// Refuses what the head already shows to be too much or unreadable.
  private func check(
    _ response: HTTPClientResponse, to request: HTTPRequest, origin: String
  ) throws(TransportFailure) {
    // Four bytes for the colon, the space and the line end.
    let size = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.headBytes {
      throw TransportFailure(.headTooLarge(limit: limits.headBytes), origin: origin)
    }
    if response.isBodiless(request.method) { return }
    if let length = response.announcedLength, length > limits.bodyBytes {
      throw TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    }
    let coding = response.headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
    if !["identity", "gzip", "deflate", ""].contains(coding) {
      throw TransportFailure(.brokenEncoding(received: 0), origin: origin, detail: "not asked for: \(coding)")
    }
  }

  private func body(
    of response: HTTPClientResponse, to request: HTTPRequest, origin: String
  ) async throws(TransportFailure) -> [UInt8] {
    var body: [UInt8] = []
    // So that a body whose length is known is not copied while it grows.
    body.reserveCapacity(min(response.plainLength ?? 0, limits.bodyBytes).sizeClass)
    do {
      for try await part in response.body {
        watchdog.receive()
        guard body.count + part.readableBytes <= limits.bodyBytes else {
          throw TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
        }
        body.append(contentsOf: part.readableBytesView)
      }
    } catch let error as NIOHTTPDecompression.ExtraDecompressionError
      where error == .truncatedData && response.isBodiless(request.method)
    {
      // The decoder misses the end of a compressed body where the head alone speaks of one.
    } catch {
      let moment = ExchangeMoment.receivingBody(bytes: body.count)
      throw TransportFailure(error, while: moment, limits: limits, origin: origin)
    }
    return body
  }
}

extension HTTPClientResponse {
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
