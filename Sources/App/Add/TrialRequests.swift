import HTTPTransport
import HTTPValues
import Locking
import Search

/// The requests of one trial: each is sent once, at most 20 are sent, and not faster than the service allows.
final class TrialRequests: Sendable {
  static let limit = 20
  /// The requests that confirm a guess: its pages 1 and 2, and those that could contradict it.
  private static let trialCost = 5
  /// The longest wait, in seconds; for a longer one, the trial ends.
  private static let longestWait = 30.0

  private struct State {
    var responses: [Key: HTTPResponse] = [:]
    var count = 0
    /// The most requests that one response took, including redirects.
    var cost = 1
    /// The wait that the service requested before the next request, in seconds.
    var wait = 0.0
  }

  private let state = Lock(State())
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// A request, compared regardless of the order of its parameters.
  private struct Key: Hashable {
    let method: HTTPMethod
    let place: String
    let parameters: [WebURL.QueryItem: Int]
    let headers: HTTPFields
    let body: [UInt8]

    init(_ request: HTTPRequest) {
      headers = request.headers
      method = request.method
      place = "\(request.url.origin)\(request.url.path)"
      parameters = request.url.queryItems.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      body = request.body
    }
  }

  /// The number of requests sent.
  var count: Int { state.withLock { $0.count } }

  /// Whether another guess can be tried.
  var allowTrial: Bool {
    state.withLock { $0.count + $0.cost * Self.trialCost <= Self.limit && $0.wait <= Self.longestWait }
  }

  /// Why no further guess is tried; nil if all are.
  var obstacle: String? {
    if allowTrial { return nil }
    return state.withLock { $0.wait > Self.longestWait }
      ? "the service limits requests. Try again later"
      : "no next page found with \(count) requests. Complete [pagination] in the source"
  }

  func remember(_ response: HTTPResponse, to request: HTTPRequest) {
    state.withLock { $0.responses[Key(request)] = response }
  }

  /// A transport that sends a request only if its response is not known, and that waits as the service demands.
  func transport(over transport: Transport) -> Transport {
    Transport { request, total throws(TransportError) in
      if let known = self.state.withLock({ $0.responses[Key(request)] }) { return known }
      var response = try await self.response(to: request, within: total, over: transport)
      let (count, wait) = self.state.withLock { ($0.count, $0.wait) }
      if response.looksRateLimited, count > 1, wait <= Self.longestWait {
        response = try await self.response(to: request, within: total, over: transport)
      }
      self.remember(response, to: request)
      return response
    }
  }

  private func response(
    to request: HTTPRequest, within total: Duration?, over transport: Transport
  ) async throws(TransportError) -> HTTPResponse {
    let (wait, isSpent) = state.withLock { state in
      defer { state.count += 1 }
      return (state.wait, state.count + state.cost > Self.limit || state.wait > Self.longestWait)
    }
    do {
      if isSpent { throw CancellationError() }
      if wait > 0 { try await clock.sleep(for: .seconds(wait)) }
    } catch { throw TransportError(.cancelled, origin: request.url.origin.description) }
    let response = try await transport.response(to: request, within: total)
    state.withLock { state in
      state.wait = Self.wait(after: response)
      state.count += response.requests - 1
      state.cost = max(state.cost, response.requests)
    }
    return response
  }

  /// The wait that a response requests, in seconds: in `Retry-After`, or until a spent budget is renewed.
  private static func wait(after response: HTTPResponse) -> Double {
    func value(_ name: String) -> String? {
      ["X-RateLimit-", "X-Rate-Limit-", "RateLimit-"].lazy.compactMap { response.headers.first($0 + name) }
        .first
    }
    let budget = value("Remaining").flatMap { Int($0) }.map { remaining in
      let reset = value("Reset").flatMap { RateBudget.reset($0, kind: nil, now: response.arrivedAt) }
      return RateBudget(remaining: remaining, resetsAt: reset)
    }
    let wait = RequestedWait.seconds(headers: response.headers, budget: budget, now: response.arrivedAt)
    return wait ?? (response.looksRateLimited ? .infinity : 0)
  }
}
