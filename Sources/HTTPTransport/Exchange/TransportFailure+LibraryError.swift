import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Search

/// The progress of an exchange when an error occurred.
enum ExchangeStage: Sendable, Hashable {
  case waitingForHead
  /// After this number of decoded bytes.
  case receivingBody(bytes: Int)

  var receivedBytes: Int {
    switch self {
    case .waitingForHead: 0
    case .receivingBody(let bytes): bytes
    }
  }

  /// The failure if the connection ended.
  var loss: TransportFailure.Kind {
    switch self {
    case .waitingForHead: .lostBeforeHead
    case .receivingBody(let bytes): .lostInBody(received: bytes)
    }
  }
}

extension TransportFailure {
  /// Translates any error of the underlying libraries. Their descriptions are used only if they cannot
  /// contain a header, a URL or other text of the request.
  init(_ error: any Error, while moment: ExchangeStage, limits: TransportLimits, origin: String) {
    if let failure = error as? TransportFailure {
      self = failure
      return
    }
    let (kind, detail) = Self.meaning(of: error, moment, limits)
    self.init(kind, origin: origin, detail: detail)
  }

  private typealias Meaning = (kind: Kind, detail: String)

  private static func meaning(
    of error: any Error, _ moment: ExchangeStage, _ limits: TransportLimits
  ) -> Meaning {
    switch error {
    case is CancellationError: (.cancelled, "")
    case let error as HTTPClientError: meaning(of: error, moment, limits)
    case let error as HTTPParserError: meaning(of: error, moment, limits)
    case let error as NIOConnectionError: meaning(of: error, limits)
    case let error as IOError: meaning(of: error, moment, limits)
    case is SocketAddressError.UnknownHost: (.hostNotFound, "")
    case ChannelError.connectTimeout: (.connectTimeout(seconds: limits.connect.inSeconds), "")
    case is ChannelError: (moment.loss, "")
    case NIOSSLError.uncleanShutdown: (moment.loss, "")
    case is NIOSSLError, is BoringSSLError: (.tls, Self.handshakeReason(in: "\(error)"))
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

  private static func meaning(
    of error: HTTPClientError, _ moment: ExchangeStage, _ limits: TransportLimits
  ) -> Meaning {
    switch error {
    case .cancelled, .alreadyShutdown: (.cancelled, "")
    case .remoteConnectionClosed, .uncleanShutdown: (moment.loss, "")
    case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
      .socksHandshakeTimeout:
      (.connectTimeout(seconds: limits.connect.inSeconds), error.shortDescription)
    default: (.other, error.shortDescription)
    }
  }

  private static func meaning(
    of error: HTTPParserError, _ moment: ExchangeStage, _ limits: TransportLimits
  ) -> Meaning {
    switch error {
    case .invalidEOFState, .closedConnection: (moment.loss, "")
    case .headerOverflow: (.headTooLarge(limit: limits.headBytes), "")
    case .invalidStatus: (.invalidStatusLine, "")
    default: (.malformed, "\(error)")
    }
  }

  private static func meaning(of error: NIOConnectionError, _ limits: TransportLimits) -> Meaning {
    guard let failure = error.connectionErrors.first?.error else { return (.hostNotFound, "") }
    return meaning(of: failure, .waitingForHead, limits)
  }

  private static func meaning(
    of error: IOError, _ moment: ExchangeStage, _ limits: TransportLimits
  ) -> Meaning {
    switch error.errnoCode {
    case ECONNREFUSED: (.refused, "")
    case ETIMEDOUT: (.connectTimeout(seconds: limits.connect.inSeconds), "")
    case ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED: (moment.loss, "")
    default: (.other, String(cString: strerror(error.errnoCode)))
    }
  }
}
