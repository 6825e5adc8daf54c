import Foundation
import Search
import TestSupport
import Testing

@testable import Pager

/// For any interleaving of keys, text, clicks, sizes, replies, faults and cancels: no row is lost or doubled, the
/// requests are bounded, the picture fits the screen, the pager is never stuck, and a recording of it becomes the
/// same again.
@Suite struct PagerPropertyTests {
  /// `RIFFLE_SEEDS=5000` tries more.
  static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["RIFFLE_SEEDS"].flatMap(UInt64.init) ?? 200)

  private static let steps = 40

  @Test(arguments: seeds) func `Any order of events keeps the pager whole.`(seed: UInt64) async throws {
    var world = try PagerWorld(seed: seed)
    for _ in 0..<Self.steps { try await world.step() }
    try await world.settle()
    #expect(world.problems == [], "seed \(seed): \(world.trace.suffix(60))")
  }

  @Test(arguments: 0..<min(seeds.upperBound, 24)) func `What is written down of it becomes the same again.`(
    seed: UInt64
  )
    async throws
  {
    var world = try PagerWorld(seed: seed)
    for _ in 0..<Self.steps { try await world.step() }
    var again = PagerDriver(try readBack(try #require(world.pager.beginning)).state)
    for event in world.pager.events { again.reduce(try readBack(event)) }
    #expect(again.state.rows.names == world.pager.state.rows.names)
    #expect(again.state.marks.rows == world.pager.state.marks.rows)
    #expect(again.state.session.phase == world.pager.state.session.phase)
    #expect(again.state.pageRequests == world.pager.state.pageRequests)
    #expect(again.state.errands == world.pager.state.errands)
    #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state))
    for keys in ["ctrl-c ctrl-c", "L", "L !", "! ?", "? r", "M", "R y"] {
      try again.press(keys)
      try world.pager.press(keys)
      #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state), "seed \(seed), \(keys)")
    }
  }
}
