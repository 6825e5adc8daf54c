import Search
import TestSupport
import Testing

@testable import Pager

/// For any sequence of keys, text, clicks, resizes, responses, faults and cancellations: no row is lost or duplicated,
/// the requests are bounded, the frame fits the screen, and the pager is never stuck.
@Suite struct PagerPropertyTests {
  private static let steps = 40

  @Test(arguments: Seeds.first(40)) func `Any order of events keeps the pager consistent.`(seed: UInt64)
    async throws
  {
    var world = try PagerWorld(seed: seed)
    for _ in 0..<Self.steps { try await world.step() }
    try await world.settle()
    #expect(world.problems == [], "seed \(seed): \(world.trace.suffix(60))")
  }
}
