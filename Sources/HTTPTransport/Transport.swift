import AsyncHTTPClient
import Glibc
package import HTTPValues
import NIOCore

/// Sends a request and returns the complete response, after redirects. It is a struct with one closure, so that tests
/// can respond from memory.
package struct Transport: Sendable {
  private let send: @Sendable (HTTPRequest, Duration?) async throws(TransportError) -> HTTPResponse

  package init(
    send: @escaping @Sendable (HTTPRequest, Duration?) async throws(TransportError) -> HTTPResponse
  ) {
    self.send = send
  }

  /// The response to a request, whatever its status, with its body decoded.
  ///
  /// - Parameter total: The time limit for everything, from the connection to the last byte after the last
  ///   redirect; nil for the transport's default.
  /// - Throws: `TransportError`; its kind is `cancelled` soon after the task is canceled.
  package func response(
    to request: HTTPRequest, within total: Duration? = nil
  ) async throws(TransportError) -> HTTPResponse {
    try await send(request, total)
  }
}

extension Transport {
  /// A transport over network connections, which the caller must close at the end.
  package init(over connections: HTTPConnections) {
    self.init { request, total throws(TransportError) in
      var limits = connections.configuration.limits
      if let total { limits.total = total }
      return try await Sender(connections: connections, limits: limits).response(to: request)
    }
  }
}

/// Sends one request with its redirects, all of them before one deadline.
private struct Sender {
  let connections: HTTPConnections
  let limits: TransportLimits
  let deadline: NIODeadline

  init(connections: HTTPConnections, limits: TransportLimits) {
    self.connections = connections
    self.limits = limits
    deadline = .now() + TimeAmount(limits.total)
  }

  func response(to request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    var redirects = Redirects(of: request)
    var requests = 0
    while true {
      requests += 1
      do throws(TransportError) {
        var response = try await directResponse(to: connections.cookies.added(to: request, now: now()))
        connections.cookies.keep(from: response, to: request, now: now())
        let locations = response.headers.all("Location")
        switch redirects.decision(status: response.status, locations: locations, to: request) {
        case .deliver:
          response.requests = requests
          return response
        case .follow(let next): request = next
        case .refuse(let refusal):
          throw TransportError(.redirect(refusal), origin: request.url.withoutQuery)
        }
      } catch {
        var error = error
        error.requests = requests
        throw error
      }
    }
  }

  private func now() -> Double { connections.configuration.now() }

  /// Sends a request. The server may have closed a reused connection while the request was in transit, so a
  /// safe request is then retried once.
  private func directResponse(to request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (client, proxy) = try connections.route(for: request)
    let exchange = HTTPExchange(
      client: client, proxy: proxy, limits: limits, deadline: deadline, now: connections.configuration.now)
    do throws(HTTPExchange.ExchangeError) {
      do throws(HTTPExchange.ExchangeError) {
        return try await exchange.response(to: request)
      } catch {
        guard error.mayBeUnsent, request.isSafe else { throw error }
        return try await exchange.response(to: request)
      }
    } catch {
      throw error.cause
    }
  }
}

/// Decides, for each response, whether a redirect is followed. It has no side effects.
///
/// Only 301, 302, 303, 307 and 308 are redirects. The method of a request is never changed. A target must be
/// the configured origin, its host upgraded from http to https, or a host that the request lists. Credentials
/// are sent only to the configured origin, and to none once a redirect has left it; a listed host, or another
/// port of the same host, receives no header field that may be personal.
package struct Redirects: Sendable {
  package enum Decision: Sendable, Hashable {
    /// The response is not a redirect, and is the result.
    case deliver
    case follow(HTTPRequest)
    case refuse(RedirectError)
  }

  /// The maximum number of redirects followed per request.
  package static let limit = 5

  private let configured: Origin
  private var followed = 0

  package init(of request: HTTPRequest) { configured = request.home }

  /// Decides whether to deliver a response or follow its redirect.
  ///
  /// - Parameters:
  ///   - locations: The values of the response's `Location` fields; the first one is used.
  ///   - request: The request that was sent.
  package mutating func decision(status: Int, locations: [String], to request: HTTPRequest) -> Decision {
    guard [301, 302, 303, 307, 308].contains(status) else { return .deliver }
    guard followed < Self.limit else { return .refuse(.tooMany(limit: Self.limit)) }
    guard let location = locations.first else { return .refuse(.noLocation) }
    guard request.isSafe, request.method != .post || status >= 307 else { return .refuse(.unsafeMethod) }
    do {
      let target = try request.url.resolving(location)
      let rule = FollowRule(base: configured, hosts: request.allowedHosts)
      if let refusal = rule.refusal(of: target, from: request.url.origin) { return .refuse(.target(refusal)) }
      followed += 1
      return .follow(self.request(request, sentTo: target, isHome: rule.isHome(target.origin)))
    } catch {
      return .refuse(.unreadable("\(error)"))
    }
  }

  private func request(_ request: HTTPRequest, sentTo target: WebURL, isHome: Bool) -> HTTPRequest {
    var next = request
    next.url = target
    if target.origin != configured {
      for case .query(let name) in request.credentials.map(\.place) { next.url.removeQueryItems(named: name) }
      next.credentials = []
    }
    if !isHome { next.headers = request.headers.withoutCredentials }
    return next
  }
}

/// The configuration of a transport.
package struct TransportConfiguration: Sendable {
  package var limits = TransportLimits()
  package var trust = ServerTrust.systemRoots
  /// The addresses of host names; any other name is resolved.
  package var addresses: [String: String] = [:]
  /// The class of network that the address of a connection belongs to.
  package var hostClass: @Sendable (_ address: String) -> HostClass = { HostClass(address: $0) }
  /// The environment, for proxy variables and `SSL_CERT_FILE`.
  package var environment: [String: String]
  /// The time of day in seconds since 1970.
  package var now: @Sendable () -> Double

  package init(
    environment: [String: String], now: @escaping @Sendable () -> Double = TransportConfiguration.timeOfDay
  ) {
    self.environment = environment
    self.now = now
  }

  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Timeouts, and limits on the size of a response.
package struct TransportLimits: Sendable, Hashable {
  /// The time limit for establishing a connection, including name resolution and TLS.
  package var connect: Duration = .seconds(10)
  /// The time limit for the whole exchange, including redirects.
  package var total: Duration = .seconds(60)
  /// The maximum size of the decoded body in bytes.
  package var bodyBytes = 32 << 20
  /// The maximum size of all header fields together in bytes.
  package var headBytes = 64 << 10

  package init() {}
}

extension Duration {
  /// The number of seconds for messages, rounded to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
