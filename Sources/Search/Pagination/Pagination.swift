/// The `[pagination]` table of a source: the keys all styles share, and the style made from them.
package struct Pagination: Sendable {
  package let settings: PaginationSettings
  package let style: any PaginationStyle

  package init(_ type: any PaginationStyle.Type, _ settings: PaginationSettings) throws(PaginationProblem) {
    self.settings = settings
    self.style = try type.init(settings)
  }

  package var name: String { Swift.type(of: style).name }

  /// The ordinal of the last page the service's cap allows for this page size; nil without a cap.
  package func lastOrdinal(pageSize: Int) -> Int? {
    guard let cap = settings.cap else { return nil }
    let size = max(pageSize, 1)
    switch (cap.unit, cap.rule) {
    case (.rows, .start): return (cap.count + size - 1) / size - 1
    case (.rows, .end): return cap.count / size - 1
    case (.page, _): return cap.count - (settings.first?.text.flatMap { Int($0) } ?? 1)
    }
  }

  /// How many rows the cap leaves reachable; nil without one.
  package func reachableRows(pageSize: Int) -> Int? {
    lastOrdinal(pageSize: pageSize).map { last in
      let rows = (last + 1) * max(pageSize, 1)
      if let cap = settings.cap, cap.unit == .rows, cap.rule == .end { return min(rows, cap.count) }
      return rows
    }
  }
}

/// The keys of `[pagination]`; which of them a style uses is its own business.
package struct PaginationSettings: Sendable {
  package struct PageSize: Sendable, Hashable {
    package var slot: Slot?
    package var standard: Int?
    package var maximum: Int?

    package init(slot: Slot? = nil, standard: Int? = nil, maximum: Int? = nil) {
      self.slot = slot
      self.standard = standard
      self.maximum = maximum
    }
  }

  /// A bound the service sets on how deep one may page; not a total (rule 9).
  package struct Cap: Sendable, Hashable {
    package enum Unit: String, Sendable, CaseIterable { case rows, page }
    /// `start`: a page is asked when its first row is within the cap; `end`: only when its last row is.
    package enum Rule: String, Sendable, CaseIterable { case start, end }

    package var unit: Unit
    package var count: Int
    package var rule: Rule

    package init(unit: Unit, count: Int, rule: Rule = .start) {
      self.unit = unit
      self.count = count
      self.rule = rule
    }
  }

  /// What an offset moves on by.
  package enum Advance: String, Sendable, CaseIterable {
    /// The rows the page had.
    case received
    /// The rows that were asked for.
    case asked
  }

  package var into: Slot?
  /// The value of the first page: a number for `page` and `offset`, a sentinel for `cursor`.
  package var first: JSONToken?
  package var advance: Advance
  package var size: PageSize
  package var next: ValueExpression?
  package var more: ValueExpression?
  package var done: ValueExpression?
  package var pages: ValueExpression?
  package var endsOnShortPage: Bool
  package var endStatuses: [Int]
  /// Other hosts a next link may lead to, then without a credential.
  package var hosts: [String]
  package var cap: Cap?
  package var maxEmptyPages: Int?

  package init(
    into: Slot? = nil, first: JSONToken? = nil, advance: Advance = .received, size: PageSize = PageSize(),
    next: ValueExpression? = nil,
    more: ValueExpression? = nil, done: ValueExpression? = nil, pages: ValueExpression? = nil,
    endsOnShortPage: Bool = false, endStatuses: [Int] = [], hosts: [String] = [], cap: Cap? = nil,
    maxEmptyPages: Int? = nil
  ) {
    self.into = into
    self.first = first
    self.advance = advance
    self.size = size
    self.next = next
    self.more = more
    self.done = done
    self.pages = pages
    self.endsOnShortPage = endsOnShortPage
    self.endStatuses = endStatuses
    self.hosts = hosts
    self.cap = cap
    self.maxEmptyPages = maxEmptyPages
  }
}
