package import HTTPValues
package import JSON

/// A user's query of a source.
package struct Query: Sendable, Hashable {
  package var text: String
  /// Chosen options by name; the others have their defaults.
  package var options: [String: String]
  /// The parent row of a nested list; nil if there is none, or only its value is known.
  package var parent: ParentRow?

  package init(_ text: String = "", options: [String: String] = [:]) {
    self.text = text
    self.options = options
  }
}

/// The page that a session wants now. Every response identifies its request; a response to any request other than
/// the current one is dropped.
package struct PageRequest: Sendable, Hashable {
  package var query: Query
  package var position: Position
  /// Incremented by a new query and by a refresh.
  package var generation: Int
  /// 0 for the first attempt.
  package var attempt = 0
  /// The list of the page; nil in a run of a single list.
  package var list: ListID?
  /// The version of the page that the session still has; nil if it needs the page in any case.
  package var validators: Validators?
  /// The number of rows to request; nil for the page size of the run.
  package var pageSize: Int?
}

/// A list in a run of several.
package struct ListID: Sendable, Hashable {
  /// The number of parents above the list.
  package var level: Int
  /// The number of the list, from 0, in the order in which the lists of the run are opened.
  package var number: Int
}

extension PageRequest {
  /// Creates a request for the first page of a source, outside a session.
  package init(first source: Source, _ query: Query) {
    self.init(query: query, position: source.pagination.style.first, generation: 0)
  }
}

/// The values that a run sends in addition to query and position; fixed for the whole run (rules 10, 19).
package struct RunContext: Sendable {
  /// The number of rows to request per page; nil if the service chooses it.
  package var pageSize: Int?
  package var credentials = ResolvedCredentials()
  /// When the authorization should be renewed, in seconds since 1970; nil if only after it was rejected.
  package var renewalTime: Double?
  /// Whether the authorization was obtained by another run, and no request of this one has been made with it.
  package var isAuthorizationFound = false
  /// URLs for option values: the name of the embedded server is replaced by its URL.
  package var addresses: [String: String] = [:]
  /// Rows that do not match are left out when a page is read; nil if all match.
  package var filter: RowFilter?
  /// The start of the run in seconds since 1970, from which `{today}` and `{now}` are counted.
  package var startedAt = 0.0
  /// Sent as `User-Agent`; the value of `{app}` and `{version}`.
  package var app = "riffle"
  package var version = "0"
}

extension RunContext {
  package init(pageSize: Int?, version: String) {
    self.pageSize = pageSize
    self.version = version
  }

  /// The same values with the page size of a request, if it has its own.
  func with(_ pageSize: Int?) -> RunContext {
    var context = self
    context.pageSize = pageSize ?? self.pageSize
    return context
  }
}

extension Source {
  /// The credentials that a request to this origin was sent with: none if it is not the source's own.
  func credentials(of run: RunContext, sentTo origin: Origin, _ query: Query) -> ResolvedCredentials {
    if let own = self.origin(options: query.options, addresses: run.addresses), own != origin {
      return ResolvedCredentials(absence: "the credential of source \(id) is sent to \(own) only")
    }
    return run.credentials
  }
}

