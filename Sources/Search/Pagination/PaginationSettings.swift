/// The keys of `[pagination]`. Each style uses only those it supports.
package struct PaginationSettings: Sendable {
  /// How an offset advances.
  package enum Advance: String, Sendable, CaseIterable {
    /// By the number of rows received.
    case received
    /// By the number of rows requested.
    case asked
  }

  /// How often a request equal to the previous one may be sent (rule 6).
  package enum Repetition: String, Sendable, CaseIterable {
    /// One more time, if the rows are new.
    case stop
    /// As long as the rows are new.
    case progress
    /// Never: a repeated token ends the list.
    case end
  }

  /// A condition that ends a list regardless of the rest of the reply.
  package enum EndCondition: String, Sendable, CaseIterable {
    /// A page without rows, even with a cursor or a flag.
    case empty
    /// A page with fewer rows than its size, if no condition with a higher precedence is declared (rule 1).
    case short
  }

  /// A value of each reply that is sent in the next request along with the cursor.
  package struct Carry: Sendable, Hashable {
    package var from: ValueExpression
    package var into: Slot

    package init(from: ValueExpression, into: Slot) {
      self.from = from
      self.into = into
    }
  }

  package var into: Slot?
  /// The value for the first page: a number for `page` and `offset`, an initial token for `cursor`.
  package var first: JSONToken?
  package var advance: Advance
  package var size: PageSize
  package var next: ValueExpression?
  package var more: ValueExpression?
  package var done: ValueExpression?
  package var pages: ValueExpression?
  package var carry: [Carry]
  package var endConditions: Set<EndCondition>
  package var endStatuses: [Int]
  /// Status codes that mean that the position has expired (rule 18).
  package var expiredStatuses: [Int]
  package var repetition: Repetition
  /// The number of rows at the start of a page that may repeat the end of the previous page (an inclusive
  /// keyset).
  package var overlap: Int
  /// Other hosts that a next link may point to; they are sent no credentials.
  package var hosts: [String]
  package var cap: Cap?
  package var maxEmptyPages: Int?

  package init(
    into: Slot? = nil, first: JSONToken? = nil, advance: Advance = .received, size: PageSize = PageSize(),
    next: ValueExpression? = nil, more: ValueExpression? = nil, done: ValueExpression? = nil,
    pages: ValueExpression? = nil, carry: [Carry] = [], endConditions: Set<EndCondition> = [],
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
    self.endConditions = endConditions
    self.endStatuses = endStatuses
    self.expiredStatuses = expiredStatuses
    self.repetition = repetition
    self.overlap = overlap
    self.hosts = hosts
    self.cap = cap
    self.maxEmptyPages = maxEmptyPages
  }

  /// The slot of a position that is a single value.
  ///
  /// - Parameter purpose: What the slot is for; part of the error message if it is missing.
  func valueSlot(key: String, purpose: String) throws(PaginationProblem) -> Slot {
    guard let into else { throw PaginationProblem(key: key, purpose) }
    guard into != .body([]) else {
      throw PaginationProblem(key: "into", "expected a member of the body, like \"body:a.b\"")
    }
    return into
  }

  /// Throws for `end_on = ["short"]` where the next value takes precedence over a short page (rule 1).
  func refuseShortEnd() throws(PaginationProblem) {
    guard endConditions.contains(.short) else { return }
    throw PaginationProblem(
      key: "end_on", "= \"short\" is not allowed here: the next value decides where the list ends")
  }
}
