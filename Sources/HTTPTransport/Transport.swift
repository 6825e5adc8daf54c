import AsyncHTTPClient
import Glibc
package import HTTPValues

/// Sends a request and returns the complete reply, after redirects. It is a struct with one closure, so that
/// tests can reply from memory.
package struct Transport: Sendable {
  private let send: @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply

  package init(
    send: @escaping @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply
  ) {
    self.send = send
  }

  /// The reply to a request, whatever its status, with its body decoded.
  ///
  /// - Parameter total: The time limit for everything, from the connection to the last byte after the last
  ///   redirect; nil for the transport's default.
  /// - Throws: `TransportFailure`; its kind is `cancelled` soon after the task is canceled.
  package func reply(
    to request: HTTPRequest, within total: Duration? = nil
  ) async throws(TransportFailure) -> HTTPReply {
    try await send(request, total)
  }
}

/// The configuration of a transport.
package struct TransportConfiguration: Sendable {
  package var limits = TransportLimits()
  package var trust = ServerTrust.systemRoots
  /// Addresses of host names; any other name is resolved.
  package var addresses: [String: String] = [:]
  /// The class of network that the address of a connection belongs to.
  package var hostClass: @Sendable (_ address: String) -> HostClass = { HostClass(address: $0) }
  /// The clock for sleeping until a timeout could have expired; whether it has is decided by the continuous
  /// clock.
  package var clock: any Clock<Duration> = ContinuousClock()
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
}

/// Which server certificates are accepted.
package enum ServerTrust: Sendable, Hashable {
  /// Certificates issued by the system's roots, or by those in `SSL_CERT_FILE` if that is set.
  case systemRoots
  /// Certificates issued by a root in this PEM file, which replaces the system's.
  case roots(file: String)
  /// Any certificate; an attacker on the network can read and change everything.
  case anything
}

extension TransportConfiguration {
  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Transport {
  /// A transport over network connections, which the caller must close at the end.
  package init(over connections: HTTPConnections) {
    self.init { request, total throws(TransportFailure) in
      let limits = connections.configuration.limits
      let deadline = RequestDeadline(
        Timeouts(limits: limits, total: total ?? limits.total), by: connections.configuration.clock)
      return try await Sender(connections: connections, deadline: deadline).replyInTime(to: request)
    }
  }
}

/// Sends one request with its redirects, subject to the request deadline's timeouts.
private struct Sender {
  let connections: HTTPConnections
  let deadline: RequestDeadline

  func replyInTime(to request: HTTPRequest) async throws(TransportFailure) -> HTTPReply {
    let origin = request.url.origin.description
    let first = await withTaskGroup(of: Result<HTTPReply, TransportFailure>.self) { group in
      group.addTask { await result(of: request) }
      group.addTask { .failure(TransportFailure(await deadline.end(), origin: origin)) }
      defer { group.cancelAll() }
      return await group.next()
    }
    return try (first ?? .failure(TransportFailure(.cancelled, origin: origin))).get()
  }

  private func result(of request: HTTPRequest) async -> Result<HTTPReply, TransportFailure> {
    do throws(TransportFailure) {
      return .success(try await reply(to: request))
    } catch {
      return .failure(error)
    }
  }

  private func reply(to request: HTTPRequest) async throws(TransportFailure) -> HTTPReply {
    var request = request
    var redirects = Redirects(of: request)
    var requests = 0
    while true {
      requests += 1
      do throws(TransportFailure) {
        var reply = try await directReply(to: connections.cookies.added(to: request, now: now()))
        connections.cookies.keep(from: reply, to: request, now: now())
        let locations = reply.headers.all("Location")
        switch redirects.decision(status: reply.status, locations: locations, to: request) {
        case .deliver:
          reply.requests = requests
          return reply
        case .follow(let next): request = next
        case .refuse(let refusal):
          throw TransportFailure(.redirect(refusal), origin: request.url.origin.description)
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
  private func directReply(to request: HTTPRequest) async throws(TransportFailure) -> HTTPReply {
    let configuration = connections.configuration
    let (client, proxy) = try connections.route(for: request)
    let exchange = HTTPExchange(
      client: client, proxy: proxy, limits: configuration.limits, deadline: deadline, now: configuration.now)
    do throws(HTTPExchange.Failure) {
      do throws(HTTPExchange.Failure) {
        return try await exchange.reply(to: request)
      } catch {
        guard error.mayBeUnsent, request.isSafe else { throw error }
        return try await exchange.reply(to: request)
      }
    } catch {
      throw error.cause
    }
  }
}