extension Source {
  /// The request for a page, as a value.
  ///
  /// - Parameter target: Requested in place of the endpoint, or of the link that the page is known by.
  /// - Throws: `PageError` of kind `invalidRequest` if an option is missing or invalid, or the URL is.
  package func request(
    for page: PageRequest, at target: WebURL? = nil, in run: RunContext
  ) throws(PageError) -> HTTPRequest {
    let run = run.with(page.pageSize)
    var draft = RequestDraft()
    pagination.apply(page.position, pageSize: run.pageSize, to: &draft)
    var values: PlaceholderValues
    do { values = try PlaceholderValues(source: self, query: page.query, run: run) } catch {
      var error = PageError(.invalidRequest, message: error.message, remedy: error.remedy)
      error.isAboutOption = true
      throw error
    }
    if let position = draft.placeholder {
      values.add(pagination.values(of: position, pageSize: run.pageSize))
    }
    if let part = page.position.part { split?.apply(part, values.callAsFunction, to: &draft) }
    let base = try address(values)
    var wanted = endpoint.applying(values)
    wanted.body = try body(of: wanted, draft.body)
    let body = wanted.body?.text(wanted.bodyType, values)
    let headers = try headerFields(wanted, values, run, draft.headers, hasBody: body != nil)
    var url = target ?? draft.target ?? wanted.address(base, values, draft.parameters)
    if target == nil, draft.target != nil, url.origin == base.origin {
      url = wanted.completing(url, with: wanted.linkParameters, values)
    }
    let credentials = wanted.credentials(run.credentials, values)
    for credential in credentials {
      let value = credential.secret.reveal()
      switch credential.place {
      case .header(let name): _ = try headerField(name, value)
      case .member, .field: break
      // A service may repeat a key in its links; the transport adds it again where it is allowed.
      case .query(let name):
        if url.queryItems.contains(where: { $0.name == name && $0.value == value }) {
          url.removeQueryItems(named: name)
        }
      }
    }
    let isAtHome = url.origin == base.origin
    var fields = isAtHome ? headers : headers.withoutCredentials
    if target == nil, endpoint.method == .get, let condition = page.validators?.condition {
      fields.set(try headerField(condition.name, condition.value))
    }
    return HTTPRequest(
      method: endpoint.method, url: url, headers: fields,
      body: Array((body ?? "").utf8),
      confidentialBody: isAtHome ? wanted.confidentialBody(run.credentials, values) : nil,
      isSafe: endpoint.isSafe, credentials: isAtHome ? credentials : [],
      allowedHosts: pagination.settings.hosts, home: base.origin)
  }

  /// The origin of requests for a query, before any response; nil if no request can be created.
  func origin(for query: Query, in run: RunContext) -> Origin? {
    guard let values = try? PlaceholderValues(source: self, query: query, run: run) else { return nil }
    return (try? address(values))?.origin
  }

  /// The body with the values of the pagination; nil if there is none.
  private func body(
    of wanted: Endpoint, _ items: [RequestDraft.BodyItem]
  ) throws(PageError) -> RequestBody? {
    if wanted.body == nil, items.isEmpty { return nil }
    guard items.allSatisfy({ $0.path.count <= RequestBody.deepest }) else {
      throw PageError(
        .invalidRequest, message: "the pagination of source \(id) nests a value too deeply in the body",
        remedy: "use at most \(RequestBody.deepest) levels")
    }
    return items.reduce(wanted.body ?? .empty) { $0.setting($1.value, at: $1.path) }
  }

  private func headerFields(
    _ wanted: Endpoint, _ values: PlaceholderValues, _ run: RunContext, _ extra: [RequestDraft.Item],
    hasBody: Bool
  ) throws(PageError) -> HTTPFields {
    var items = [
      RequestDraft.Item(name: "Accept", value: "application/json, */*;q=0.1"),
      RequestDraft.Item(name: "User-Agent", value: "\(run.app)/\(run.version)"),
    ]
    if hasBody { items.append(RequestDraft.Item(name: "Content-Type", value: wanted.bodyType.contentType)) }
    items += wanted.headers.filter { !$0.value.hasSecrets }.compactMap { header in
      header.value.filled(values.callAsFunction).map { RequestDraft.Item(name: header.name, value: $0) }
    }
    var fields: HTTPFields = []
    for item in items + extra { fields.set(try headerField(item.name, item.value)) }
    return fields
  }

  private func headerField(_ name: String, _ value: String) throws(PageError) -> HTTPField {
    do { return try HTTPField(name: name, value: value) } catch {
      throw PageError(.invalidRequest, message: "source \(id): \(error)")
    }
  }
}

