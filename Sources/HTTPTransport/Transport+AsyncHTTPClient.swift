import AsyncHTTPClient
import Search

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
    let exchange = Exchange(
      route: try connections.route(for: request), limits: configuration.limits, deadline: deadline,
      now: configuration.now)
    do throws(Exchange.Failure) {
      do throws(Exchange.Failure) {
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
