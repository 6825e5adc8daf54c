/// What a run sends beside query and position; fixed for the whole run (rules 10, 19).
package struct RunContext: Sendable {
  /// Rows asked for per page; nil leaves it to the service.
  package var pageSize: Int?
  package var credential: PlacedCredential?
  /// Addresses that stand for an option's value: the name of the embedded server for where it listens.
  package var addresses: [String: String]
  /// Sent as `User-Agent`, and what `{app}` and `{version}` stand for.
  package var app: String
  package var version: String

  package init(
    pageSize: Int? = nil, credential: PlacedCredential? = nil, addresses: [String: String] = [:],
    app: String = "riffle", version: String = "0"
  ) {
    self.pageSize = pageSize
    self.credential = credential
    self.addresses = addresses
    self.app = app
    self.version = version
  }
}

extension Source {
  /// The request of a page as a value.
  ///
  /// - Throws: `PageError` of kind `unaskable` when an option is missing or wrong, or the address that
  ///   results is none.
  package func request(for page: PageRequest, in run: RunContext) throws(PageError) -> HTTPRequest {
    var draft = RequestDraft()
    pagination.style.apply(page.position, to: &draft)
    if let size = run.pageSize { pagination.settings.size.apply(size, to: &draft) }
    let values = try PlaceholderValues(source: self, query: page.query, run: run)
    let base = try address(values)
    let headers = try headerFields(values, run, extra: draft.headers)
    let url = draft.target ?? withParameters(base, values, draft.parameters)
    return HTTPRequest(
      method: endpoint.method, url: url, headers: headers, isSafe: endpoint.isSafe,
      credential: url.origin == base.origin ? run.credential : nil, allowedHosts: pagination.settings.hosts)
  }

  /// Where requests of a query go, whatever a reply says; nil when they cannot be made.
  func origin(for query: Query, in run: RunContext) -> Origin? {
    guard let values = try? PlaceholderValues(source: self, query: query, run: run) else { return nil }
    return (try? address(values))?.origin
  }

  private func address(_ values: PlaceholderValues) throws(PageError) -> WebURL {
    let text = endpoint.url.filled(values.callAsFunction) { value, placeholder in
      if values.isBase(placeholder.name) { return value.hasSuffix("/") ? String(value.dropLast()) : value }
      return placeholder.keepsSlashes
        ? PercentEncoding.encodedPath(value) : PercentEncoding.encoded(value)
    }
    do { return try WebURL(text ?? "") } catch {
      throw PageError(
        .unaskable, message: "the address of source \(id) cannot be used: \(error)",
        remedy: "correct request.url, or the option it takes")
    }
  }

  private func withParameters(
    _ base: WebURL, _ values: PlaceholderValues, _ extra: [RequestDraft.Item]
  ) -> WebURL {
    var url = base
    for parameter in endpoint.parameters {
      if let value = parameter.value.filled(values.callAsFunction) {
        url.setQueryItem(name: parameter.name, value: value)
      }
    }
    for field in extra { url.setQueryItem(name: field.name, value: field.value) }
    return url
  }

  private func headerFields(
    _ values: PlaceholderValues, _ run: RunContext, extra: [RequestDraft.Item]
  ) throws(PageError) -> HTTPFields {
    var fields: HTTPFields = []
    let declared = endpoint.headers.compactMap { header in
      header.value.filled(values.callAsFunction).map { RequestDraft.Item(name: header.name, value: $0) }
    }
    let standard = [
      RequestDraft.Item(name: "Accept", value: "application/json, */*;q=0.1"),
      RequestDraft.Item(name: "User-Agent", value: "\(run.app)/\(run.version)"),
    ]
    for item in standard + declared + extra {
      do { fields.set(try HTTPField(name: item.name, value: item.value)) } catch {
        throw PageError(.unaskable, message: "header \(item.name) of source \(id): \(error)")
      }
    }
    return fields
  }
}

/// What the placeholders of a request stand for.
struct PlaceholderValues {
  private var values: [String: String]
  private let baseNames: Set<String>

  init(source: Source, query: Query, run: RunContext) throws(PageError) {
    values = [
      "query": query.text, "app": run.app, "version": run.version, "homepage": source.homepage ?? "",
    ]
    if let size = run.pageSize { values["page_size"] = String(size) }
    for option in source.options {
      guard let value = query.options[option.name] ?? option.defaultValue else {
        throw PageError(
          .unaskable, message: "source \(source.id) needs the option \(option.name)",
          remedy: "add --set \(option.name)=…")
      }
      guard option.accepts(value) else {
        throw PageError(
          .unaskable, message: "option \(option.name) of source \(source.id) may not be \"\(value)\"",
          remedy: "choose one of \(option.values.joined(separator: ", "))")
      }
      values[option.name] = run.addresses[value] ?? value
    }
    baseNames = source.endpoint.url.leadingName.map { [$0] } ?? []
  }

  func callAsFunction(_ name: String) -> String? { values[name] }

  /// Whether the name stands for scheme and host; its value is put in as it is.
  func isBase(_ name: String) -> Bool { baseNames.contains(name) }
}

extension Template {
  /// The name of the placeholder the text begins with.
  var leadingName: String? {
    if case .placeholder(let placeholder)? = pieces.first { placeholder.name } else { nil }
  }
}
