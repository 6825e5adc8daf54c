import AsyncHTTPClient
import Glibc
import HTTPValues
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One request and its response, without redirects.
struct HTTPExchange {
  let client: HTTPClient
  /// The proxy; nil for a direct connection.
  let proxy: ProxyServer?
  let limits: TransportLimits
  /// The time at which the exchange fails if it has not ended.
  let deadline: NIODeadline
  /// The time of day in seconds since 1970.
  let now: @Sendable () -> Double

  struct ExchangeError: Error {
    let cause: TransportError
    /// Whether the request may not have reached the server: a reused connection ended before any of this
    /// response arrived, or the connection ended before the request was written.
    var mayBeUnsent = false
  }

  func response(to request: HTTPRequest) async throws(ExchangeError) -> HTTPResponse {
    let sentAt = now()
    let response = try await wholeResponse(to: request)
    return HTTPResponse(
      status: Int(response.head.status.code),
      headers: HTTPFields(response.head.headers.map { HTTPField(received: $0.name, value: $0.value) }),
      body: response.body, url: request.url, sentAt: sentAt, arrivedAt: now())
  }

  private func wholeResponse(to request: HTTPRequest) async throws(ExchangeError)
    -> ResponseCollector.Response
  {
    let collector = ResponseCollector(for: request, limits: limits)
    do {
      let task = client.execute(
        request: try HTTPClient.Request(request), delegate: collector, deadline: deadline)
      return try await withTaskCancellationHandler {
        try await task.get()
      } onCancel: {
        task.cancel()
      }
    } catch let error as LostConnectionError {
      let failure = failure(error.cause, collector, request)
      throw ExchangeError(cause: failure, mayBeUnsent: error.isReused && failure.kind == .lostBeforeHead)
    } catch {
      let failure = failure(error, collector, request)
      guard collector.stage == .waitingForHead else { throw ExchangeError(cause: failure) }
      let cause = await proxy?.failure(error, as: failure, of: request.url.origin, limits)
      throw ExchangeError(cause: cause ?? failure, mayBeUnsent: failure.kind == .lostBeforeHead)
    }
  }

  private func failure(
    _ error: any Error, _ collector: ResponseCollector, _ request: HTTPRequest
  ) -> TransportError {
    let origin = request.url.origin.description
    let failure = TransportError(error, while: collector.stage, limits: limits, origin: origin)
    guard case .lostInBody = failure.kind, let type = collector.contentType else { return failure }
    return TransportError(failure.kind, origin: origin, detail: type)
  }
}

extension HTTPClient.Request {
  /// The request to be sent, with its credentials, accepting gzip.
  ///
  /// Credentials are omitted over plain HTTP, except to this machine. The client adds framing fields.
  ///
  /// - Throws: An error of the client if it does not accept the URL.
  init(_ request: HTTPRequest) throws {
    var headers = HTTPHeaders(request.sentHeaders.map { ($0.name, $0.value) })
    // A response to HEAD has no body to decode.
    headers.add(name: "Accept-Encoding", value: request.method == .head ? "identity" : "gzip")
    let body = request.sentBody
    let hasBody = !body.isEmpty || request.method == .post
    try self.init(
      url: Self.url(of: request).description,
      method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue), headers: headers,
      body: hasBody ? .byteBuffer(ByteBuffer(bytes: body)) : nil)
  }

  private static func url(of request: HTTPRequest) -> WebURL {
    var url = request.url
    for credential in request.sentCredentials {
      if case .query(let name) = credential.place, !url.queryItems.contains(where: { $0.name == name }) {
        url.appendQueryItem(name: name, value: credential.secret.reveal())
      }
    }
    return url
  }
}

/// Collects one response on the thread of its connection, so that no other thread is woken until it is complete.
private final class ResponseCollector: HTTPClientResponseDelegate {
  private let method: HTTPValues.HTTPMethod
  private let origin: String
  private let limits: TransportLimits
  private let state = Lock(State())

