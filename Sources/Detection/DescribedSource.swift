import HTTPValues
import Search
import Text

extension APIDescription {
  /// The source of a list of the description as a TOML document. Guesses are comments.
  ///
  /// - Parameters:
  ///   - pagination: The pagination; nil for the most likely one, unless it is doubtful.
  ///   - given: A request with the headers that the user gave. A credential in them replaces the described one.
  ///   - remarks: Comments in the pagination table.
  ///   - parent: The id of the source that may be the parent.
  package func document(
    of endpoint: DescribedEndpoint, id: String, pagination: PaginationGuess? = nil,
    given: RequestExample? = nil, remarks: [String] = [], parent: String? = nil
  ) -> String {
    DescribedSource(
      endpoint, RowsDraft(endpoint), pagination ?? endpoint.pagination, given: given,
      isDoubtful: pagination == nil && endpoint.pagination.isDoubtful, remarks: remarks, parent: parent
    ).document(id: id, title: title(of: endpoint))
  }

  package func title(of endpoint: DescribedEndpoint) -> String {
    "\(title): \(endpoint.summary.isEmpty ? endpoint.name : endpoint.summary)"
  }
}

/// The parts of a source that is written from a description.
struct DescribedSource {
  private let endpoint: DescribedEndpoint
  private let response: RowsDraft
  private let guess: PaginationGuess
  private let given: CredentialGuess?
  private let isDoubtful: Bool
  private let largestPage: Int?
  private let remarks: [String]
  private let parentID: String
  private var url = ""
  private var options: [EndpointOption]
  private var parameters: [(name: String, template: String)] = []
  private var headers: [(name: String, template: String)] = []
  private var body = BodyText.table([])
  /// The names of the secrets in the body.
  private var secrets: [String] = []
  private var isQueryRequired = false

  /// - Parameters:
  ///   - isDoubtful: Whether the pagination is written as a comment.
  ///   - largestPage: The largest page size, if a page has shown it.
  ///   - remarks: The findings of a page, written as comments in the pagination table.
  init(
    _ endpoint: DescribedEndpoint, _ rows: RowsDraft, _ pagination: PaginationGuess,
    given: RequestExample? = nil, isDoubtful: Bool = false, largestPage: Int? = nil, remarks: [String] = [],
    parent: String? = nil
  ) {
    self.endpoint = endpoint
    response = rows
    guess = pagination
    self.given = given.map { CredentialGuess($0) }
    self.isDoubtful = isDoubtful
    self.largestPage = largestPage
    self.remarks = remarks
    parentID = parent ?? "ID"
    options = endpoint.server.options
    url = endpoint.server.base + path()
    readQuery()
    readHeaders()
  }

  /// The path, with an option for each of its parameters.
  private mutating func path() -> String {
    PathPiece.pieces(of: endpoint.path).map { piece in
      switch piece {
      case .literal(let text): return text.withDoubledBraces
      case .name(let name):
        let schema = endpoint.parameters.first { $0.name == name && $0.location == .path }?.schema
        return "{\(option(name, schema, isRequired: true, in: .path))}"
      }
    }.joined()
  }

  /// The parameters of the query and the fields of the body.
  private mutating func readQuery() {
    for constant in endpoint.body?.constants ?? [] {
      body.set(constant.isList ? .emptyList : .table([]), at: constant.members)
    }
    let search = endpoint.searchParameter
    let paged = [guess.parameter, endpoint.pageSize?.name]
    for parameter in endpoint.queryParameters where !paged.contains(parameter.name) {
      if parameter.name == search?.name {
        add(parameter, "query")
        isQueryRequired = parameter.isRequired
      } else if parameter.role == .credential {
        guard parameter.location == .member, parameter.isRequired else { continue }
        let name = EndpointOption.name(parameter.name)
        body.set(.text("{secret:\(name)}"), at: parameter.members)
        if !secrets.contains(name) { secrets.append(name) }
      } else if parameter.isWritten,
        [.other, .search(rank: parameter.searchRank ?? 0)].contains(parameter.role)
      {
        add(
          parameter,
          option(parameter.name, parameter.schema, isRequired: parameter.isRequired, in: parameter.location))
      }
    }
  }

