/// The keys of `[pagination]`; which of them a style uses is its own business.
package struct PaginationSettings: Sendable {
  /// What an offset moves on by.
  package enum Advance: String, Sendable, CaseIterable {
    /// The rows the page had.
    case received
    /// The rows that were asked for.
    case asked
  }

  /// How often a request equal to the one before may be sent (rule 6).
  package enum Repetition: String, Sendable, CaseIterable {
    /// Once more, while rows are new.
    case stop
    /// As often as rows are new.
    case progress
    /// Never: the same token again is the end of the list.
    case end
  }

  /// What ends a list whatever else the reply says.
  package enum EndSign: String, Sendable, CaseIterable {
    /// A page without rows, even when a cursor or a flag came with it.
    case empty
    /// A page with fewer rows than its size, where nothing that decides before it is declared (rule 1).
    case short
  }

  /// A value of each reply that goes into the next request beside the cursor.
  package struct Carry: Sendable, Hashable {
    package var from: ValueExpression
    package var into: Slot

    package init(from: ValueExpression, into: Slot) {
      self.from = from
      self.into = into
    }
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
  package var carry: [Carry]
  package var endSigns: Set<EndSign>
  package var endStatuses: [Int]
  /// Statuses that say that the position is no longer known (rule 18).
  package var expiredStatuses: [Int]
  package var repetition: Repetition
  /// Rows at the start of a page that may repeat the end of the page before (an inclusive keyset).
  package var overlap: Int
  /// Other hosts a next link may lead to, then without a credential.
  package var hosts: [String]
  package var cap: Cap?
  package var maxEmptyPages: Int?

  package init(
    into: Slot? = nil, first: JSONToken? = nil, advance: Advance = .received, size: PageSize = PageSize(),
    next: ValueExpression? = nil, more: ValueExpression? = nil, done: ValueExpression? = nil,
    pages: ValueExpression? = nil, carry: [Carry] = [], endSigns: Set<EndSign> = [],
    endStatuses: [Int] = [], expiredStatuses: [Int] = [], repetition: Repetition = .stop, overlap: Int = 0,
    hosts: [String] = [], cap: Cap? = nil, maxEmptyPages: Int? = nil
  ) {
    self.into = into
    self.first = first
    self.advance = advance
    self.size = size
    self.next = next
    self.more = more
    self.done = done
    self.pages = pages
    self.carry = carry
    self.endSigns = endSigns
    self.endStatuses = endStatuses
    self.expiredStatuses = expiredStatuses
    self.repetition = repetition
    self.overlap = overlap
    self.hosts = hosts
    self.cap = cap
    self.maxEmptyPages = maxEmptyPages
  }

  /// The slot of a position that is one value.
  ///
  /// - Parameter purpose: what it is for, when it is missing.
  func valueSlot(key: String, purpose: String) throws(PaginationProblem) -> Slot {
    guard let into else { throw PaginationProblem(key: key, purpose) }
    guard into != .body([]) else {
      throw PaginationProblem(key: "into", "needs a member of the body: \"body:a.b\"")
    }
    return into
  }

  /// Refuses `end_on = ["short"]` where the next value decides before a short page does (rule 1).
  func refuseShortEnd() throws(PaginationProblem) {
    guard endSigns.contains(.short) else { return }
    throw PaginationProblem(key: "end_on", "= \"short\" has no meaning here: the next value decides")
  }
}