/// The request for one page before it is built. A style puts its position here.
package struct RequestDraft: Sendable, Hashable {
  /// If set, replaces the URL, its parameters, and its path: a link is followed unchanged (rule 16).
  package var target: WebURL?
  /// Query parameters that replace those with the same name.
  package var parameters: [Item] = []
  package var headers: [Item] = []
  /// Values for the body; they override the values that the source puts there.
  package var body: [BodyItem] = []
  /// The position, if `[request]` has a placeholder for it.
  package var placeholder: JSONToken?

  /// A name and a value, not yet encoded or validated.
  package typealias Item = Named<String>

  /// A value, and the field names that lead to its location in the body.
  package struct BodyItem: Sendable, Hashable {
    package let path: [String]
    package let value: JSONToken
  }

  /// Puts a value into the slot. A value that a query or a header cannot carry is left out.
  package mutating func put(_ value: JSONToken, into slot: Slot) {
    switch slot {
    case .query(let name): if let text = value.text { parameters.append(Item(name: name, value: text)) }
    case .header(let name): if let text = value.text { headers.append(Item(name: name, value: text)) }
    case .body(let path): body.append(BodyItem(path: path, value: value))
    case .placeholder: placeholder = value
    }
  }
}

extension Endpoint {
  /// The URL with the parameters that contain no secret. Parameters of the same name stay together.
  fileprivate func address(
    _ base: WebURL, _ values: PlaceholderValues, _ extra: [RequestDraft.Item]
  ) -> WebURL {
    var url = base
    var names: Set<String> = []
    for parameter in parameters where !parameter.value.hasSecrets {
      guard let value = parameter.value.filled(values.callAsFunction) else { continue }
      if names.insert(parameter.name).inserted {
        url.setQueryItem(name: parameter.name, value: value)
      } else {
        url.appendQueryItem(name: parameter.name, value: value)
      }
    }
    for item in extra { url.setQueryItem(name: item.name, value: item.value) }
    return url
  }

  /// A link with the parameters that it lacks.
  fileprivate func completing(_ link: WebURL, with parameters: [Field], _ values: PlaceholderValues) -> WebURL
  {
    let known = Set(link.queryItems.map(\.name))
    var url = link
    for parameter in parameters where !parameter.value.hasSecrets && !known.contains(parameter.name) {
      guard let value = parameter.value.filled(values.callAsFunction) else { continue }
      url.appendQueryItem(name: parameter.name, value: value)
    }
    return url
  }

  /// The secrets of the run, with their places in this request.
  fileprivate func credentials(_ run: ResolvedCredentials, _ values: PlaceholderValues) -> [PlacedCredential]
  {
    parameters.compactMap { $0.credential(at: .query($0.name), run, values) }
      + headers.compactMap { $0.credential(at: .header($0.name), run, values) }
      + bodyCredentials(run, values) + [run.authorization].compactMap(\.self)
  }

  private func bodyCredentials(_ run: ResolvedCredentials, _ values: PlaceholderValues) -> [PlacedCredential]
  {
    (body?.fields(bodyType) ?? []).compactMap {
      $0.credential(at: bodyType.place(of: $0.name), run, values)
    }
  }

  /// The body with its secrets; nil if it contains none.
  fileprivate func confidentialBody(_ run: ResolvedCredentials, _ values: PlaceholderValues) -> Secret? {
    let contained = bodyCredentials(run, values).map(\.secret)
    guard let body, !contained.isEmpty else { return nil }
    var values = values
    values.secrets = run.secrets.mapValues(\.secret)
    return Secret(body.text(bodyType, values), containing: contained)
  }
}

extension Endpoint.Field {
  /// The value with its secrets inserted; nil if it has none, or one of them is missing.
  fileprivate func credential(
    at place: PlacedCredential.Place, _ run: ResolvedCredentials, _ values: PlaceholderValues
  ) -> PlacedCredential? {
    guard value.hasSecrets,
      let secret = Secret(filling: value, { run.secrets[$0]?.secret }, values.callAsFunction)
    else { return nil }
    let places = value.placeholders.compactMap { $0.secretName.flatMap { run.secrets[$0]?.provenance } }
    return PlacedCredential(place: place, secret: secret, provenance: places.joined(separator: ", "))
  }
}

extension Source {
  /// The URL of a request with its placeholders filled in, without parameters.
  ///
  /// - Throws: If a value would change the path's structure, or the result is not a URL.
  func address(_ values: PlaceholderValues) throws(PageError) -> WebURL {
    try checkPath(values)
    do { return try WebURL(addressText { values($0) }) } catch {
      throw PageError(
        .invalidRequest, message: "source \(id) has an \(error)",
        remedy: "correct request.url or the option in it")
    }
  }

