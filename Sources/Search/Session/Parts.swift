package import JSON
private import Text

/// The parts of a list that the service ends early, and what has arrived of them. Parts are read one after another in
/// the order of the list; what remains is always one range, so that this value is small however many parts there are.
package struct Parts: Sendable, Hashable, Codable {
  /// The limits of the whole list, in units. Both belong to it.
  package private(set) var begin: Int
  package private(set) var end: Int
  package internal(set) var current: Position.Part
  /// The total of the current part.
  package internal(set) var total: Total?
  /// The number of parts that were read to their end.
  package internal(set) var doneCount = 0
  /// The number of ranges with more rows than the service returns of one.
  package internal(set) var narrowedCount = 0
  /// The number of different rows in the parts that were read, not counting the current one.
  package internal(set) var rows = 0
  /// The number of rows received in them.
  var received = 0
  /// The number of their different ids, counted in each part.
  private var ids = 0
  /// The number of rows of a page of the whole list; nil if unknown.
  var pageSize: Int?
  /// Whether parts are read from the greatest value to the least.
  private let isFromEnd: Bool
  /// Values up to `limit`, seen from the rows that were read, are known to have this many rows, more than one list has.
  private var known: Known?
  /// The number of pages before the current part.
  var pages = 0
  /// The first part of which rows are missing, with the reason, and the number of such parts.
  var gap: String?
  var gapCount = 0
  /// The first part whose rows may not all have arrived, with the reason.
  var doubt: String?

  /// The ranges that were counted, with their totals (`Session.Rules.countsParts`).
  package internal(set) var counted: [Counted]?

  private struct Known: Sendable, Hashable, Codable {
    var limit: Int
    var rows: Int
  }

  /// A range with its number of rows.
  package struct Counted: Sendable, Hashable, Codable {
    package let part: Position.Part
    package let rows: Int
  }

  /// Creates the parts of a list with the first range to try; nil if the list has no range.
  ///
  /// - Parameters:
  ///   - whole: The number of rows of the whole list.
  ///   - most: The number of rows that the service returns of one part.
  init?(_ split: Split, now: Double, whole: Int?, most: Int, firstOrdinal: Int) {
    begin = split.begin
    end = split.end(at: now)
    guard begin <= end else { return nil }
    isFromEnd = split.order != .oldest
    current = Position.Part(from: begin, to: end, firstOrdinal: firstOrdinal)
    let region = current
    current = part(of: evenWidth(of: region, rows: whole, most), in: region, firstOrdinal)
  }

  /// The whole range, with its number of rows.
  package static func whole(_ split: Split, now: Double, rows: Int) -> Counted {
    let end = max(split.begin, split.end(at: now))
    return Counted(part: Position.Part(from: split.begin, to: end, firstOrdinal: 0), rows: rows)
  }

  /// The number of rows that a part should have: some room for uneven ranges saves more than a few larger parts.
  static func target(_ most: Int) -> Int { max(1, most - most / 4) }

  /// The width of a part of the right size, if rows are as dense as in a range; its own width if the number of its rows
  /// is unknown.
  private func evenWidth(of region: Position.Part, rows: Int?, _ most: Int) -> Int {
    let width = region.to - region.from + 1
    guard let rows, rows > 0 else { return width }
    return Int(min(Double(width) / Double(rows) * Double(Self.target(most)), Double(Split.largest)))
  }

  /// The number of rows in a range, if they are as dense as in the current one; 0 if that is unknown.
  func expectedRows(in range: Position.Part) -> Int {
    let ratio = Double(range.to - range.from + 1) / Double(current.to - current.from + 1)
    return Int(min(Double(total?.count ?? 0) * ratio, Double(Split.largest)))
  }

  /// The first values of a range, in the order of reading.
  private func part(of width: Int, in region: Position.Part, _ firstOrdinal: Int) -> Position.Part {
    let rest = max(1, min(width, region.to - region.from + 1)) - 1
    return isFromEnd
      ? Position.Part(from: region.to - rest, to: region.to, firstOrdinal: firstOrdinal)
      : Position.Part(from: region.from, to: region.from + rest, firstOrdinal: firstOrdinal)
  }

  private func half(of region: Position.Part) -> Int { (region.to - region.from + 1) / 2 }

  /// A smaller range in place of the current one, which has too many rows: at most half of it.
  mutating func narrow(most: Int, firstOrdinal: Int) -> Position.Part {
    narrowedCount += 1
    if let total { known = Known(limit: isFromEnd ? current.from : current.to, rows: total.count) }
    let width = min(evenWidth(of: current, rows: total?.count, most), half(of: current))
    return part(of: width, in: current, firstOrdinal)
  }

  /// Notes the number of different rows of the current part, which was read to its end.
  mutating func finish(rows count: Int, received: Int = 0, ids: Int = 0) {
    doneCount += 1
    rows += count
    self.received += received
    self.ids += ids
    guard let known else { return }
    let isPassed = isFromEnd ? current.from <= known.limit : current.to >= known.limit
    self.known = isPassed ? nil : Known(limit: known.limit, rows: max(0, known.rows - count))
  }

  /// The next range after the current one; nil if it was the last one.
  ///
  /// - Parameter whole: The number of rows of the whole list.
  func next(whole: Int?, most: Int, firstOrdinal: Int) -> Position.Part? {
    var region = current
    (region.from, region.to) =
      isFromEnd
      ? (known?.limit ?? begin, current.from - 1) : (current.to + 1, known?.limit ?? end)
    guard region.from <= region.to else { return nil }
    let width = region.to - region.from + 1
    guard let count = known?.rows ?? whole.map({ max(0, $0 - rows) }), count > most else {
      return part(of: width, in: region, firstOrdinal)
    }
    // The rows of the part before show how dense the next ones are; after an empty part, nothing does.
    let last = total?.count ?? 0
    let even = last > 0 ? evenWidth(of: current, rows: last, most) : width
    return part(of: even < width ? even : half(of: region), in: region, firstOrdinal)
  }

  /// The number of rows with the id of a row in another part.
  func repeatedIDs(among different: Int) -> Int { max(0, ids - different) }

  /// The expected number of parts, those that were read included; nil if the total is unknown.
  package func expectedCount(whole: Int?, most: Int) -> Int? {
    whole.map { doneCount + max(1, Parts.count(of: max(0, $0 - rows), most: most)) }
  }

  /// The expected number of parts for a number of rows.
  package static func count(of rows: Int, most: Int) -> Int { (rows + target(most) - 1) / target(most) }

  mutating func begin(_ part: Position.Part, pages: Int) {
    current = part
    total = nil
    self.pages = pages
  }

  /// Notes that rows of a part are missing, or may be.
  mutating func note(_ completeness: Completeness, of part: String) {
    switch completeness {
    case .complete: break
    case .unconfirmed(let reason): doubt = doubt ?? "\(part): \(reason)"
    case .partial(let reason):
      gap = gap ?? "\(part): \(reason)"
      gapCount += 1
    }
  }
}

