import Search
import Testing

@testable import HTTPTransport

struct TimeoutsTests {
  @Test func `Each phase has its own time limit, and nothing outlasts the total.`() {
    var limits = TransportLimits()
    limits.firstByte = .seconds(30)
    limits.idle = .seconds(20)
    var timeouts = Timeouts(limits: limits, total: .seconds(60))
    var lines: [String] = []
    func note(_ event: String) {
      lines.append("\(event): \(timeouts.end.kind) at \(timeouts.end.time)")
    }
    note("start")
    timeouts.receive(at: .seconds(5))
    note("head at 5 s")
    timeouts.receive(at: .seconds(24))
    note("part at 24 s")
    timeouts.send(at: .seconds(25))
    note("redirect at 25 s")
    timeouts.receive(at: .seconds(50))
    note("head at 50 s")
    timeouts.send(at: .seconds(55))
    note("redirect at 55 s")
    #expect(
      lines == [
        "start: replyTimeout(seconds: 30.0) at 30.0 seconds",
        "head at 5 s: idleTimeout(seconds: 20.0) at 25.0 seconds",
        "part at 24 s: idleTimeout(seconds: 20.0) at 44.0 seconds",
        "redirect at 25 s: replyTimeout(seconds: 30.0) at 55.0 seconds",
        "head at 50 s: deadline(seconds: 60.0) at 60.0 seconds",
        "redirect at 55 s: deadlineBeforeHead(seconds: 60.0) at 60.0 seconds",
      ])
  }

  @Test func `The next check is early enough for a shorter phase that may begin.`() {
    var limits = TransportLimits()
    limits.firstByte = .seconds(30)
    limits.idle = .seconds(4)
    var timeouts = Timeouts(limits: limits, total: .seconds(60))
    #expect(timeouts.nextCheck(after: .seconds(1)) == .seconds(5))
    #expect(timeouts.nextCheck(after: .seconds(29)) == .seconds(30))
    timeouts.receive(at: .seconds(2))
    #expect(timeouts.nextCheck(after: .seconds(5)) == .seconds(6))
  }
}