  /// The origin of requests with these options; nil if an option is missing or its value is not a URL.
  ///
  /// - Parameter addresses: URLs for option values, as in `RunContext`.
  package func origin(options chosen: [String: String], addresses: [String: String] = [:]) -> Origin? {
    let text = addressText { name in
      guard let option = options.first(where: { $0.name == name }) else { return "x" }
      return option.value(chosen, addresses) ?? addresses[""] ?? ""
    }
    return (try? WebURL(text))?.origin
  }

  private func addressText(_ value: (String) -> String?) -> String {
    let text = endpoint.url.filled(value) { value, placeholder in
      if placeholder.name == endpoint.url.baseName {
        return value.withoutLastSlash
      }
      return placeholder.keepsSlashes ? PercentEncoding.encodedPath(value) : PercentEncoding.encoded(value)
    }
    return text ?? ""
  }

  /// Throws if an empty value or a dot segment would change what the path refers to.
  private func checkPath(_ values: PlaceholderValues) throws(PageError) {
    let placeholders = endpoint.url.addressPlaceholders.filter { $0.part == .path }.map(\.placeholder)
    if placeholders.isEmpty { return }
    if let empty = placeholders.first(where: { values($0.name)?.isEmpty ?? true }) {
      throw PageError(
        .invalidRequest, message: "{\(empty.name)} is empty, but required in the path of source \(id)",
        remedy: empty.name == "query" ? "type a query" : "add --set \(empty.name)=…")
    }
    // A base URL may have a path; only the part after it is checked.
    let text = addressText { $0 == endpoint.url.baseName ? "" : values($0) }
    let segments = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      .split(separator: UInt8(ascii: "/"))
    if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
      let names = placeholders.map { "{\($0.name)}" }.joined(separator: " and ")
      throw PageError(
        .invalidRequest, message: "\(names) would put . or .. into the path of source \(id)",
        remedy: "choose another value")
    }
  }
}

/// The values of the placeholders of a request.
struct PlaceholderValues: Sendable {
  /// The secrets to insert; empty for text that is shown.
  var secrets: [String: Secret] = [:]
  private var values: [String: String] = [:]
  private var kinds: [String: SourceOption.Kind] = [:]
  private var positions: [String: JSONToken] = [:]
  private let startedAt: Double

  /// - Throws: If an option is missing or its value is not allowed.
  init(source: Source, query: Query, run: RunContext) throws(OptionError) {
    startedAt = run.startedAt
    for (name, value) in try source.optionValues(query.options) {
      values[name] = run.addresses[value] ?? value
    }
    for option in source.options { kinds[option.name] = option.kind }
    values["query"] = query.text
    values["app"] = run.app
    values["version"] = run.version
    values["homepage"] = source.homepage
    if let size = run.pageSize {
      values["page_size"] = String(size)
      kinds["page_size"] = .number
    }
  }

  mutating func add(_ positions: [String: JSONToken]) { self.positions = positions }

  func callAsFunction(_ name: String) -> String? {
    positions[name]?.text ?? values[name] ?? RelativeDate(name)?.text(from: startedAt)
  }

  /// A template with its values; nil if an optional value, or a secret, is missing.
  func text(of template: Template) -> String? {
    Secret(filling: template, { secrets[$0] }, callAsFunction)?.reveal()
  }

  /// The value as JSON, with a number or boolean as written; nil if there is none.
  func token(_ name: String) -> JSONToken? {
    positions[name]
      ?? self(name).map { kinds[name] ?? .text == .text ? JSONToken($0) : JSONToken(literal: $0) }
  }
}

extension Secret {
  /// A template with secrets inserted, `Token {secret:key}`; nil if one, or an optional value, is missing.
  init?(filling template: Template, _ secret: (String) -> Secret?, _ value: (String) -> String?) {
    let names = template.placeholders.compactMap(\.secretName)
    let secrets = names.compactMap(secret)
    guard secrets.count == names.count else { return nil }
    let text = template.filled { name in
      name.hasPrefix("secret:") ? secret(String(name.dropFirst(7)))?.reveal() : value(name)
    }
    guard let text else { return nil }
    self.init(text, containing: secrets)
  }
}
