extension PageError {
  /// Converts a failed exchange to a message with a remedy. Refused and unknown hosts may be retried twice;
  /// if the request is safe, timeouts and lost connections within the user's limit, and a damaged body once;
  /// TLS errors never.
  package init(_ failure: TransportFailure, isSafe: Bool) {
    let repeatIfSafe: Repeat = isSafe ? .freely : .never
    let onceIfSafe = Repeat.atMost(1).allowed(forSafe: isSafe)
    let host = failure.origin
    switch failure.kind {
    case .hostNotFound:
      self.init(
        .offline, message: "host not found: \(host)", remedy: "is the network up?", canRepeat: .atMost(2))
    case .refused:
      self.init(
        .offline, message: "connection refused by \(host)", remedy: "is the service running on that port?",
        canRepeat: .atMost(2))
    case .tls:
      self.init(
        .connection, message: "cannot establish a secure connection to \(host): \(failure.detail)",
        remedy: "check the certificate, the system clock, and that ca-certificates is installed")
    case .connectTimeout(let seconds):
      self.init(
        .offline, message: "connecting to \(host) timed out after \(Self.text(seconds))",
        canRepeat: repeatIfSafe)
    case .replyTimeout(let seconds):
      self.init(
        .connection, message: "\(host) did not respond within \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .idleTimeout(let seconds):
      self.init(
        .connection, message: "\(host) sent no data for \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .deadline(let seconds):
      self.init(
        .connection, message: "\(host) did not finish its response within \(Self.text(seconds))",
        remedy: "use --timeout to allow more", canRepeat: repeatIfSafe)
    case .deadlineBeforeHead(let seconds):
      self.init(
        .connection, message: "\(host) did not respond within \(Self.text(seconds))",
        remedy: "use --timeout to allow more", canRepeat: repeatIfSafe)
    case .lostBeforeHead:
      self.init(
        .connection, message: "\(host) closed the connection without a response", canRepeat: repeatIfSafe)
    case .lostInBody(let received):
      self.init(
        .connection,
        message: "connection to \(host) lost after \(received) bytes"
          + (failure.detail.isEmpty ? "" : " of \(failure.detail)"),
        canRepeat: onceIfSafe)
    case .brokenEncoding(let received):
      self.init(
        .unreadable, message: "\(host) sent invalid compressed data after \(received) bytes",
        canRepeat: onceIfSafe)
    case .bodyTooLarge(let limit):
      self.init(
        .unreadable, message: "\(host) sent a page larger than \(limit >> 20) MiB",
        remedy: "use --page-size to request smaller pages")
    case .headTooLarge(let limit):
      self.init(.unreadable, message: "\(host) sent more than \(limit >> 10) KiB of headers")
    case .malformed:
      self.init(
        .unreadable, message: "\(host) did not send a valid HTTP response: \(failure.detail)",
        remedy: "check the port and the scheme")
    case .invalidStatusLine:
      self.init(
        .unreadable, message: "\(host) sent an invalid HTTP status line",
        remedy: "check the port and the scheme")
    case .refusedByProxy(let status):
      self.init(
        .offline,
        message: "proxy \(failure.detail) returned \(HTTPStatus.text(status)): cannot connect to \(host)",
        remedy: status == 407 ? "add USER:PASSWORD@ before the host in the proxy variable" : nil,
        canRepeat: status >= 500 ? repeatIfSafe : .never)
    case .redirect(let refusal):
      self.init(.rejected, message: "\(host) \(refusal)")
    case .privateAddress(let address):
      self.init(
        .rejected,
        message: "request blocked: a reply points to \(host), which has the private address \(address)",
        remedy: "only a source with whose own address is private may follow such links")
    case .reboundAddress(let address):
      self.init(
        .rejected,
        message:
          "request blocked: \(host) had a public address and now resolves to the private address \(address)")
    case .notThisMachine(let address):
      self.init(
        .rejected, message: "request blocked: \(host) resolves to \(address), which is not this machine",
        remedy: "names ending in localhost must resolve to this machine")
    case .cancelled:
      self.init(.connection, message: "canceled")
    case .other:
      self.init(.connection, message: "\(host): \(failure.detail)", canRepeat: repeatIfSafe)
    }
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}

extension RedirectRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooMany(let limit): "redirected more than \(limit) times"
    case .noLocation: "sent a redirect without a Location header"
    case .target(let refusal): "sent a redirect that \(refusal)"
    case .unsafeMethod: "redirected a request that is not safe to repeat"
    case .unreadable(let text): "redirected to an invalid address: \(text)"
    }
  }
}
