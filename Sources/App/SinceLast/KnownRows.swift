/// A row as later runs know it: hashes of its key and of its contents, 12 bytes each.
///
/// A new row is taken for a known one only if both hashes are equal: with a million known rows and a million new ones,
/// with a probability of 10¹² / 2¹⁹², less than 10⁻⁴⁵. A changed row is taken for an unchanged one if the 96 bits of its
/// contents are equal: less than 10⁻²² for a million changes. Two different rows share a key with a probability of less
/// than 10⁻¹⁶ in a list of a million; such rows would be written by every run, as changed.
struct RowDigest: Sendable, Hashable {
  /// The key is in `first` and the upper half of `second`, the contents in the rest.
  let first: UInt64
  let second: UInt64
  let third: UInt64

  static let size = 24

  init(key: (UInt64, UInt64), contents: (UInt64, UInt64)) {
    first = key.0
    second = key.1 << 32 | contents.1 & 0xffff_ffff
    third = contents.0
  }

  init(first: UInt64, second: UInt64, third: UInt64) {
    self.first = first
    self.second = second
    self.third = third
  }

  func hasKey(of other: RowDigest) -> Bool { first == other.first && second >> 32 == other.second >> 32 }

  /// Whether its key precedes that of another row, in the order in which rows are stored.
  func precedes(_ other: RowDigest) -> Bool {
    first == other.first ? second >> 32 < other.second >> 32 : first < other.first
  }
}

/// The rows of a list that runs have written, sorted by key, each once. 24 bytes for each; looking one up is
/// O(log rows).
struct KnownRows: Sendable, Hashable {
  private(set) var digests: [RowDigest] = []
  /// The ids of the rows as lines of JSON, in the order of `digests`; empty if they are not kept.
  private(set) var ids: [String] = []

  enum Finding: Sendable, Hashable { case new, changed, known }

  init() {}

  /// Creates the set from rows in any order. Of rows with the same key, the last one counts. O(rows log rows).
  ///
  /// - Parameter ids: Those of the rows, in the same order; empty if they are not kept.
  init(_ rows: [RowDigest], ids: [String]) {
    let order = rows.indices.sorted { a, b in
      rows[a].precedes(rows[b]) || !rows[b].precedes(rows[a]) && a < b
    }
    digests.reserveCapacity(rows.count)
    for (place, index) in order.enumerated() {
      let isRepeated = place + 1 < order.count && rows[order[place + 1]].hasKey(of: rows[index])
      if isRepeated { continue }
      digests.append(rows[index])
      if !ids.isEmpty { self.ids.append(ids[index]) }
    }
  }

  /// Nil if the rows are not sorted by key.
  init?(sorted digests: [RowDigest], ids: [String]) {
    guard zip(digests, digests.dropFirst()).allSatisfy({ $0.precedes($1) }) else { return nil }
    self.digests = digests
    self.ids = ids
  }

  var count: Int { digests.count }

  /// What the set says about a row.
  func finding(_ row: RowDigest) -> Finding {
    guard let index = index(of: row) else { return .new }
    return digests[index] == row ? .known : .changed
  }

  private func index(of row: RowDigest) -> Int? {
    var (low, high) = (0, digests.count)
    while low < high {
      let middle = (low + high) / 2
      if digests[middle].precedes(row) { low = middle + 1 } else { high = middle }
    }
    return low < digests.count && digests[low].hasKey(of: row) ? low : nil
  }

  /// These rows, and those of another set with other keys. O(rows).
  func union(_ others: KnownRows) -> KnownRows {
    var result = KnownRows()
    let keepsIDs = ids.count == digests.count && others.ids.count == others.digests.count
    var (mine, other) = (0, 0)
    while mine < digests.count || other < others.digests.count {
      let isMine =
        other == others.digests.count
        || mine < digests.count && !others.digests[other].precedes(digests[mine])
      if isMine {
        if other < others.digests.count, others.digests[other].hasKey(of: digests[mine]) { other += 1 }
        result.digests.append(digests[mine])
        if keepsIDs { result.ids.append(ids[mine]) }
        mine += 1
      } else {
        result.digests.append(others.digests[other])
        if keepsIDs { result.ids.append(others.ids[other]) }
        other += 1
      }
    }
    return result
  }

  /// The ids of the rows whose keys another set does not have; without rows that have no id.
  func ids(missingIn others: KnownRows) -> [String] {
    zip(digests, ids).compactMap { row, id in id.isEmpty || others.index(of: row) != nil ? nil : id }
  }
}
