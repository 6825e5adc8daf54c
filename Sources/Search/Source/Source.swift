/// A configured API: one decoded TOML document. Pure data; `Source+Request` builds requests from it,
/// `Source+Page` reads replies with it.
package struct Source: Sendable {
  /// `[a-z0-9][a-z0-9-]*`. The name that the user types.
  package var id: String
  package var title: String
  package var homepage: String?
  package var aliases: [String]
  package var input: SearchInput
  package var endpoint: Endpoint
  package var options: [SourceOption]
  package var authorization: Authorization?
  package var secrets: [NamedSecret]
  package var pagination: Pagination
  package var rows: RowShape
  /// If empty, columns are made from the keys of the first page.
  package var columns: [Column]
  package var limits: Limits
  package var errors: ErrorRules
  package var detail: Detail
  package var actions: [RowAction]

  package init(
    id: String, title: String, homepage: String? = nil, aliases: [String] = [],
    input: SearchInput = SearchInput(), endpoint: Endpoint, options: [SourceOption] = [],
    authorization: Authorization? = nil, secrets: [NamedSecret] = [], pagination: Pagination,
    rows: RowShape = RowShape(), columns: [Column] = [], limits: Limits = Limits(),
    errors: ErrorRules = ErrorRules(), detail: Detail = Detail(), actions: [RowAction] = []
  ) {
    self.id = id
    self.title = title
    self.homepage = homepage
    self.aliases = aliases
    self.input = input
    self.endpoint = endpoint
    self.options = options
    self.authorization = authorization
    self.secrets = secrets
    self.pagination = pagination
    self.rows = rows
    self.columns = columns
    self.limits = limits
    self.errors = errors
    self.detail = detail
    self.actions = actions
  }
}

extension Source {
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
package struct SearchInput: Sendable, Hashable {
  /// Queries with fewer characters, not counting surrounding blanks, send no request if the source needs a
  /// query (`Source.needsQuery`).
  package var minLength: Int
  /// Queries with more characters are rejected before anything is sent.
  package var maxLength: Int?
  /// The time after the last key press before a live query is sent.
  package var debounce: Duration
  /// Whether typing sends requests; otherwise Enter does.
  package var isLive: Bool
  package var filter: Filter
  package var placeholder: String
  package var examples: [String]

  /// Where rows are matched against a query.
  package enum Filter: String, Sendable, CaseIterable {
    case server
    /// Locally, because the service cannot search.
    case client
  }

  package init(
    minLength: Int = 1, maxLength: Int? = nil, debounce: Duration = .milliseconds(300), isLive: Bool = true,
    filter: Filter = .server, placeholder: String = "", examples: [String] = []
  ) {
    self.minLength = minLength
    self.maxLength = maxLength
    self.debounce = debounce
    self.isLive = isLive
    self.filter = filter
    self.placeholder = placeholder
    self.examples = examples
  }
}
