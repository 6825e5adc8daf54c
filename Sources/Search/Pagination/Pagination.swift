package import HTTPValues
package import JSON

/// The `[pagination]` table of a source: the keys that all styles share, and the style made from them.
package struct Pagination: Sendable {
  package let settings: PaginationSettings
  package let style: any PaginationStyle

  /// Puts a position and a page size into a request; `pageSize` is nil if the service chooses it.
  func apply(_ position: Position, pageSize: Int?, to draft: inout RequestDraft) {
    style.apply(position.inItsPart, to: &draft)
    if let pageSize { settings.size.apply(pageSize, to: &draft) }
  }

  /// The placeholders of `[request]` that have the position; empty if it is sent in a slot of its own.
  package var placeholders: [String] {
    settings.into == .placeholder ? Swift.type(of: style).placeholders : []
  }

  /// The values of its placeholders for a page. The limits of a page in rows need its size.
  func values(of position: JSONToken, pageSize: Int?) -> [String: JSONToken] {
    guard let name = placeholders.first else { return [:] }
    var values = [name: position]
    if case .rows? = style.numbering, let first = position.text.flatMap({ Int($0) }), let pageSize {
      values["last"] = JSONToken(first + pageSize - 1)
      values["end"] = JSONToken(first + pageSize)
    }
    return values
  }

  /// See `PaginationStyle.continuation(after:at:)`. The pages of a part are a list of their own.
  func continuation(after page: PageFacts, at position: Position) throws(PaginationError) -> Continuation {
    switch try style.continuation(after: page, at: position.inItsPart) {
    case .next(let next, let evidence): .next(next.inRun(position.part), evidence)
    case .end(let reason): .end(reason)
    }
  }

  /// See `PaginationStyle.check(_:origin:)`.
  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    try style.check(position.inItsPart, origin: origin)
  }

  /// The declared signs of the end that a response contains.
  func signs(in response: ResponseValues, rowsAt rows: JSONPath?) -> PageSigns {
    EndConditions(settings: settings).signs(in: response, rowsAt: rows)
  }

  package var name: String { Swift.type(of: style).name }

  /// Whether the style puts a value into the body of the request.
  package var putsIntoBody: Bool {
    (style.slots + style.carriedSlots + [settings.size.slot].compactMap(\.self)).contains(where: \.isInBody)
  }

  /// The paging limit that the service sets for a run; nil if there is none.
  ///
  /// - Parameters:
  ///   - pageSize: The page size of the run; nil if the service chooses it.
  ///   - credentials: The credentials that the run sends, because a cap may not apply with them.
  package func pagingCap(pageSize: Int?, with credentials: Set<CredentialName> = []) -> PagingCap? {
    guard let cap = settings.cap, cap.unless.map({ !credentials.contains($0) }) ?? true else { return nil }
    return PagingCap(cap: cap, pageSize: pageSize, numbering: style.numbering)
  }
}

extension Pagination {
  package init(_ type: any PaginationStyle.Type, _ settings: PaginationSettings) throws(PaginationError) {
    self.init(settings: settings, style: try type.init(settings))
  }
}

/// The keys of `[pagination]`. Each style uses only those it supports.
package struct PaginationSettings: Sendable {
  /// How often a request equal to the previous one may be sent (rule 6).
  package enum Repetition: String, Sendable, CaseIterable {
    /// An equal request may be sent once more, if the rows are new.
    case stop
    /// Equal requests may be sent as long as the rows are new.
    case progress
    /// An equal request is never sent: a repeated token ends the list.
    case end
  }

  /// A condition that ends a list regardless of the rest of the response.
  package enum EndCondition: String, Sendable, CaseIterable {
    /// A page without rows, even with a cursor or a flag.
    case empty
    /// A page with fewer rows than its size, if no condition with a higher precedence is declared (rule 1).
    case short
  }

  /// A value of each response that is sent in the next request along with the cursor.
  package struct Carry: Sendable, Hashable {
    package static let standard = Carry()

    package var from = ValueExpression([])
    package var into = Slot.body([])
  }

  package static let standard = PaginationSettings()

  package var into: Slot?
  /// The value for the first page: a number for `page` and `offset`, an initial token for `cursor`.
  package var first: JSONToken?
  package var size = PageSize.standard
  package var next: ValueExpression?
  package var more: ValueExpression?
  package var done: ValueExpression?
  package var pages: ValueExpression?
  package var carry: [Carry] = []
  package var endConditions: Set<EndCondition> = []
  package var endStatuses: [Int] = []
  /// The strings at `next` that mean that there is no next page.
  package var endValues: [String] = []
  /// Status codes that mean that the position has expired (rule 18).
  package var expiredStatuses: [Int] = []
  package var repetition = Repetition.stop
  /// The number of rows at the start of a page that may repeat the end of the previous one (inclusive keyset).
  package var overlap = 0
  /// Other hosts that a next link may point to; they are sent no credentials.
  package var hosts: [String] = []
  package var cap: Cap?
  package var maxEmptyPages: Int?
  /// The values of the keys in `PaginationStyle.ownKeys`.
  package var own: [String: PaginationKey.Value] = [:]

  /// Whether an empty string is a next value, not the end.
  var takesEmptyNext: Bool { own["empty_next"] == .word("value") }

  /// The slot of a position that is a single value.
  ///
  /// - Parameter purpose: What the slot is for; part of the error message if it is missing.
  func valueSlot(key: String, purpose: String) throws(PaginationError) -> Slot {
    guard let into else { throw PaginationError(key: key, purpose) }
    guard into != .body([]) else {
      throw PaginationError(key: "into", "expected a field of the body, like \"body:a.b\"")
    }
    return into
  }

  /// Throws for `end_on = ["short"]` where the next value takes precedence over a short page (rule 1).
  func refuseShortEnd() throws(PaginationError) {
    guard endConditions.contains(.short) else { return }
    throw PaginationError(
      key: "end_on", "= \"short\" is not allowed here: the next value decides where the list ends")
  }
}

