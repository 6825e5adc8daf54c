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
        .offline, message: "\(host): host not found", remedy: "is the network up?", canRepeat: .atMost(2))
    case .refused:
      self.init(
        .offline, message: "connection refused by \(host)", remedy: "is the service running on that port?",
        canRepeat: .atMost(2))
    case .tls:
      self.init(
        .connection, message: "no trusted connection to \(host): \(failure.detail)",
        remedy: "check the certificate, the clock, and that ca-certificates is installed")
    case .connectTimeout(let seconds):
      self.init(
        .offline, message: "no connection to \(host) within \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .replyTimeout(let seconds):
      self.init(
        .connection, message: "no answer from \(host) within \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .idleTimeout(let seconds):
      self.init(.connection, message: "\(host) stalled for \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .deadline(let seconds):
      self.init(
        .connection, message: "\(host) did not finish its answer within \(Self.text(seconds))",
        remedy: "--timeout allows more", canRepeat: repeatIfSafe)
    case .deadlineBeforeHead(let seconds):
      self.init(
        .connection, message: "no answer from \(host) within \(Self.text(seconds))",
        remedy: "--timeout allows more", canRepeat: repeatIfSafe)
    case .lostBeforeHead:
      self.init(
        .connection, message: "\(host) closed the connection without an answer", canRepeat: repeatIfSafe)
    case .lostInBody(let received):
      self.init(
        .connection,
        message: "the connection to \(host) broke after \(received) bytes"
          + (failure.detail.isEmpty ? "" : " of \(failure.detail)"),
        canRepeat: onceIfSafe)
    case .brokenEncoding(let received):
      self.init(
        .unreadable, message: "\(host) sent damaged compression after \(received) bytes",
        canRepeat: onceIfSafe)
    case .bodyTooLarge(let limit):
      self.init(
        .unreadable, message: "\(host) sent a page of more than \(limit >> 20) MiB",
        remedy: "ask for smaller pages with --page-size")
    case .headTooLarge(let limit):
      self.init(.unreadable, message: "\(host) sent more than \(limit >> 10) KiB of headers")
    case .malformed:
      self.init(
        .unreadable, message: "\(host) does not speak HTTP here: \(failure.detail)",
        remedy: "are the port and the scheme right?")
    case .invalidStatusLine:
      self.init(
        .unreadable, message: "\(host) sent an invalid HTTP status line",
        remedy: "are the port and the scheme right?")
    case .refusedByProxy(let status):
      self.init(
        .offline,
        message: "the proxy \(failure.detail) answered \(HTTPStatus.text(status)): no connection to \(host)",
        remedy: status == 407 ? "put USER:PASSWORD@ before the host of the proxy variable" : nil,
        canRepeat: status >= 500 ? repeatIfSafe : .never)
    case .redirect(let refusal):
      self.init(.rejected, message: "\(host) \(refusal)")
    case .privateAddress(let address):
      self.init(
        .rejected, message: "a reply led to \(host), whose address \(address) is private: not asked",
        remedy: "only a source whose own address is of that kind may be led there")
    case .reboundAddress(let address):
      self.init(
        .rejected,
        message: "\(host) was at a public address and now resolves to \(address), a private one: not asked")
    case .notThisMachine(let address):
      self.init(
        .rejected, message: "\(host) resolves to \(address), which is not this machine: not asked",
        remedy: "names that end in localhost are for this machine only")
    case .cancelled:
      self.init(.connection, message: "cancelled")
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
    case .noLocation: "redirected to nowhere (no Location)"
    case .target(let refusal): "sent a redirect that \(refusal)"
    case .unsafeMethod: "redirected a request that may not be repeated"
    case .unreadable(let text): "redirected to an address that cannot be read: \(text)"
    }
  }
}
