import AsyncHTTPClient
package import HTTPValues
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSOCKS

/// A proxy from an environment variable.
package struct ProxyServer: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case http, socks5 }

  struct Login: Sendable, Hashable {
    var user: String
    var password: Secret
  }

  var kind: Kind
  var host: String
  var port: Int
  var login: Login?

  /// Parses `http://user:password@host:port`; scheme, login and port (default 1080, as in curl) are optional.
  init(_ text: String) throws(ProxyError) {
    var rest = text[...]
    if let end = rest.firstRange(of: "://") {
      let scheme = rest[..<end.lowerBound].lowercased()
      rest = rest[end.upperBound...]
      switch scheme {
      case "http": kind = .http
      case "socks5", "socks5h": kind = .socks5
      default: throw .kind
      }
    } else {
      kind = .http
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let at = authority.lastIndex(of: "@")
    login = at.map { Login(authority[..<$0]) }
    (host, port) = try Self.hostAndPort(at.map { authority[authority.index(after: $0)...] } ?? authority)
  }

  private static func hostAndPort(_ text: Substring) throws(ProxyError) -> (String, Int) {
    let portMark = text.lastIndex { $0 == ":" || $0 == "]" }.flatMap { text[$0] == ":" ? $0 : nil }
    let host = portMark.map { text[..<$0] } ?? text
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    guard !bare.isEmpty else { throw .noHost }
    guard let portMark else { return (String(bare), 1080) }
    let digits = text[text.index(after: portMark)...]
    guard let port = Int(digits), (1...65_535).contains(port) else { throw .port }
    return (String(bare), port)
  }
}

extension ProxyServer.Login {
  fileprivate init(_ userinfo: Substring) {
    let user = userinfo.prefix { $0 != ":" }
    self.user = PercentEncoding.decoded(user)
    password = Secret(PercentEncoding.decoded(userinfo.dropFirst(user.count + 1)))
  }

  var authorization: HTTPClient.Authorization { .basic(username: user, password: password.reveal()) }
}

extension ProxyServer: CustomStringConvertible {
  /// `proxy.example:3128`, for messages, without the login.
  package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// An invalid proxy variable. No part of its value is shown, because a password may be anywhere in it.
package enum ProxyError: Error, Sendable, Hashable, CustomStringConvertible {
  case kind
  case noHost
  case port

  package var description: String {
    switch self {
    case .kind: "only http:// and socks5:// proxies are supported"
    case .noHost: "it has no host"
    case .port: "its port is not a number from 1 to 65535"
    }
  }
}

/// The proxy variables of an environment, with curl's semantics: lowercase takes precedence over uppercase,
/// `http_proxy` is for http, `https_proxy` for https, `all_proxy` for both, `no_proxy` for exceptions.
package struct ProxyVariables: Sendable {
  private let environment: [String: String]
  private let exceptions: ProxyExceptions

  package init(_ environment: [String: String]) {
    self.environment = environment
    exceptions = ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
  }

  /// The proxy for an origin; nil for a direct connection, which is always used for this machine.
  func server(for origin: Origin) throws(ProxyVariableError) -> ProxyServer? {
    if origin.hostClass == .loopback || exceptions.hold(origin.host) { return nil }
    return try server(for: origin.scheme)?.server
  }

  /// The proxy for hosts that `no_proxy` does not name, and its variable; nil for a direct connection.
  package func server(
    for scheme: WebURL.Scheme
  ) throws(ProxyVariableError) -> (server: ProxyServer, variable: String)? {
    for name in names(for: scheme) {
      guard let value = environment[name], !value.isEmpty else { continue }
      do { return (try ProxyServer(value), name) } catch {
        throw ProxyVariableError(variable: name, error: error)
      }
    }
    return nil
  }

  /// Uppercase `HTTP_PROXY` is ignored, because in a CGI program it is the client's `Proxy` header field.
  private func names(for scheme: WebURL.Scheme) -> [String] {
    let isCGI = environment["REQUEST_METHOD"] != nil
    switch scheme {
    case .http: return ["http_proxy"] + (isCGI ? [] : ["HTTP_PROXY"]) + ["all_proxy", "ALL_PROXY"]
    case .https: return ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    }
  }
}

/// A proxy variable that is invalid.
package struct ProxyVariableError: Error, CustomStringConvertible {
  package let variable: String
  package let error: ProxyError

  package var description: String {
    "cannot use the proxy in \(variable): \(error). Set \(variable)=http://HOST:PORT, or unset it"
  }
}

/// The hosts of `no_proxy`, parsed like curl does: names including their subdomains, addresses, networks such
/// as `10.0.0.0/8`, or `*` for everything, separated by commas or spaces.
struct ProxyExceptions: Sendable {
  private let entries: [Substring]

  init(_ text: String) { entries = text.lowercased().split { $0 == "," || $0.isWhitespace } }

  /// - Parameter host: The host in lowercase; an IPv6 address in brackets.
  func hold(_ host: String) -> Bool {
    if entries == ["*"] { return true }
    let host = Self.bare(host[...])
    if let address = IPAddress(host) {
      return entries.contains { IPNetwork(Self.bare($0))?.contains(address) ?? false }
    }
    return entries.contains { entry in
      let name = Self.bare(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  /// Removes brackets and a final dot.
  private static func bare(_ host: Substring) -> Substring {
    if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
      return host[..<end].dropFirst() + host[host.index(after: end)...]
    }
    return host.hasSuffix(".") ? host.dropLast() : host
  }
}

/// Failures of a connection through a proxy, before the origin is reached. The message names the proxy and its
/// response.
extension ProxyServer {
  /// - Parameters:
  ///   - error: An error of the libraries, from before the connection to the origin was established.
  ///   - failure: The meaning of the error without a proxy.
  func failure(
    _ error: any Error, as failure: TransportError, of origin: Origin, _ limits: TransportLimits
  ) async -> TransportError {
    switch error {
    case let error as HTTPClientError where error == .proxyAuthenticationRequired:
      return refusal(status: 407, of: origin)
    case let error as HTTPClientError where error == .invalidProxyResponse:
      // The client does not report the status.
      let status = await ProxyQuestion(proxy: self, origin: origin, timeout: limits.connect).status()
      return status.map { refusal(status: $0, of: origin) }
        ?? TransportError(.other, origin: "proxy \(self)", detail: "invalid response to CONNECT")
    case let error as SOCKSError.ConnectionFailed:
      return TransportError(
        .other, origin: "proxy \(self)",
        detail:
          "cannot connect to \(origin): \(Self.reason(error.reply)) (SOCKS response \(error.reply.value))"
      )
    case is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidAuthenticationSelection:
      return TransportError(.other, origin: "proxy \(self)", detail: "it requires a login")
    case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte,
      is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead:
      return TransportError(.other, origin: "proxy \(self)", detail: "it is not a SOCKS 5 proxy")
    case let error as HTTPClientError where error == .tlsHandshakeTimeout: return failure
    default: break
    }
    switch failure.kind {
    case .refused, .hostNotFound, .connectTimeout, .lostBeforeHead, .malformed, .invalidStatusLine:
      return TransportError(failure.kind, origin: "proxy \(self)", detail: failure.detail)
    default: return failure
    }
  }

  private func refusal(status: Int, of origin: Origin) -> TransportError {
    TransportError(.refusedByProxy(status: status), origin: origin.description, detail: "\(self)")
  }

  /// The reason phrase of RFC 1928, section 6.
  private static func reason(_ response: SOCKSServerReply) -> String {
    switch response {
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

  /// The status, from 100 to 999; nil if there is none, or the proxy accepts the request this time.
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
