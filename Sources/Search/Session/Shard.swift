private import Text

/// A part of a run that another process can load: the shards of a plan are disjoint, and together they are the whole
/// list. A new kind of shard is a case here, with its text.
package enum Shard: Sendable, Hashable {
  case pages(PageRange)
  case parents(ParentShare)
  case part(ValueRange)
}

/// A range of `Split.field`, in units, that is read in parts. Both limits belong to it.
package struct ValueRange: Sendable, Hashable {
  package let from: Int
  package let to: Int

  package init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }

  /// Where the run begins: with the range as the first part.
  package func start(_ split: Split, first: Position) -> ResumePoint? {
    var split = split
    (split.begin, split.end) = (from, to)
    guard let parts = Parts(split, now: 0, whole: nil, most: .max, firstOrdinal: 0) else {
      return nil
    }
    var point = ResumePoint(next: first.inRun(parts.current), received: 0)
    point.parts = parts
    return point
  }
}

/// A range of the pages of a list with numbered pages.
package struct PageRange: Sendable, Hashable {
  /// The number of the first page, from 1.
  package let first: Int
  /// The number of the last page; nil for all pages that the list has, including those that are added to it.
  package let last: Int?
  /// The number of rows on a full page.
  package let size: Int

  package init(first: Int, last: Int?, size: Int) {
    self.first = first
    self.last = last
    self.size = size
  }

  /// The number of rows of the list up to the end of the range; nil if it has no end.
  package var endRow: Int? { last.map { $0 * size } }
  /// The number of rows of the list before the range.
  package var skippedRows: Int { (first - 1) * size }
}

/// The parents of a nested list whose hash has this remainder. Every process computes the same hash.
package struct ParentShare: Sendable, Hashable {
  /// From 1 to `count`.
  package let number: Int
  package let count: Int

  package init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Whether the parent with this value belongs to the shard.
  package func contains(_ value: String) -> Bool {
    RowKey.combined([RowKey.hash(value)]) % UInt64(count) == UInt64(number - 1)
  }
}

// MARK: - Text

extension Shard: LosslessStringConvertible {
  /// The largest number in a shard, so that computing with pages and rows cannot overflow.
  package static let largestNumber = 1_000_000_000

  /// What a text must look like.
  package static let notation =
    "pages:1-12@100, pages:13-@100 (100 rows a page), parents:1/16 or part:1704067200..1711929599"

  /// `pages:1-12@100`, `pages:13-@100`, `parents:3/16`, `part:1704067200..1711929599`
  package var description: String {
    switch self {
    case .pages(let range): "pages:\(range.first)-\(range.last.map(String.init) ?? "")@\(range.size)"
    case .parents(let share): "parents:\(share.number)/\(share.count)"
    case .part(let range): "part:\(range.from)..\(range.to)"
    }
  }

  package init?(_ text: String) {
    if let match = text.wholeMatch(of: /pages:([0-9]{1,10})-([0-9]{1,10})?@([0-9]{1,10})/) {
      guard let first = Self.number(match.1), let size = Self.number(match.3) else { return nil }
      let last = match.2.map(Self.number)
      if case .some(nil) = last { return nil }
      if let last, let last, last < first { return nil }
      self = .pages(PageRange(first: first, last: last ?? nil, size: size))
    } else if let match = text.wholeMatch(of: /parents:([0-9]{1,10})\/([0-9]{1,10})/) {
      guard let number = Self.number(match.1), let count = Self.number(match.2), number <= count else {
        return nil
      }
      self = .parents(ParentShare(number: number, count: count))
    } else if let match = text.wholeMatch(of: /part:(-?[0-9]{1,16})\.\.(-?[0-9]{1,16})/) {
      guard let from = Self.limit(match.1), let to = Self.limit(match.2), from <= to else { return nil }
      self = .part(ValueRange(from: from, to: to))
    } else {
      return nil
    }
  }

