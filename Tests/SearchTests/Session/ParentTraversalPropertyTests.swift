import TestSupport
import Testing

@testable import Search

/// Tests for any sizes of lists, numbers of parents, and order of responses and of writing: the written rows are those
/// of all lists in order, once each, even if the run is cut after any page and resumed.
@Suite struct ParentTraversalPropertyTests {
  @Test(arguments: Seeds.first(40)) func `The rows are those of all lists, in order.`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let forest = Forest(&random)
    var walk = ListWalk(forest.rules, forest.service)
    walk.tellsPages = Bool.random(using: &random)
    walk.settle { Int(random.next() % UInt64($0)) }
    #expect(walk.rows == forest.rows, "seed \(seed): \(walk.picture)")
    #expect(walk.lists.areOver)
    #expect(walk.maxInFlight <= forest.concurrency)
    #expect(walk.lists.writtenRowCount == forest.rows.count)
  }

  @Test(arguments: Seeds.first(40)) func `Rows are exact even if the run is cut after any page and resumed.`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let forest = Forest(&random)
    var whole = ListWalk(forest.rules, forest.service)
    whole.settle()
    // Each cut of some walks, and a few of the others, since each walks twice.
    let cuts = Array(whole.written.indices)
    for cut in seed % 10 == 0 ? cuts : Array(cuts.shuffled(using: &random).prefix(3)) {
      var first = ListWalk(forest.rules, forest.service)
      first.settle(stopAfter: cut + 1) { Int(random.next() % UInt64($0)) }
      var rest = ListWalk(forest.rules.resumed(at: first.points.last ?? nil), forest.service)
      rest.settle { Int(random.next() % UInt64($0)) }
      #expect(first.rows + rest.rows == forest.rows, "seed \(seed), cut \(cut): \(rest.picture)")
      #expect(rest.lists.failure == nil, "seed \(seed), cut \(cut)")
    }
  }

  @Test(arguments: Seeds.first(40)) func `A number of rows is never exceeded, and always reached.`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let forest = Forest(&random)
    let count = Int(random.next() % UInt64(forest.rows.count + 3))
    var walk = ListWalk(forest.rules.with { $0.demand = .rows(count) }, forest.service)
    walk.settle { Int(random.next() % UInt64($0)) }
    #expect(walk.rows == Array(forest.rows.prefix(count)), "seed \(seed): \(walk.picture)")
  }
}

/// Lists under lists, up to three deep.
private struct Forest {
  var service: [String: ListWalk.Content] = [:]
  var rows: [Int] = []
  let concurrency: Int
  let rules: ParentTraversal.Rules

  init(_ random: inout SeededGenerator) {
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    concurrency = 1 + below(4)
    let depth = 1 + below(3)
    var values: [String]? = below(3) == 0 ? (0..<below(5)).map { "v\($0)" } : nil
    if values?.isEmpty ?? false { values = ["v"] }
    rules = .walk(depth: depth, values: values, concurrency: concurrency)
    func pages<Row>(_ rows: [Row]) -> [[Row]] {
      let size = 1 + below(3)
      let full = stride(from: 0, to: rows.count, by: size).map {
        Array(rows[$0..<min($0 + size, rows.count)])
      }
      // Some services end with an empty page.
      return full.isEmpty || below(4) == 0 ? full + [[]] : full
    }
    func grow(_ path: [String]) -> ([String: ListWalk.Content], [Int]) {
      let name = path.isEmpty ? "top" : path.joined(separator: "/")
      if path.count == depth {
        let own = (0..<below(8)).map { _ in Int(random.next() >> 40) }
        return ([name: .rows(pages(own))], own)
      }
      let parents: [String?] = (0..<below(5)).map { index in below(5) == 0 ? nil : "p\(index)" }
      var (lists, rows) = ([name: ListWalk.Content.parents(pages(parents))], [Int]())
      for case let parent? in parents {
        let (below, own) = grow(path + [parent])
        lists.merge(below) { $1 }
        rows += own
      }
      return (lists, rows)
    }
    for start in values.map({ $0.map { [$0] } }) ?? [[]] {
      let (lists, own) = grow(start)
      service.merge(lists) { $1 }
      rows += own
    }
  }
}
