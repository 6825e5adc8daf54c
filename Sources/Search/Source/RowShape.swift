/// Where the rows of a reply are, what they are and how they are told apart (`[rows]`).
package struct RowShape: Sendable {
  /// Leads to the list of rows. One that selects several values (`t[1:]`, `groups[*]`) selects the rows themselves,
  /// or, in the form `columnar`, the columns.
  package var path: JSONPath?
  /// What the rows are; nil: objects, or plain values where the source itself reads `$`.
  package var form: RowForm?
  /// A missing or null rows value is an error instead of an empty page.
  package var isRequired: Bool
  /// Identifies a row; nil means rows are never dropped as duplicates.
  package var key: ValueExpression?
  package var total: ValueExpression?
  /// The total is exact only while this is true.
  package var totalExact: ValueExpression?
  /// The total is a lower bound while this holds.
  package var totalAtLeast: Condition?
  /// Asked once, beside the first page, when a total is shown.
  package var totalRequest: TotalRequest?
  /// True: the service gave up early and the total is an estimate.
  package var incomplete: ValueExpression?
  /// The row's address in a browser.
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

/// What the rows of a reply are (`shape`).
package enum RowForm: Sendable, Hashable {
  /// The objects of a list.
  case list
  /// The values of an object; `@key` is the name of each.
  case map
  /// The arrays of a list, with a name for each place in them (`names`): then they are read as objects, else
  /// by index.
  case columns(ColumnNames?)
  /// Made across the arrays of a list, each of which holds one value of every row: a table stored by column.
  case columnar(ColumnNames?)
  /// The strings, numbers and booleans of a list; `$` is the row.
  case scalars
}

/// What the values of a row that is an array are called (`names`).
package enum ColumnNames: Sendable, Hashable {
  case stated([String])
  /// Where the names stand in the reply: a list of texts, or several texts.
  case path(JSONPath)
}

/// The request that asks a service how many rows there are (`[rows.total_request]`), where its pages do not
/// say: sent once, to the origin of the source.
package struct TotalRequest: Sendable {
  package var endpoint: Endpoint
  /// Where the number stands in the reply.
  package var total: ValueExpression

  package init(endpoint: Endpoint, total: ValueExpression) {
    self.endpoint = endpoint
    self.total = total
  }
}
