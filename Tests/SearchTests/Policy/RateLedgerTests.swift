import HTTPValues
import Testing

@testable import Search

@Suite struct RateLedgerTests {
  private func bucket(_ name: String?) throws -> RateBucket {
    RateBucket(origin: try WebURL("https://api.example.org/").origin, name: name)
  }

  private func heard(
    _ bucket: RateBucket, remaining: Int? = nil, backoff: Double? = nil, at time: Double
  ) -> Page {
    var page = page([], .end(.last), at: time)
    page.bucket = bucket
    page.backoff = backoff
    page.budget = remaining.map { RateBudget(remaining: $0) }
    return page
  }

  private func refused(_ bucket: RateBucket?) -> PageError {
    PageError(.rateLimited, message: "", canRepeat: .freely, bucket: bucket)
  }

  @Test func `Each bucket has its own budget, and the last one mentioned is current.`() throws {
    var ledger = RateLedger()
    ledger.note(heard(try bucket("search"), remaining: 3, at: 10))
    ledger.note(heard(try bucket("core"), remaining: 50, at: 11))
    #expect(ledger.current.budget == RateBudget(remaining: 50))
    ledger.note(refused(try bucket("search")), at: 12)
    #expect(ledger.current.budget == RateBudget(remaining: 3))
    #expect(ledger.current.budgetReceivedAt == 10)
  }

  @Test func `Refusals in one burst count once, and an accepted page resets the count.`() throws {
    var ledger = RateLedger()
    let search = try bucket("search")
    ledger.note(refused(search), at: 10)
    ledger.hold(until: 15, from: 10)
    ledger.note(refused(search), at: 10.1)
    ledger.note(refused(search), at: 14)
    #expect(ledger.current.refusals == 1)
    ledger.note(refused(search), at: 15)
    #expect(ledger.current.refusals == 2)
    ledger.note(PageError(.server, message: "", bucket: search), at: 16)
    #expect(ledger.current.refusals == 2)
    ledger.note(heard(search, at: 17))
    #expect(ledger.current.refusals == 0)
  }

  @Test func `A pause requested by the service delays every later request.`() throws {
    var ledger = RateLedger()
    ledger.note(heard(try bucket(nil), backoff: 10, at: 100))
    ledger.note(heard(try bucket(nil), at: 101))
    #expect(ledger.current.notBefore == 110)
  }

  @Test func `A hold ends early when a request sent after the refusal is accepted.`() throws {
    var ledger = RateLedger()
    let search = try bucket("search")
    ledger.note(refused(search), at: 10)
    ledger.hold(until: 40, from: 10)
    ledger.note(heard(search, at: 9))
    #expect(ledger.current.notBefore == 40, "it was sent before the refusal")
    ledger.note(heard(search, at: 12))
    #expect(ledger.current.notBefore == 0)
  }

  /// After a request accepted at time 100: the times of refusals, the end of the wait, the time of the next
  /// accepted request, and the pace.
  @Test(
    arguments: [
      ([100.1], 100.9, 100.9, 0.9), ([100.1, 100.4], 102, 102, 2), ([100.1], 101, 100.05, 0),
      ([160], 161, 161, 2),
      ([100.1], 170, 170, 10), ([100.1], 101, 700, 2),
    ] as [([Double], Double, Double, Double)])
  func `[D5] The pace is the time between two accepted requests with refusals between them.`(
    refusals: [Double], end: Double, accepted: Double, pace: Double
  ) throws {
    var ledger = RateLedger()
    let search = try bucket(nil)
    ledger.note(heard(search, at: 100))
    for time in refusals {
      ledger.note(refused(search), at: time)
      ledger.hold(until: end, from: time)
    }
    for _ in 1...2 {
      ledger.note(heard(search, at: accepted))
      #expect(abs(ledger.current.pace - pace) < 0.001)
    }
  }

  @Test func `[D5] A slower pace that was found is retained.`() throws {
    var ledger = RateLedger()
    let search = try bucket(nil)
    ledger.note(heard(search, at: 100))
    for (refusal, acceptance) in [(100.5, 103.0), (103.5, 104)] {
      ledger.note(refused(search), at: refusal)
      ledger.note(heard(search, at: acceptance))
      #expect(ledger.current.pace == 1.5)
    }
  }

  @Test func `[D5] A refusal that states how long to wait sets no pace.`() throws {
    var ledger = RateLedger()
    var error = refused(try bucket(nil))
    error.wait = 1
    ledger.note(heard(try bucket(nil), at: 100))
    ledger.note(error, at: 101)
    ledger.note(heard(try bucket(nil), at: 102))
    #expect(ledger.current.pace == 0)
  }

  @Test func `A service that names a new bucket each time does not fill memory.`() throws {
    var ledger = RateLedger()
    for number in 0..<1_000 { ledger.note(heard(try bucket("\(number)"), remaining: number, at: 1)) }
    #expect(ledger.current.budget == RateBudget(remaining: 999))
    #expect(
      Mirror(reflecting: ledger).children.first.map {
        ($0.value as? [RateBucket?: RateLedger.Account])?.count ?? 0
      } ?? 0 <= 64)
  }
}