  private mutating func add(_ parameter: EndpointParameter, _ placeholder: String) {
    let template = parameter.isRequired ? "{\(placeholder)}" : "{\(placeholder)?}"
    if parameter.location == .member {
      body.set(.text(template), at: parameter.members)
    } else {
      parameters.append((parameter.name, template))
    }
  }

  /// Required headers such as a version; credentials are in `[auth]`.
  private mutating func readHeaders() {
    for parameter in endpoint.parameters where parameter.location == .header && parameter.isRequired {
      let word = parameter.word
      guard word.hasPrefix("x") || word.hasSuffix("version"),
        ParameterRole(name: parameter.name, value: "") != .credential,
        (try? HTTPField(name: parameter.name, value: "x")) != nil,
        !(given?.headers ?? []).contains(where: { $0.name.lowercased() == parameter.name.lowercased() })
      else { continue }
      let name = option(parameter.name, parameter.schema, isRequired: true, in: .header)
      headers.append((parameter.name, "{\(name)}"))
    }
    headers += (given?.headers ?? []).map { ($0.name, $0.value.template) }
  }

  /// Adds an option for a parameter; returns its name.
  private mutating func option(
    _ parameter: String, _ schema: EndpointSchema?, isRequired: Bool, in location: EndpointParameter.Location
  ) -> String {
    let isInPath = location == .path
    var taken = Set(options.map(\.name))
    let name = EndpointOption.name(parameter).numbered("_", taken: &taken)
    var values = (schema?.values ?? []).filter { !isInPath || !["", ".", ".."].contains($0) }
    var standard = schema?.standard
    if let text = standard, isInPath, ["", ".", ".."].contains(text) { standard = nil }
    if !values.isEmpty {
      if !isRequired, standard == nil { values.insert("", at: 0) }
      if let text = standard, !values.contains(text) { standard = nil }
    }
    values = values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    options.append(
      EndpointOption(
        name: name, title: name == parameter ? nil : parameter, values: values, standard: standard,
        isLiteral: location == .member && endpoint.body?.type == .json && schema?.isLiteral == true
          && (values + [standard].compactMap(\.self)).allSatisfy(TOMLText.isLiteral)))
    return name
  }

}

extension DescribedEndpoint {
  /// The parameters of the query and the fields of the body.
  fileprivate var queryParameters: [EndpointParameter] {
    parameters.filter { [.query, .member].contains($0.location) }
  }

  /// The parameter or field with this name; for a field, the last part is enough.
  func position(_ name: String) -> EndpointParameter? {
    queryParameters.first { $0.name == name } ?? queryParameters.first { $0.members.last == name }
  }

  /// The number of the first page of a style.
  func firstNumber(_ style: PaginationGuess.Style) -> Int? {
    if case .number(let first)? = paginations.first(where: { $0.style == style })?.first {
      first
    } else {
      nil
    }
  }

  var pageSize: EndpointParameter? { queryParameters.first { $0.role == .pageSize } }

  /// The parameter for the search text; nil if none is described.
  var searchParameter: EndpointParameter? {
    queryParameters.filter { $0.searchRank != nil }.min { $0.searchRank ?? 0 < $1.searchRank ?? 0 }
  }
}

extension PaginationGuess {
  /// Whether the guess is too uncertain for a source that is written without a request.
  var isDoubtful: Bool { style != .none && confidence < 0.7 }
}

extension EndpointParameter {
  var slot: Slot { location == .member ? .body(members) : .query(name) }

  fileprivate var searchRank: Int? { if case .search(let rank) = role { rank } else { nil } }

  /// Whether a source has an option for the parameter: it is required, or has a few allowed values.
  fileprivate var isWritten: Bool {
    isRequired || !schema.values.isEmpty && !(location == .member && schema.isLiteral)
  }
}

