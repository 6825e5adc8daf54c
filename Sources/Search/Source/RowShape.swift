/// Where the rows of a reply are, their form, and how they are identified (`[rows]`).
package struct RowShape: Sendable {
  /// The path of the list of rows. A path that selects several values (`t[1:]`, `groups[*]`) selects the rows
  /// themselves or, in the form `columnar`, the columns.
  package var path: JSONPath?
  /// The form of the rows; nil for objects, or for plain values if the source itself reads `$`.
  package var form: RowForm?
  /// Whether a missing or null rows value is an error instead of an empty page.
  package var isRequired: Bool
  /// Identifies a row; if nil, rows are never dropped as duplicates.
  package var key: ValueExpression?
  package var total: ValueExpression?
  /// The total is exact only if this value is true.
  package var totalExact: ValueExpression?
  /// The total is a lower bound if this condition holds.
  package var totalAtLeast: Condition?
  /// Sent once, along with the first page, if a total is shown.
  package var totalRequest: TotalRequest?
  /// If true, the service gave up early and the total is an estimate.
  package var incomplete: ValueExpression?
  /// The URL of the row's web page.
  package var link: ValueExpression?

  package init(
    path: JSONPath? = nil, form: RowForm? = nil, isRequired: Bool = false, key: ValueExpression? = nil,
    total: ValueExpression? = nil, totalExact: ValueExpression? = nil, totalAtLeast: Condition? = nil,
    totalRequest: TotalRequest? = nil, incomplete: ValueExpression? = nil, link: ValueExpression? = nil
  ) {
    self.path = path
    self.form = form
    self.isRequired = isRequired
    self.key = key
    self.total = total
    self.totalExact = totalExact
    self.totalAtLeast = totalAtLeast
    self.totalRequest = totalRequest
    self.incomplete = incomplete
    self.link = link
  }
}

/// The form of the rows of a reply (`shape`).
package enum RowForm: Sendable, Hashable {
  /// The objects of a list.
  case list
  /// The values of an object; `@key` is the name of each.
  case map
  /// The arrays of a list. With `names` for their positions they are read as objects, otherwise by index.
  case columns(ColumnNames?)
  /// A table stored by column: the arrays of a list, each with one value for every row.
  case columnar(ColumnNames?)
  /// The strings, numbers, and booleans of a list; `$` is the row.
  case scalars
}

/// The names of the values of a row that is an array (`names`).
package enum ColumnNames: Sendable, Hashable {
  case stated([String])
  /// The path of the names in the reply: a list of strings, or several strings.
  case path(JSONPath)
}

/// A request for the number of rows (`[rows.total_request]`), for services whose pages do not contain it.
/// Sent once, to the origin of the source.
package struct TotalRequest: Sendable {
  package var endpoint: Endpoint
  /// The path of the number in the reply.
  package var total: ValueExpression

  package init(endpoint: Endpoint, total: ValueExpression) {
    self.endpoint = endpoint
    self.total = total
  }
}
