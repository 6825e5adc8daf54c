import AsyncHTTPClient
import HTTPValues
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSOCKS

/// Failures on the way through a proxy, before the origin is reached. The message names the proxy and its
/// answer.
extension ProxyServer {
  /// - Parameters:
  ///   - error: An error of the libraries, from before the connection to the origin was established.
  ///   - failure: The meaning of the error without a proxy.
  func failure(
    _ error: any Error, as failure: TransportFailure, of origin: Origin, _ limits: TransportLimits
  ) async -> TransportFailure {
    switch error {
    case let error as HTTPClientError where error == .proxyAuthenticationRequired:
      return refusal(status: 407, of: origin)
    case let error as HTTPClientError where error == .invalidProxyResponse:
      // The client does not report the status.
      let status = await ProxyQuestion(proxy: self, origin: origin, timeout: limits.connect).status()
      return status.map { refusal(status: $0, of: origin) }
        ?? TransportFailure(.other, origin: "proxy \(self)", detail: "invalid response to CONNECT")
    case let error as SOCKSError.ConnectionFailed:
      return TransportFailure(
        .other, origin: "proxy \(self)",
        detail: "cannot connect to \(origin): \(Self.reason(error.reply)) (SOCKS reply \(error.reply.value))")
    case is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidAuthenticationSelection:
      return TransportFailure(.other, origin: "proxy \(self)", detail: "it requires a login")
    case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte,
      is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead:
      return TransportFailure(.other, origin: "proxy \(self)", detail: "it is not a SOCKS 5 proxy")
    case let error as HTTPClientError where error == .tlsHandshakeTimeout: return failure
    default: break
    }
    switch failure.kind {
    case .refused, .hostNotFound, .connectTimeout, .lostBeforeHead, .malformed, .invalidStatusLine:
      return TransportFailure(failure.kind, origin: "proxy \(self)", detail: failure.detail)
    default: return failure
    }
  }

  private func refusal(status: Int, of origin: Origin) -> TransportFailure {
    TransportFailure(.refusedByProxy(status: status), origin: origin.description, detail: "\(self)")
  }

  /// The text of RFC 1928, section 6.
  private static func reason(_ reply: SOCKSServerReply) -> String {
    switch reply {
    case .serverFailure: "general failure"
    case .notAllowed: "not allowed"
    case .networkUnreachable: "network unreachable"
    case .hostUnreachable: "host unreachable"
    case .refused: "connection refused"
    case .ttlExpired: "TTL expired"
    case .commandUnsupported: "command not supported"
    case .addressUnsupported: "address type not supported"
    default: "unknown reason"
    }
  }
}

/// Sends CONNECT to a proxy again, to find the status it rejects it with.
private struct ProxyQuestion {
  let proxy: ProxyServer
  let origin: Origin
  let timeout: Duration

  /// From 100 to 999; nil if there is none, or the proxy accepts this time.
  func status() async -> Int? {
    let limit = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
    let answer = HTTPConnections.group.next().makePromise(of: Int?.self)
    let question = question
    let connection = ClientBootstrap(group: HTTPConnections.group).connectTimeout(limit)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(StatusReader(answer))
        }
      }
      .connect(host: proxy.host, port: proxy.port)
    connection.whenFailure { _ in answer.succeed(nil) }
    connection.whenSuccess { channel in
      channel.writeAndFlush(ByteBuffer(string: question), promise: nil)
      let end = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
      answer.futureResult.whenComplete { _ in
        end.cancel()
        channel.close(promise: nil)
      }
    }
    let status = await withTaskCancellationHandler {
      try? await answer.futureResult.get()
    } onCancel: {
      answer.succeed(nil)
    }
    return status.flatMap { (200..<300).contains($0) ? nil : $0 }
  }

  private var question: String {
    let target = "\(origin.host):\(origin.port)"
    let login = proxy.login.map { "Proxy-Authorization: \($0.authorization.headerValue)\r\n" }
    return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(login ?? "")\r\n"
  }
}

/// Reads the status of the first line: `HTTP/1.1 403 Forbidden`.
private final class StatusReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: EventLoopPromise<Int?>
  private var line: [UInt8] = []

  init(_ answer: EventLoopPromise<Int?>) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    line += Self.unwrapInboundIn(data).readableBytesView.prefix(100)
    let text = String(decoding: line.prefix(100), as: UTF8.self)
    guard line.count >= 100 || text.contains(where: \.isNewline) else { return }
    let words = text.split(separator: " ", maxSplits: 2)
    let digits = words.count > 1 && text.hasPrefix("HTTP/1.") ? words[1].prefix { $0.isNumber } : ""
    answer.succeed(digits.count == 3 ? Int(digits).flatMap { $0 < 100 ? nil : $0 } : nil)
  }

  func channelInactive(context: ChannelHandlerContext) { answer.succeed(nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
