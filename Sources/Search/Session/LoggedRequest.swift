package import HTTPValues
private import Text

/// A request of a session and its result, in readable form: for a log, a popup, or stderr.
package struct LoggedRequest: Sendable, Hashable {
  /// The number of the request in its session, from 1.
  package internal(set) var number: Int
  /// The number of the requested page, from 1; nil for a separate request for the total.
  package let page: Int?
  /// The number of the attempt, from 0.
  package let attempt: Int
  package fileprivate(set) var exchange: Exchange
  /// The number of rows on the page; nil if the request failed.
  package let rows: Int?
  /// Why it failed.
  package let failure: String?
  package let budget: RateBudget?

  /// `page 3: GET https://… · 200 · 58.9 KiB · 53 ms · 30 rows · 27/30 left`.
  package var text: String {
    (["\(name): \(address)"] + facts + [failure].compactMap(\.self)).joined(separator: " · ")
  }

  /// The requested page or total, and whether it is a retry.
  package var name: String {
    "\(page.map { "page \($0)" } ?? "total")\(attempt == 0 ? "" : " (retry \(attempt))")"
  }

  package var address: String {
    exchange.address.isEmpty ? "not sent" : "\(exchange.method.rawValue) \(exchange.address)"
  }

  /// The result: status, size, time, rows, and remaining requests.
  package var facts: [String] { [status, confirmation, size, time, rowCount, left].compactMap(\.self) }

  package var status: String? { exchange.status.map(String.init) }

  /// The remark for a page that the service did not send again.
  package var confirmation: String? { exchange.status == 304 && failure == nil ? "not modified" : nil }

  package var rowCount: String? { rows.map { Digits.counted($0, "row") } }

  package var size: String? { exchange.bytes.flatMap { Digits.bytes(Double($0)) } }

  package var time: String? {
    let seconds = exchange.arrivedAt - exchange.sentAt
    return exchange.sentAt > 0 && seconds >= 0 ? "\(Int(seconds * 1000 + 0.5)) ms" : nil
  }

  package var left: String? {
    guard let remaining = budget?.remaining else { return nil }
    return budget?.limit.map { "\(remaining)/\($0) left" } ?? "\(remaining) left"
  }
}

extension Session {
  /// The maximum number of requests in the log.
  static let maxLogged = 200
  /// The maximum size of the bodies in the log, in bytes. The oldest ones are dropped first.
  package static let maxLoggedBytes = 4 << 20

  mutating func log(_ error: PageError, page: Int? = nil, attempt: Int) {
    log(page: page, attempt, error.exchange, failure: error.message, error.budget)
  }

  /// - Parameter page: The number of the page, from 1; nil for the total.
  mutating func log(
    page: Int? = nil, _ attempt: Int, _ exchange: Exchange?, rows: Int? = nil, failure: String? = nil,
    _ budget: RateBudget?
  ) {
    guard rules.keepsLog else { return }
    if log.count == Self.maxLogged { log.removeFirst() }
    log.append(
      LoggedRequest(
        number: (log.last?.number ?? 0) + 1, page: page, attempt: attempt, exchange: exchange ?? Exchange(),
        rows: rows, failure: failure, budget: budget))
    dropOldBodies()
  }

  private mutating func dropOldBodies() {
    var size = 0
    for index in log.indices.reversed() {
      guard let body = log[index].exchange.transcript?.body else { continue }
      size += body.size
      if size > Self.maxLoggedBytes { log[index].exchange.transcript?.dropBody() }
    }
  }
}
