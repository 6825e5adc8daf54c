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

    package var unit: Unit
    package var count: Int
    package var rule: Rule
    /// The cap does not apply if this credential is sent.
    package var unless: CredentialName?

    package init(unit: Unit, count: Int, rule: Rule = .start, unless: CredentialName? = nil) {
      self.unit = unit
      self.count = count
      self.rule = rule
      self.unless = unless
    }
  }
}

/// A credential of a source, identified by its key in the document: `auth` or `secret:NAME`.
package enum CredentialName: Sendable, Hashable {
  case authorization
  case secret(String)
}

/// How far a run may page: a cap in terms of the run's page size and numbering. A page beyond it is never
/// requested (rule 9).
package struct PagingCap: Sendable, Hashable {
  let cap: PaginationSettings.Cap
  let pageSize: Int?
  let numbering: Numbering?

  init(_ cap: PaginationSettings.Cap, pageSize: Int?, numbering: Numbering?) {
    self.cap = cap
    self.pageSize = pageSize
    self.numbering = numbering
  }

  /// Whether a page may be requested.
  ///
  /// - Parameter received: The number of rows received before it; locates pages that have no number.
  package func admits(_ position: Position, received: Int) -> Bool {
    let row = firstRow(of: position, received: received)
    switch cap.unit {
    case .page: return pageNumber(of: position) <= cap.count
    case .rows: return cap.rule == .start ? row < cap.count : row + (pageSize ?? 1) <= cap.count
    case .offset:
      let offset = row + firstOffset
      return cap.rule == .start ? offset <= cap.count : offset + (pageSize ?? 1) <= cap.count
    }
  }

  /// The number of rows available, counting the last page in full; nil if the page size is not known.
  package var rows: Int? {
    let size = pageSize ?? 0
    guard size > 0 else { return cap.unit == .rows ? cap.count : nil }
    let pages =
      switch (cap.unit, cap.rule) {
      case (.page, _): cap.count - firstPage + 1
      case (.rows, .start): cap.count / size + (cap.count % size == 0 ? 0 : 1)
      case (.rows, .end): cap.count / size
      case (.offset, .start): (cap.count - firstOffset) / size + 1
      case (.offset, .end): (cap.count - firstOffset) / size
      }
    return max(pages, 0) * size
  }

  /// The number of rows before the page.
  private func firstRow(of position: Position, received: Int) -> Int {
    guard case .number(let number) = position.value else { return received }
    switch numbering {
    case .rows(let first): return number - first
    case .pages: return pageSize.map { position.ordinal * $0 } ?? received
    case nil: return received
    }
  }

  private func pageNumber(of position: Position) -> Int { position.ordinal + firstPage }

  private var firstPage: Int { if case .pages(let first)? = numbering { first } else { 1 } }

  private var firstOffset: Int { if case .rows(let first)? = numbering { first } else { 0 } }
}
