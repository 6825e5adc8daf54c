import Search
import TestSupport
import Testing

@testable import Pager

/// For any sequence of keys, text, clicks, resizes, replies, faults and cancellations: no row is lost or duplicated,
/// the requests are bounded, the frame fits the screen, the pager is never stuck, and a recording of the session
/// reproduces it.
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

  @Test(arguments: Seeds.first(8))
  func `A session that is written and read back is reproduced exactly.`(
    seed: UInt64
  )
    async throws
  {
    var world = try PagerWorld(seed: seed)
    for _ in 0..<Self.steps { try await world.step() }
    var again = PagerDriver(try readBack(try #require(world.pager.initialState)).state)
    for event in world.pager.events { again.reduce(try readBack(event)) }
    #expect(again.state.rows.names == world.pager.state.rows.names)
    #expect(again.state.marks.rows == world.pager.state.marks.rows)
    #expect(again.state.session.phase == world.pager.state.session.phase)
    #expect(again.state.pageRequests == world.pager.state.pageRequests)
    #expect(again.state.effects == world.pager.state.effects)
    #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state))
    for keys in ["ctrl-c ctrl-c", "L", "L !", "! ?", "? r", "M", "R y"] {
      try again.press(keys)
      try world.pager.press(keys)
      #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state), "seed \(seed), \(keys)")
    }
  }
}