  private struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    /// The decoder; nil for a body without content coding.
    var decoder: ContentDecoder?

    mutating func take(_ part: ByteBuffer, limit: Int) throws(ContentDecoder.ContentError) {
      if let decoder {
        do { try part.withUnsafeReadableBytes { try decoder.decode($0, onto: &body) } } catch {
          throw error as? ContentDecoder.ContentError ?? .damaged("\(error)")
        }
      } else if body.count + part.readableBytes <= limit {
        body.append(contentsOf: part.readableBytesView)
      } else {
        throw .tooLarge
      }
    }
  }

  /// A response with its decoded body.
  struct Response: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]
  }

  init(for request: HTTPRequest, limits: TransportLimits) {
    method = request.method
    origin = request.url.origin.description
    self.limits = limits
  }

  /// The progress of the response.
  var stage: ExchangeStage {
    state.withLock { $0.head == nil ? .waitingForHead : .receivingBody(bytes: $0.body.count) }
  }

  /// The media type of the body, such as `application/json`; nil if the head does not say, or there is no
  /// head.
  var contentType: String? {
    let field = state.withLock { $0.head?.headers.first(name: "Content-Type") }
    let type = field.map { $0.prefix { $0 != ";" }.prefix(60) } ?? ""
    return type.isEmpty ? nil : String(type)
  }

  func didReceiveHead(task: HTTPClient.Task<Response>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    outcome(task) { [limits] in
      state.withLock { state in
        state.head = head
        // A body of announced length is not copied while it grows.
        state.body.reserveCapacity(min(head.announcedLength ?? 0, limits.bodyBytes))
      }
      try check(head)
      guard head.coding != nil else { return }
      try state.withLock { $0.decoder = try ContentDecoder(limit: limits.bodyBytes) }
    }
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Response>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
    outcome(task) { [limits] in try state.withLock { try $0.take(part, limit: limits.bodyBytes) } }
  }

  func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
    do {
      return try state.withLock { state in
        guard let head = state.head else { throw TransportError(.lostBeforeHead, origin: origin) }
        try state.decoder?.finish()
        state.decoder = nil
        defer { state.body = [] }
        return Response(head: head, body: state.body)
      }
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> TransportError {
    guard let failure = error as? ContentDecoder.ContentError else {
      return TransportError(error, while: stage, limits: limits, origin: origin)
    }
    return switch failure {
    case .tooLarge: TransportError(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    case .damaged(let reason):
      TransportError(
        .brokenEncoding(received: state.withLock { $0.body.count }), origin: origin, detail: reason)
    }
  }

  private func outcome(_ task: HTTPClient.Task<Response>, of step: () throws -> Void) -> EventLoopFuture<Void>
  {
    do {
      try step()
      return task.eventLoop.makeSucceededVoidFuture()
    } catch {
      return task.eventLoop.makeFailedFuture(failure(error))
    }
  }

  /// Rejects a response whose head shows that it is too large or cannot be decoded.
  private func check(_ head: HTTPResponseHead) throws(TransportError) {
    // Four bytes for the colon, the space and the line end.
    let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.headBytes {
      throw TransportError(.headTooLarge(limit: limits.headBytes), origin: origin)
    }
    if head.isBodiless(method) { return }
    if let length = head.announcedLength, length > limits.bodyBytes {
      throw TransportError(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    }
    if let coding = head.coding, !ContentDecoder.canDecode(coding) {
      throw TransportError(.unrequestedEncoding(coding), origin: origin)
    }
  }
}

extension HTTPResponseHead {
  /// The content coding of the body in lowercase; nil if there is none.
  fileprivate var coding: String? {
    let coding = headers.first(name: "Content-Encoding")?.lowercased() ?? ""
    return ["", "identity"].contains(coding) ? nil : coding
  }

  /// The length of the encoded body in bytes, at least 0; nil if unknown.
  fileprivate var announcedLength: Int? {
    headers.first(name: "Content-Length").flatMap { Int($0) }.map { max($0, 0) }
  }

  /// Whether the response has no body (RFC 9112, section 6.3).
  fileprivate func isBodiless(_ method: HTTPValues.HTTPMethod) -> Bool {
    method == .head || status == .noContent || status == .notModified
      || headers.first(name: "Content-Length") == "0"
  }
}

/// The progress of an exchange when an error occurred.
enum ExchangeStage: Sendable, Hashable {
  case waitingForHead
  /// The body is being received; this number of bytes has been decoded.
  case receivingBody(bytes: Int)

  /// The failure if the connection ended.
  var loss: TransportError.Kind {
    switch self {
    case .waitingForHead: .lostBeforeHead
    case .receivingBody(let bytes): .lostInBody(received: bytes)
    }
  }

  /// The failure if the time for the whole exchange is over.
  func lateness(_ limits: TransportLimits) -> TransportError.Kind {
    let seconds = limits.total.inSeconds
    return self == .waitingForHead ? .deadlineBeforeHead(seconds: seconds) : .deadline(seconds: seconds)
  }
}

extension TransportError {
  /// Translates any error of the underlying libraries. Their descriptions are used only if they cannot
  /// contain a header, a URL or other text of the request.
  init(_ error: any Error, while stage: ExchangeStage, limits: TransportLimits, origin: String) {
    let (kind, detail) = Self.meaning(of: error, stage, limits)
    self = error as? TransportError ?? TransportError(kind, origin: origin, detail: detail)
  }

  private static func meaning(
    of error: any Error, _ stage: ExchangeStage, _ limits: TransportLimits
  ) -> (kind: Kind, detail: String) {
    let noConnection = Kind.connectTimeout(seconds: limits.connect.inSeconds)
    return switch error {
    case is CancellationError: (.cancelled, "")
    case let error as HTTPClientError:
      switch error {
      case .cancelled, .alreadyShutdown: (.cancelled, "")
      case .remoteConnectionClosed, .uncleanShutdown: (stage.loss, "")
      case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
        .socksHandshakeTimeout:
        (noConnection, error.shortDescription)
      case .deadlineExceeded: (stage.lateness(limits), "")
      default: (.other, error.shortDescription)
      }
    case let error as HTTPParserError:
      switch error {
      case .invalidEOFState, .closedConnection: (stage.loss, "")
      case .headerOverflow: (.headTooLarge(limit: limits.headBytes), "")
      case .invalidStatus: (.invalidStatusLine, "")
      default: (.malformed, "\(error)")
      }
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { meaning(of: $0.error, .waitingForHead, limits) }
        ?? (.hostNotFound, "")
    case let error as IOError:
      switch error.errnoCode {
      case ECONNREFUSED: (.refused, "")
      case ETIMEDOUT: (noConnection, "")
      case ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED: (stage.loss, "")
      default: (.other, String(cString: strerror(error.errnoCode)))
      }
    case is SocketAddressError.UnknownHost: (.hostNotFound, "")
    case ChannelError.connectTimeout: (noConnection, "")
    case is ChannelError, NIOSSLError.uncleanShutdown: (stage.loss, "")
    case is NIOSSLError, is BoringSSLError: (.tls, handshakeReason(in: "\(error)"))
    case is NIOSSLExtraError: (.tls, "\(error)")
    default: (.other, "\(type(of: error))")
    }
  }

  /// The reasons of the TLS library, `CERTIFICATE_VERIFY_FAILED`, without source locations.
  private static func handshakeReason(in text: String) -> String {
    let reasons = text.split(separator: "OPENSSL_internal:").dropFirst().map { part in
      String(part.prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
    }
    if reasons.contains("WRONG_VERSION_NUMBER") { return "no TLS on this port (is it http?)" }
    let versions = ["UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION"]
    if versions.contains(where: reasons.contains) { return "no support for TLS 1.2 or later" }
    return reasons.isEmpty ? text : reasons.joined(separator: ", ")
  }
}
