import TestSupport
import Testing

@testable import Search

@Suite struct SeenKeysTests {
  @Test(arguments: 0..<20) func `The set contains exactly the keys that were inserted.`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var seen = SeenKeys()
    var reference = Set<UInt64>()
    for _ in 0..<60 {
      let page = (0..<Int(random.next() % 40)).map { _ in random.next() % 5_000 }
      let new = Set(page).subtracting(reference)
      seen.insert(Array(new))
      reference.formUnion(new)
    }
    #expect(seen.runs.joined().count == reference.count)
    #expect((0..<5_000).allSatisfy { seen.contains($0) == reference.contains($0) })
  }
}