  private static func limit(_ text: Substring) -> Int? {
    Int(text).flatMap { abs($0) <= Split.largest && "\($0)" == text ? $0 : nil }
  }

  /// A number from 1 without leading zeros, so that each shard has one text.
  private static func number(_ text: Substring) -> Int? {
    guard !text.hasPrefix("0"), let number = Int(text), 1...largestNumber ~= number else { return nil }
    return number
  }
}

/// The share of a service's limits that one of several simultaneous runs may use: `1/16`.
package struct RateShare: Sendable, Hashable, LosslessStringConvertible {
  /// The number of runs that share the limits.
  package let runs: Int

  package static let largestCount = 10_000

  package init(runs: Int) { self.runs = max(1, min(runs, Self.largestCount)) }

  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: /1\/([1-9][0-9]{0,4})/), let runs = Int(match.1),
      runs <= Self.largestCount
    else { return nil }
    self.runs = runs
  }

  package var description: String { "1/\(runs)" }
}

extension Session.Rules {
  /// Divides what the source allows among several runs. What the service reports is divided by `Session.budget`.
  package mutating func take(_ share: RateShare) {
    rateShare = share
    minInterval *= Double(share.runs)
    concurrency = max(1, concurrency / share.runs)
  }
}

extension RateBudget {
  /// The part of the remaining requests that one of several runs may use.
  func share(_ share: RateShare?) -> RateBudget {
    guard let share else { return self }
    var budget = self
    budget.remaining = remaining.map { $0 / share.runs }
    return budget
  }
}

// MARK: - A run of a range of pages

extension PageRange {
  /// Where the run begins; nil for the first page.
  package func start(in numbering: Numbering) -> ResumePoint? {
    guard first > 1, let next = numbering.position(of: first - 1, pageSize: size) else { return nil }
    return ResumePoint(next: next, received: skippedRows, skipped: skippedRows)
  }

  /// Whether a page begins in the range.
  func admits(_ position: Position, _ numbering: Numbering?) -> Bool {
    guard let last, let endRow else { return true }
    if case .rows(let first)? = numbering, case .number(let offset) = position.value {
      return offset - first < endRow
    }
    return position.ordinal < last
  }

  /// The number of rows that may be on a page that is located by its first row; nil if the range does not cut it.
  func room(at position: Position, _ numbering: Numbering?) -> Int? {
    guard let endRow, case .rows(let first)? = numbering, case .number(let offset) = position.value else {
      return nil
    }
    return max(0, endRow - (offset - first))
  }
}

extension Session {
  /// The number of rows to request for a page; nil for the page size of the run. After a short page, the last page of
  /// a range is shorter, so that it does not reach into the next one.
  func size(of position: Position) -> Int? {
    if usesLargestPages { return rules.largestPage }
    guard let range = rules.range, let room = range.room(at: position, rules.numbering), room < range.size
    else { return nil }
    return room
  }

  /// Drops the rows of a page that belong to the next range, which a service sends if it ignores the page size.
  mutating func cutAtRangeEnd(_ mergeResult: inout MergeResult, of page: Page, at position: Position) {
    guard let room = rules.range?.room(at: position, rules.numbering), page.received > room else { return }
    if page.rowCount == page.received {
      mergeResult.kept.removeAll { Int($0) >= room }
    } else {
      // Which of the rows the source's filter removed is not known.
      progress.note(doubt: "page \(position.ordinal + 1) has rows of the next shard")
    }
  }

  /// The message if a range has fewer rows than the service's count says it must have.
  var rangeShortfall: String? {
    guard let range = rules.range, let last = range.last, let endRow = range.endRow,
      let count = reportedCount, min(count, endRow) > progress.positions
    else { return nil }
    let expected = min(count, endRow) - progress.skipped
    let pages = range.first == last ? "page \(last) has" : "pages \(range.first) to \(last) have"
    return
      "\(pages) \(Digits.grouped(progress.positions - progress.skipped)) of \(Digits.counted(expected, "row"))"
  }
}
