import Detection
import HTTPTransport
import HTTPValues
import JSON
import Locking
import Search
import Testing

@testable import App

/// How many requests `riffle add` sends, and when.
@Suite struct TrialRequestsTests {
  /// A clock whose time passes only by waiting.
  private final class WaitingClock: Clock {
    let waits = Lock<[Duration]>([])

    var now: ContinuousClock.Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      waits.withLock { $0.append(.seconds((now.duration(to: deadline) / .seconds(1)).rounded())) }
    }
  }

  private struct Service: Sendable {
    var headers: [(String, String)] = []
    var status = 200
    /// The numbers of the requests that are refused with the headers and the status.
    var refused: Set<Int> = []
  }

  /// A list of 30 rows by page number, unless the service ignores it.
  private static func transport(_ service: Service, ignoresPage: Bool) -> Transport {
    let requests = Lock(0)
    return Transport { request, _ throws(TransportError) in
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      let page = request.url.queryItems.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
      let first = ignoresPage ? 0 : min(30, (page - 1) * 10)
      let rows = (first..<min(30, first + 10)).map { "{\"id\": \($0), \"name\": \"n\($0)\"}" }
      let isRefused = service.refused.contains(number)
      let isHinting = service.refused.isEmpty || isRefused
      var response = HTTPResponse(
        status: isRefused ? service.status : 200,
        headers: HTTPFields(
          (isHinting ? service.headers : []).map { HTTPField(received: $0.0, value: $0.1) }),
        body: Array(
          (isRefused ? "{}" : "{\"total\": 30, \"items\": [\(rows.joined(separator: ", "))]}").utf8),
        url: request.url)
      response.arrivedAt = 1_800_000_000
      return response
    }
  }

  private static func trial(
    _ service: Service, ignoresPage: Bool = false, _ address: String = "https://api.example.org/items"
  ) async throws -> (outcome: SourceTrial.Outcome, waits: [Duration]) {
    let clock = WaitingClock()
    let example = try RequestExample(WrittenRequest(WrittenText(address)), service: "X")
    let outcome = try await SourceTrial.outcome(
      example, id: "mine", transport(service, ignoresPage: ignoresPage), timeout: nil, clock: clock)
    return (outcome, clock.waits.withLock { $0 })
  }

  @Test func `[S6] Where nothing is found, at most 20 requests are sent, and none is repeated.`() async throws
  {
    let (outcome, waits) = try await Self.trial(Service(), ignoresPage: true)
    #expect(outcome.requestCount <= 12 && waits == [])
    #expect(outcome.pagination.style == .none && !outcome.verdict.isSure)
    #expect(outcome.triedParameters.count > 20, "\(outcome.triedParameters)")
  }

  @Test(arguments: [
    [("Retry-After", "7")], [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "6")],
    [("RateLimit", "\"a\";r=0;t=7")],
    [("X-Rate-Limit-Remaining", "0"), ("X-Rate-Limit-Reset", "1800000006")],
  ])
  func `[S6] A wait that the service requests passes before the next request.`(
    headers: [(String, String)]
  ) async throws {
    let (outcome, waits) = try await Self.trial(Service(headers: headers))
    #expect(outcome.verdict == .confirmed(newRows: 10))
    #expect(waits == Array(repeating: .seconds(7), count: outcome.requestCount - 1))
  }

  @Test func `[S6] A refused request is repeated after a short wait, and ends the trial after a long one.`()
    async throws
  {
    let short = try await Self.trial(Service(headers: [("Retry-After", "5")], status: 429, refused: [2]))
    #expect(short.outcome.verdict == .confirmed(newRows: 10) && short.waits == [.seconds(5)])
    let long = try await Self.trial(Service(headers: [("Retry-After", "3600")], status: 429, refused: [2]))
    #expect(long.outcome.requestCount == 2 && long.waits == [])
    #expect(long.outcome.verdict == .doubtful("the service limits requests. Try again later"))
  }

  @Test func `[S2] A list with a fixed position in its address is not confirmed.`() async throws {
    let (outcome, _) = try await Self.trial(Service(), "https://api.example.org/items?last=n7")
    #expect(outcome.pagination.description == "page with parameter page" && !outcome.verdict.isSure)
    #expect(
      outcome.verdict.remark
        == "not confirmed: last=n7 is part of every request. If it is a position in the list, remove it")
  }
}
