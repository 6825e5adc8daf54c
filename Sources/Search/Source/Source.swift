package import HTTPValues
package import JSON

/// A configured API: one decoded TOML document. Pure data; requests are built from it in
/// `Search/Page/PageRequest`, and replies are read with it in `Search/Page/Page`.
package struct Source: Sendable {
  /// `[a-z0-9][a-z0-9-]*`. The name that the user types.
  package var id: String
  package var title: String
  package var homepage: String?
  package var aliases: [String] = []
  package var input = SearchInput.standard
  package var endpoint: Endpoint
  package var options: [SourceOption] = []
  package var authorization: Authorization?
  package var secrets: [NamedSecret] = []
  package var pagination: Pagination
  package var rows = RowShape.standard
  /// If empty, columns are made from the keys of the first page.
  package var columns: [Column] = []
  package var limits = Limits.standard
  package var errors = ErrorRules.standard
  package var detail = Detail.standard
  package var actions: [RowAction] = []
}

extension Source {
  package init(id: String, title: String, endpoint: Endpoint, pagination: Pagination) {
    self.id = id
    self.title = title
    self.endpoint = endpoint
    self.pagination = pagination
  }

  /// Whether the request has a place for the query: a `{query}` in its URL, parameters, headers, or body,
  /// including those of `[request.when.NAME]`, or a table `[request.when.query]`.
  package var placesQuery: Bool {
    endpoint.templates.contains { $0.names.contains("query") }
      || endpoint.additions.contains { $0.name == "query" }
  }

  /// Whether requests require a query. False if the request has no place for it, if rows are filtered
  /// locally, or if `min_length` is 0.
  package var needsQuery: Bool { input.filter == .server && input.minLength > 0 && placesQuery }

  /// Whether the query selects rows: it is part of the request, or rows are filtered by it locally. Otherwise
  /// every query requests the same rows.
  package var usesQuery: Bool { placesQuery || input.filter == .client }
}

/// The behavior of a source's query line (`[input]`).
package struct SearchInput: Sendable, Hashable, Codable {
  package static let standard = SearchInput()

  /// Queries with fewer characters, not counting surrounding blanks, send no request if the source needs a
  /// query (`Source.needsQuery`).
  package var minLength = 1
  /// Queries with more characters are rejected before anything is sent.
  package var maxLength: Int?
  /// The time after the last key press before a live query is sent.
  package var debounce = Duration.milliseconds(300)
  /// Whether typing sends requests; otherwise Enter does.
  package var isLive = true
  package var filter = Filter.server
  package var placeholder = ""
  package var examples: [String] = []

  /// Where rows are matched against a query.
  package enum Filter: String, Sendable, CaseIterable, Codable {
    case server
    /// Locally, because the service cannot search.
    case client
  }
}

/// Where the rows of a reply are, their form, and how they are identified (`[rows]`).
package struct RowShape: Sendable {
  package static let standard = RowShape()

  /// The path of the list of rows. A path that selects several values (`t[1:]`, `groups[*]`) selects the rows
  /// themselves or, in the form `columnar`, the columns.
  package var path: JSONPath?
  /// The form of the rows; nil for objects, or for plain values if the source itself reads `$`.
  package var form: RowForm?
  /// Whether a missing or null rows value is an error instead of an empty page.
  package var isRequired = false
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

/// The details of a row in the pager (`[detail]`).
package struct Detail: Sendable {
  package static let standard = Detail()

  /// Shown below each other; if empty, the columns of the source.
  package var fields: [Column] = []
  /// A longer text of the row, below the fields.
  package var body: Column?
  package var request: DetailRequest?
}

/// A request for one row, whose reply is a more complete row (`[detail.request]`). It is sent only to the
/// origin of the source.
package struct DetailRequest: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var value: ValueTemplate

    package init(name: String, value: ValueTemplate) {
      self.name = name
      self.value = value
    }
  }

  /// The URL: a value of the row, or composed from its values.
  package var url: ValueExpression
  /// Query parameters; they override those of the URL. A parameter without a value is left out.
  package var parameters: [Parameter]

  package init(url: ValueExpression, parameters: [Parameter] = []) {
    self.url = url
    self.parameters = parameters
  }
}

/// An action for one row with a key defined by the source (`[actions.NAME]`).
package struct RowAction: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    /// Opens an http or https URL.
    case open(ValueExpression)
    /// Copies a text as one sanitized line.
    case copy(ValueExpression)
  }

  package var name: String
  /// Pressed after `,`.
  package var key: Character
  package var effect: Effect

  package init(name: String, key: Character, effect: Effect) {
    self.name = name
    self.key = key
    self.effect = effect
  }
}

/// The name of a source: `[a-z0-9][a-z0-9-]*`.
package enum SourceName {
  package static func isValid(_ text: String) -> Bool {
    text.utf8.first != UInt8(ascii: "-") && !text.isEmpty && text.utf8.allSatisfy(isNameByte)
  }

  /// Names derived from a URL, shortest first: `github` for `api.github.com`, then with the last part of its
  /// path, then with numbers up to 99.
  package static func suggestions(for url: WebURL) -> [String] {
    let host = name(of: hostWords(url))
    let base = host.isEmpty ? "source" : host
    let part = url.path.split(separator: "/").last.map { name(of: [String($0)]) } ?? ""
    return [base] + (part.isEmpty ? [] : ["\(base)-\(part)"]) + (2...99).map { "\(base)-\($0)" }
  }

  /// The labels of the host that identify the service.
  private static func hostWords(_ url: WebURL) -> [String] {
    var words = url.host.split(separator: ".").map(String.init)
    guard url.origin.hostClass == .global, words.last?.contains(where: \.isLetter) == true else {
      return words
    }
    if words.count > 2, words.last?.utf8.count == 2, shared.contains(words[words.count - 2]) {
      words.removeLast()
    }
    if words.count > 1 { words.removeLast() }
    while words.count > 1, let first = words.first, prefixes.contains(first) { words.removeFirst() }
    return words
  }

  private static let shared: Set = ["co", "com", "org", "net", "ac", "gov", "or", "ne"]
  private static let prefixes: Set = ["www", "api", "rest", "data"]

  private static func name(of words: [String]) -> String {
    let text = words.joined(separator: "-").lowercased().utf8.map { isNameByte($0) ? $0 : UInt8(ascii: "-") }
    let parts = text.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) }
    return String(parts.joined(separator: "-").prefix(40))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
