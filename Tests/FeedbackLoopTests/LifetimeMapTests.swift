import Testing

@testable import FeedbackLoop

@Suite struct LifetimeMapTests {
  /// Compares the map with a dictionary, for lifetimes that come in order and leave in any.
  @Test(arguments: [1, 2, 10, 500])
  func `A map of lifetimes is a dictionary`(living: Int) {
    var map = LifetimeMap<Int>()
    var model: [Lifetime: Int] = [:]
    for lifetime in Lifetime(1)...5_000 {
      map.insert(Int(lifetime) * 3, for: lifetime)
      model[lifetime] = Int(lifetime) * 3
      while model.count > living, let left = model.keys.randomElement() {
        #expect(map.removeValue(for: left) == model.removeValue(forKey: left))
        #expect(map.removeValue(for: left) == nil)
      }
    }
    #expect(map.count == model.count)
    for lifetime in Lifetime(1)...5_001 {
      #expect(map.position(of: lifetime).map { map.values[$0] } == model[lifetime])
    }
    for lifetime in model.keys { map.removeValue(for: lifetime) }
    #expect(map.count == 0)
    #expect(map.position(of: 5_000) == nil)
  }

  @Test func `A map of lifetimes gives back its room`() {
    var map = LifetimeMap<Int>()
    for lifetime in Lifetime(1)...10_000 { map.insert(0, for: lifetime) }
    for lifetime in Lifetime(1)...10_000 { map.removeValue(for: lifetime) }
    #expect(map.values.capacity == 0)
    #expect(map.table.isEmpty)
  }
}