extension Parts: JSONChecked {
  package func check() throws(JSONCodingError) {
    let limits = -Split.largest...Split.largest
    try begin.check("begin", in: limits)
    try end.check("end", in: begin...Split.largest)
    try current.from.check("from", in: begin...end)
    try current.to.check("to", in: current.from...end)
    if let known {
      try known.limit.check("limit", in: begin...end)
      try known.rows.check("known")
    }
    for (name, count) in [
      ("done", doneCount), ("rows", rows), ("ids", ids), ("received", received), ("pages", pages),
    ] {
      try count.check(name)
    }
  }
}

extension Session {
  /// The total of the list that is being walked: the whole, or its current part.
  var listTotal: Total? {
    get { parts == nil ? total : parts?.total }
    set { if parts == nil { total = newValue } else { parts?.total = newValue } }
  }

  /// The number of pages loaded of this list or part.
  var listPageCount: Int { pageCount - (parts?.pages ?? 0) }

  /// The part to continue with after a page; nil if the list or the part goes on, or the list is over.
  ///
  /// - Parameter reason: Why the list or the part ends with the page; nil if it does not.
  mutating func nextPart(after reason: EndReason?, at position: Position) -> Position.Part? {
    guard let split = rules.split, let most = pagingCap?.rows else { return nil }
    if let reason, !reason.endsList { return nil }
    let isFirst = position.index == 0
    let isOver = isFirst && listTotal?.count ?? 0 > most
    let isCapped = reason == .cap
    let next = position.ordinal + 1
    guard let part = position.part, var parts else {
      let isTime =
        switch rules.splitStart {
        case .atOnce: isCapped || isOver && demand.exceeds(most)
        case .atCap: isCapped && (split.order(of: query) != .none || demand == .everything)
        }
      guard isTime, !progress.hasGivenUpKey else { return nil }
      self.parts = Parts(split, now: clock, whole: total?.count, most: most, firstOrdinal: next)
      self.parts?.pageSize = progress.pageSize
      if rules.countsParts { self.parts?.counted = [] }
      return self.parts?.current
    }
    defer { self.parts = parts }
    if isOver || isCapped, part.from < part.to {
      return parts.narrow(most: most, firstOrdinal: next)
    }
    if rules.countsParts, isFirst {
      let count = parts.total?.count ?? progress.received
      parts.counted?.append(Parts.Counted(part: part, rows: count))
      parts.finish(rows: count)
    } else if let reason {
      parts.finish(rows: differentCount, received: progress.received, ids: partKeys.count)
      let completeness = listCompleteness(after: reason)
      parts.note(completeness, of: "\(split.field) \(split.text(of: part))")
    } else {
      return nil
    }
    return parts.next(whole: total?.count, most: most, firstOrdinal: next)
  }

