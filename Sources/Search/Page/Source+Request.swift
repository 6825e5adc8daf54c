extension Source {
  /// The request for a page, as a value.
  ///
  /// - Throws: `PageError` of kind `invalidRequest` if an option is missing or invalid, or the resulting URL is
  ///   invalid.
  package func request(for page: PageRequest, in run: RunContext) throws(PageError) -> HTTPRequest {
    var draft = RequestDraft()
    pagination.style.apply(page.position, to: &draft)
    if let size = run.pageSize { pagination.settings.size.apply(size, to: &draft) }
    let values: PlaceholderValues
    do { values = try PlaceholderValues(source: self, query: page.query, run: run) } catch {
      throw PageError(.invalidRequest, message: error.message, remedy: error.remedy)
    }
    let base = try address(values)
    let wanted = endpoint.applying(values)
    let body = try body(of: wanted, values, draft.body)
    let headers = try headerFields(wanted, values, run, draft.headers, hasBody: body != nil)
    var url = draft.target ?? wanted.address(base, values, draft.parameters)
    let credentials = wanted.credentials(run.credentials, values)
    for credential in credentials {
      try check(credential)
      // A service may repeat a key in its links; the transport adds it again where it is allowed.
      url.remove(credential)
    }
    let isAtHome = url.origin == base.origin
    return HTTPRequest(
      method: endpoint.method, url: url, headers: isAtHome ? headers : headers.withoutCredentials,
      body: body ?? [],
      isSafe: endpoint.isSafe, credentials: isAtHome ? credentials : [],
      allowedHosts: pagination.settings.hosts, home: base.origin)
  }

  /// The origin of requests for a query, independent of any reply; nil if no request can be created.
  func origin(for query: Query, in run: RunContext) -> Origin? {
    guard let values = try? PlaceholderValues(source: self, query: query, run: run) else { return nil }
    return (try? address(values))?.origin
  }

  /// The body with the values of the pagination; nil if there is none.
  private func body(
    of wanted: Endpoint, _ values: PlaceholderValues, _ items: [RequestDraft.BodyItem]
  ) throws(PageError) -> [UInt8]? {
    if wanted.body == nil, items.isEmpty { return nil }
    guard items.allSatisfy({ $0.path.count <= RequestBody.deepest }) else {
      throw PageError(
        .invalidRequest, message: "the pagination of source \(id) nests a value too deeply in the body",
        remedy: "use at most \(RequestBody.deepest) levels")
    }
    let whole = items.reduce(wanted.body ?? .empty) { $0.setting($1.value, at: $1.path) }
    return Array((whole.json(values) ?? "{}").utf8)
  }

  private func headerFields(
    _ wanted: Endpoint, _ values: PlaceholderValues, _ run: RunContext, _ extra: [RequestDraft.Item],
    hasBody: Bool
  ) throws(PageError) -> HTTPFields {
    var items = [
      RequestDraft.Item(name: "Accept", value: "application/json, */*;q=0.1"),
      RequestDraft.Item(name: "User-Agent", value: "\(run.app)/\(run.version)"),
    ]
    if hasBody { items.append(RequestDraft.Item(name: "Content-Type", value: "application/json")) }
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

  private func check(_ credential: PlacedCredential) throws(PageError) {
    if case .header(let name) = credential.place { _ = try headerField(name, credential.secret.reveal()) }
  }
}

extension Endpoint {
  /// The URL with the parameters that contain no secret; parameters of the same name are kept together.
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

  /// The secrets of the run, with their places in this request.
  fileprivate func credentials(_ run: Credentials, _ values: PlaceholderValues) -> [PlacedCredential] {
    let own =
      parameters.compactMap { $0.credential(at: .query($0.name), run, values) }
      + headers.compactMap { $0.credential(at: .header($0.name), run, values) }
    return own + [run.authorization].compactMap(\.self)
  }
}

extension Endpoint.Field {
  /// The value with its secrets inserted; nil if it has none, or one of them is missing.
  fileprivate func credential(
    at place: PlacedCredential.Place, _ run: Credentials, _ values: PlaceholderValues
  ) -> PlacedCredential? {
    guard value.hasSecrets,
      let secret = Secret(filling: value, { run.secrets[$0]?.secret }, values.callAsFunction)
    else { return nil }
    let places = value.placeholders.compactMap { $0.secretName.flatMap { run.secrets[$0]?.provenance } }
    return PlacedCredential(place: place, secret: secret, provenance: places.joined(separator: ", "))
  }
}

extension WebURL {
  /// Removes the parameter that repeats a credential.
  fileprivate mutating func remove(_ credential: PlacedCredential) {
    guard case .query(let name) = credential.place,
      queryItems.contains(where: { $0.name == name && $0.value == credential.secret.reveal() })
    else { return }
    removeQueryItems(named: name)
  }
}
