/// Where the rows of a reply are and how they are told apart (`[rows]`).
package struct RowShape: Sendable {
  package var path: JSONPath?
  /// A missing or null rows value is an error instead of an empty page.
  package var isRequired: Bool
  /// Identifies a row; nil means rows are never dropped as duplicates.
  package var key: ValueExpression?
  package var total: ValueExpression?
  /// True: the service gave up early and the total is an estimate.
  package var incomplete: ValueExpression?
  /// The row's address in a browser.
  package var link: ValueExpression?

  package init(
    path: JSONPath? = nil, isRequired: Bool = false, key: ValueExpression? = nil,
    total: ValueExpression? = nil, incomplete: ValueExpression? = nil, link: ValueExpression? = nil
  ) {
    self.path = path
    self.isRequired = isRequired
    self.key = key
    self.total = total
    self.incomplete = incomplete
    self.link = link
  }
}
