import TestSupport
import Testing

@testable import App

/// Tests what is kept of the rows of earlier runs.
struct KnownRowsTests {
  /// The first vectors of the reference implementation, for keys and texts of bytes 0, 1, 2, …
  @Test(arguments: [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    (2, "8177228da4a45dc7fca38bdef60affe4"), (3, "9c70b60c5267a94e5f33b6b02985ed51"),
    (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
  ]) func `A hash is that of the reference implementation.`(_ length: Int, _ expected: String) {
    let hash = SipHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
    let (first, second) = hash((0..<length).map { UInt8($0) })
    let bytes = [first, second].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  private func row(_ key: UInt64, _ contents: UInt64) -> RowDigest {
    RowDigest(key: (key, key << 7), contents: (contents, contents))
  }

  private func state(_ rows: KnownRows, hasIDs: Bool) -> ListState {
    ListState(
      header: ListState.Header(
        source: "s", query: "q", identity: "i", hashKey: String(repeating: "5", count: 32), lastRun: 12.5,
        rows: rows.count, idBytes: hasIDs ? 0 : nil, since: "7", checksum: ""), rows: rows)
  }

  @Test func `A row is new, changed or known, as a dictionary of the rows says.`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      var model: [UInt64: UInt64] = [:]
      var (rows, ids): ([RowDigest], [String]) = ([], [])
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let (key, contents) = (
          UInt64.random(in: 0...40, using: &random), UInt64.random(in: 0...3, using: &random)
        )
        model[key] = contents
        rows.append(row(key, contents))
        ids.append("\(key)")
      }
      let known = KnownRows(rows, ids: ids)
      #expect(known.count == model.count)
      let copy = try ListState(state(known, hasIDs: true).bytes)
      #expect(copy.rows == known && copy.header.lastRun == 12.5 && copy.header.since == "7")
      #expect(
        try ListState(state(KnownRows(rows, ids: []), hasIDs: false).bytes).rows.digests == known.digests)
      for key in UInt64(0)...41 {
        for contents in UInt64(0)...4 {
          let expected: KnownRows.Finding =
            model[key].map { $0 == contents ? .known : .changed } ?? .new
          #expect(known.finding(row(key, contents)) == expected)
        }
      }
      let others = (0..<20).map { _ in UInt64.random(in: 0...80, using: &random) }
      let other = KnownRows(others.map { row($0, 9) }, ids: others.map { "\($0)" })
      let union = other.union(known)
      let all = model.merging(others.map { ($0, 9) }) { $1 }
      #expect(union.count == all.count && union.ids.count == all.count)
      for (key, contents) in all { #expect(union.finding(row(key, contents)) == .known) }
      #expect(KnownRows(sorted: union.digests, ids: union.ids) != nil)
      #expect(
        Set(known.ids(missingIn: other)) == Set(model.keys.filter { !others.contains($0) }.map { "\($0)" }))
    }
  }

  @Test func `Every prefix of a file is refused.`() throws {
    let bytes = state(KnownRows((0..<20).map { row($0, 1) }, ids: (0..<20).map { "\($0)" }), hasIDs: true)
      .bytes
    _ = try ListState(bytes)
    for length in bytes.indices {
      #expect(throws: ListState.Defect.self) { try ListState(Array(bytes[..<length])) }
    }
  }
}
