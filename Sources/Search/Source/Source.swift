/// A configured API: one TOML document, decoded. Pure data; what it means for a request is in
/// `Source+Request`, for a reply in `Source+Page`.
package struct Source: Sendable {
  /// `[a-z0-9][a-z0-9-]*`; what the user types.
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
  /// Empty: columns are made from the keys of the first page.
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
  /// Whether the request has a place for the query: a `{query}` in its address, parameters, headers or body, also in
  /// those of `[request.when.NAME]`, or a table `[request.when.query]`.
  package var placesQuery: Bool {
    endpoint.templates.contains { $0.names.contains("query") }
      || endpoint.additions.contains { $0.name == "query" }
  }

  /// Whether nothing is requested before the user has typed a query. False where no place for it exists, where rows
  /// are filtered on this side, and where `min_length` is 0.
  package var needsQuery: Bool { input.filter == .server && input.minLength > 0 && placesQuery }

  /// Whether a query chooses rows: it is part of the request, or rows are filtered here by it. Of a source without,
  /// every query asks for the same rows.
  package var usesQuery: Bool { placesQuery || input.filter == .client }
}

/// How the query line of a source behaves (`[input]`).
package struct SearchInput: Sendable, Hashable {
  /// Shorter queries (in characters, blanks trimmed) ask nothing, where the source needs one (`Source.needsQuery`).
  package var minLength: Int
  /// Longer ones (in characters) are refused before anything is sent.
  package var maxLength: Int?
  /// Quiet time after the last key before a live query is asked.
  package var debounce: Duration
  /// Whether typing asks by itself; otherwise Enter does.
  package var isLive: Bool
  package var filter: Filter
  package var placeholder: String
  package var examples: [String]

  /// Who chooses the rows a query matches.
  package enum Filter: String, Sendable, CaseIterable {
    case server
    /// We do: the service cannot search.
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