extension EndpointParameter {
  /// The page size to request, and the maximum, if the description or a page contains it.
  func sizes(largestPage: Int? = nil) -> (standard: Int, most: Int?) {
    let bounds = 1...100_000
    let most = schema.maximum.flatMap { bounds.contains($0) ? $0 : nil } ?? largestPage
    let least = min(max(schema.minimum ?? 1, 1), most ?? 100_000)
    let stated = schema.standard.flatMap { Int($0) }
    return (min(max(stated ?? 30, least), most ?? 100_000), most)
  }
}

extension EndpointSchema {
  /// Whether its values are JSON numbers or booleans rather than strings.
  fileprivate var isLiteral: Bool { isNumber || kind == .boolean }
}

extension DescribedSource {
  func document(id: String, title: String) -> String {
    var parts = [head(id: id, title: title)]
    if endpoint.searchParameter != nil, !isQueryRequired { parts.append("[input]\nmin_length = 0\n") }
    if let parent { parts.append(parent) }
    parts.append(request)
    parts += options.map(table)
    if let tables = given?.tables {
      parts.append(tables)
    } else if let authorization = endpoint.authorization {
      parts.append(authorization.table(endpoint.service))
    }
    parts += secrets.map {
      "[secrets.\($0)]\nfrom = [\"env:\(endpoint.service)_\($0.uppercased())\"]\n"
    }
    parts += [pagination, response.table(guess.trial)] + response.columns.map(\.table)
    return parts.joined(separator: "\n")
  }

  /// A comment that suggests another list, which may have the values of an option, as the parent.
  private var parent: String? {
    guard let parent = endpoint.parent else { return nil }
    let lines = [
      "{\(parent.parameter)} may be the \(parent.key) of the rows of \(parent.path). With a source of them:",
      "[parent]", "source = \(TOMLText.string(parentID))", "name = \(TOMLText.string(parent.parameter))",
      "value = \(TOMLText.string(parent.key))",
    ]
    return lines.map(TOMLText.comment).joined(separator: "\n") + "\n"
  }

  private var request: String {
    var request = RequestTables()
    if endpoint.method != "GET" { request.lines.append("method = \(TOMLText.string(endpoint.method))") }
    request.lines.append("url = \(TOMLText.string(url))")
    if endpoint.searchParameter == nil {
      request.lines.append(
        TOMLText.comment("No parameter is described as a search text, so the source takes no query."))
    }
    if endpoint.method != "GET" {
      request.lines.append(
        endpoint.isSafe
          ? "safe = true" : "# safe = true   # if the request only reads, so that it may be repeated")
    }
    if endpoint.body?.type == .form { request.lines.append("body_type = \"form\"") }
    if endpoint.body?.constants.contains(where: \.isList) == true {
      request.lines.append(TOMLText.comment("The lists of the body are required, and empty is a guess."))
    }
    for (name, fields) in [("params", parameters), ("headers", headers)] {
      request.add(name, fields.map { Named(name: $0.name, value: TOMLText.string($0.template)) })
    }
    if case .table(let members) = body {
      request.add("body", members.map { Named(name: $0.name, value: $0.value.inline) })
    }
    return request.text
  }

  private func table(_ option: EndpointOption) -> String {
    var lines = ["[options.\(TOMLText.key(option.name))]"] + texts(["title": option.title])
    let written = { option.isLiteral ? $0 : TOMLText.string($0) }
    if !option.values.isEmpty {
      lines.append("values = [\(option.values.map(written).joined(separator: ", "))]")
    }
    if let standard = option.standard { lines.append("default = \(written(standard))") }
    if option.isLiteral, option.values.isEmpty, option.standard == nil {
      lines.append("# default = 1   # a number or boolean here is sent as one, not as a text")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var pagination: String {
    guess.table(
      at: guess.parameter.map { endpoint.position($0)?.slot ?? .query($0) },
      sizeLine: endpoint.pageSize.map { parameter in
        let sizes = parameter.sizes(largestPage: largestPage)
        return parameter.slot.sizeLine(sizes.standard, most: sizes.most)
      }, remarks: remarks, isDoubtful: isDoubtful)
  }
}