extension PaginationSettings {
  /// The number of rows per page, and how it is requested (`size`).
  package struct PageSize: Sendable, Hashable {
    package static let standard = PageSize()

    /// Where the page size is sent; nil if it is not sent, or is placed by `{page_size}`.
    package var slot: Slot?
    package var standard: Int?
    package var maximum: Int?
    /// Where a response reports the size it used.
    package var actual: ValueExpression?

    /// Whether the number of rows to request is known.
    package var isNumber: Bool { (standard ?? maximum) != nil }

    /// Puts a page size into a request.
    package func apply(_ size: Int, to draft: inout RequestDraft) {
      if let slot { draft.put(JSONToken(size), into: slot) }
    }

    /// The page size: the one that the response reports, or else the requested one.
    func used(in response: ResponseValues, requested: Int?) -> Int? {
      let named = actual.flatMap { response.text(of: $0) }.flatMap { Int($0) }
      return named.flatMap { 1...1_000_000 ~= $0 ? $0 : nil } ?? requested
    }
  }
}

extension PaginationSettings {
  /// A limit that the service sets on paging depth; it is not a total (rule 9).
  package struct Cap: Sendable, Hashable {
    package enum Unit: String, Sendable, CaseIterable {
      /// The number of rows available.
      case rows
      /// The last page number.
      case page
      /// The last offset.
      case offset
    }
    /// `start`: a page may be requested if its first row is within the cap; `end`: only if its last row is.
    package enum Rule: String, Sendable, CaseIterable { case start, end }

    package static let standard = Cap()

    package var unit = Unit.rows
    package var count = 0
    package var rule = Rule.start
    /// The cap does not apply if this credential is sent.
    package var unless: CredentialName?
  }
}

/// Where a page number, a cursor, or a page size is sent: `query:x`, `header:x`, `body:a.b`, or wherever `[request]` has
/// its placeholder.
package enum Slot: Sendable, Hashable, Codable {
  case query(String)
  case header(String)
  /// The field names from the body's root; empty for the body itself.
  case body([String])
  /// The placeholder of the position, anywhere in a string of the request: `"{offset}-{last}"`.
  case placeholder

  var isInBody: Bool { if case .body = self { true } else { false } }

  /// A value of a response as this slot can hold it (rule 2): any value in a body, elsewhere a string or number.
  ///
  /// - Parameter key: The key of `[pagination]` that produced the value.
  func token(of value: ResponseValue, from key: String) throws(PaginationError) -> JSONToken {
    guard let token = value.token, takes(token) else {
      throw PaginationError(
        key: key, "returned \(value.kindName), which cannot be sent in a query or header")
    }
    return token
  }

  /// The same validation for a stored value.
  func check(_ token: JSONToken, from key: String) throws(PaginationError) {
    if !takes(token) {
      throw PaginationError(key: key, "returned a value that cannot be sent in a query or header")
    }
  }

  private func takes(_ token: JSONToken) -> Bool { token.text != nil || isInBody }
}

/// A cap in terms of a run's page size and numbering. A page beyond it is never requested (rule 9).
package struct PagingCap: Sendable, Hashable {
  let cap: PaginationSettings.Cap
  let pageSize: Int?
  let numbering: Numbering?

  /// Whether a page may be requested.
  ///
  /// - Parameter received: The number of rows received before it; locates pages that have no number.
  package func admits(_ position: Position, received: Int) -> Bool {
    if cap.unit == .page { return position.index + firstPage <= cap.count }
    let row = firstRow(of: position, received: received)
    return cap.rule == .start ? row < cappedRows : row + (pageSize ?? 1) <= cappedRows
  }

  /// The number of rows that are certain to be available, nil if the page size is not known. A last page that goes
  /// beyond the cap may be cut there.
  package var rows: Int? {
    guard let pageSize, pageSize > 0 else { return declaredRows }
    return pages.map { min($0 * pageSize, declaredRows ?? .max) }
  }

  /// The number of rows that the source declares; nil if it declares a page or an offset.
  package var declaredRows: Int? { cap.unit == .rows ? cap.count : nil }

  /// The number of pages available; nil if it depends on a page size that is not known.
  package var pages: Int? {
    if cap.unit == .page { return max(cap.count - firstPage + 1, 0) }
    guard let pageSize, pageSize > 0 else { return nil }
    let pages = cap.rule == .start ? (cappedRows + pageSize - 1) / pageSize : cappedRows / pageSize
    return max(pages, 0)
  }

  /// The number of rows within a cap in rows or offsets.
  private var cappedRows: Int {
    guard cap.unit == .offset else { return cap.count }
    let firstOffset = if case .rows(let first)? = numbering { first } else { 0 }
    return cap.count - firstOffset + (cap.rule == .start ? 1 : 0)
  }

  /// The number of rows before the page.
  private func firstRow(of position: Position, received: Int) -> Int {
    guard case .number(let number) = position.value else { return received }
    switch numbering {
    case .rows(let first): return number - first
    case .pages: return pageSize.map { position.index * $0 } ?? received
    case nil: return received
    }
  }

  private var firstPage: Int { if case .pages(let first)? = numbering { first } else { 1 } }
}