  /// The part after the current one, if a page is the last one by the part's total.
  func expectedPart(after position: Position) -> Position.Part? {
    guard !rules.countsParts, let most = pagingCap?.rows, var parts,
      case .exact(let count)? = parts.total, count <= most, let size = progress.pageSize,
      (position.index + 1) * size >= count
    else { return nil }
    parts.finish(rows: count)
    return parts.next(whole: total?.count, most: most, firstOrdinal: position.ordinal + 1)
  }

  /// Continues a list in parts that the service has ended, in another order.
  mutating func continueInParts() {
    demand = .everything
    guard let last = progress.lastPosition, let part = nextPart(after: .cap, at: last) else {
      demand = .nothing
      return
    }
    phase = .loading(.more)
    begin(part)
    proceed()
  }

  /// Whether the list ended early and all of it can be loaded in parts.
  package var canContinueInParts: Bool {
    phase == .end(.cap) && rules.split != nil && parts == nil && !progress.hasGivenUpKey
  }

  /// What reading all of a list in parts is expected to cost; nil if the list is short enough, or its total unknown.
  package var partsPlan: PartsPlan? {
    guard let most = pagingCap?.rows, let total, total.count > most else { return nil }
    return PartsPlan(rows: total, reachable: most, pageSize: parts?.pageSize ?? progress.pageSize)
  }

  /// Whether the list continues by itself where the service ends it.
  package var continuesInParts: Bool {
    guard let split = rules.split else { return false }
    return parts != nil || rules.splitStart == .atOnce || split.order(of: query) != .none
  }

  /// `part 2 of about 104 · created 2024-03-01 to 2024-03-31`; nil if the list is not read in parts.
  package var partText: (part: String, range: String)? {
    guard let parts, let split = rules.split, let most = pagingCap?.rows else { return nil }
    let expected = parts.expectedCount(whole: total?.count, most: most).map { max($0, parts.doneCount + 1) }
    let count = expected.map { " of about \(Digits.grouped($0))" } ?? ""
    return (
      "part \(Digits.grouped(parts.doneCount + 1))\(count)", "\(split.field) \(split.text(of: parts.current))"
    )
  }

  /// Continues with the first page of a part.
  mutating func begin(_ part: Position.Part) {
    let pages = pageCount
    parts?.begin(part, pages: pages)
    let isKeyGuessed = progress.hasGuessedKeys
    progress = PagingProgress(duplicatesBefore: duplicates)
    progress.hasGuessedKeys = isKeyGuessed
    partKeys = SeenKeys()
    let first = rules.first.inRun(part)
    follow(first)
    var point = ResumePoint(next: first, received: 0)
    (point.total, point.parts) = (total, parts)
    fresh.resume(afterLastAt: point)
  }

  /// Whether all rows of the whole list have arrived in parts, once the last one is read.
  func completeness(of parts: Parts) -> Completeness {
    if let gap = parts.gap {
      let others = parts.gapCount - 1
      return .partial(reason: others > 0 ? "\(gap), and \(Digits.counted(others, "other part"))" : gap)
    }
    if let doubt = parts.doubt { return .unconfirmed(reason: doubt) }
    let repeated = parts.repeatedIDs(among: seen.count)
    if repeated > 0 {
      return .unconfirmed(
        reason: "\(Digits.counted(repeated, "row")) dropped because their ids are in another part")
    }
    let sum = "\(Digits.counted(parts.doneCount, "part")) \(parts.doneCount == 1 ? "has" : "have")"
    guard case .exact(let count)? = total else {
      return .unconfirmed(
        reason: "\(sum) \(Digits.counted(parts.rows, "row")), and the service reports no exact total")
    }
    // Only equal numbers show that the ranges leave nothing out.
    if parts.rows == count { return .complete }
    return .unconfirmed(
      reason:
        "the service reports \(Digits.counted(count, "row")) but \(sum) \(Digits.grouped(parts.rows))")
  }
}

/// What reading all of a list in parts is expected to cost.
package struct PartsPlan: Sendable, Hashable {
  package let rows: Total
  /// The number of rows that the service returns of one list.
  package let reachable: Int
  /// The number of rows of a page; nil if unknown.
  let pageSize: Int?

  /// `52,341 rows, 1,000 reachable`
  package var rowsText: String { "\(rows.text) rows, \(Digits.grouped(reachable)) reachable" }

  /// `about 70 parts, 594 requests`
  package var costText: String {
    let parts = Parts.count(of: rows.count, most: reachable)
    let text = "about \(Digits.counted(parts, "part"))"
    guard let pageSize, pageSize > 0 else { return text }
    // Each part ends with a page that is not full.
    return "\(text), \(Digits.counted(rows.count / pageSize + parts, "request"))"
  }
}
