/// The request of a source (`[request]`): values are inserted into a template, never concatenated.
package struct Endpoint: Sendable, Hashable {
  /// A parameter or header, in document order. Several parameters may have the same name.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: Template

    package init(name: String, value: Template) {
      self.name = name
      self.value = value
    }
  }

  /// Parts of the request that are added if the query or an option is not empty (`[request.when.NAME]`).
  package struct Addition: Sendable, Hashable {
    /// `query`, or the name of an option.
    package var name: String
    package var parameters: [Field]
    package var headers: [Field]
    package var body: RequestBody?

    package init(
      name: String, parameters: [Field] = [], headers: [Field] = [], body: RequestBody? = nil
    ) {
      self.name = name
      self.parameters = parameters
      self.headers = headers
      self.body = body
    }
  }

  package var method: HTTPMethod
  package var url: Template
  package var parameters: [Field]
  package var headers: [Field]
  package var body: RequestBody?
  package var additions: [Addition]
  /// Whether the request only reads, so that it may be retried and prefetched.
  package var isSafe: Bool
  /// The time limit of the whole exchange, headers and body; nil for the limit in the settings.
  package var timeout: Duration?

  /// - Parameter isSafe: If nil, every method except POST is safe.
  package init(
    method: HTTPMethod = .get, url: Template, parameters: [Field] = [], headers: [Field] = [],
    body: RequestBody? = nil, additions: [Addition] = [], isSafe: Bool? = nil, timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.parameters = parameters
    self.headers = headers
    self.body = body
    self.additions = additions
    self.isSafe = isSafe ?? (method != .post)
    self.timeout = timeout
  }

  /// The request for these values: includes the additions that apply, which replace fields with the same
  /// names.
  func applying(_ values: PlaceholderValues) -> Endpoint {
    var result = self
    for addition in additions where values(addition.name)?.isEmpty == false {
      result.parameters.replace(with: addition.parameters) { $0 == $1 }
      result.headers.replace(with: addition.headers) { $0.lowercased() == $1.lowercased() }
      if let body = addition.body { result.body = (result.body ?? .empty).overlaid(by: body) }
    }
    return result
  }
}

extension Endpoint {
  /// All texts with placeholders, including those of the additions.
  var templates: [Template] {
    let fields = parameters + headers + additions.flatMap { $0.parameters + $0.headers }
    let bodies = [body] + additions.map(\.body)
    return [url] + fields.map(\.value) + bodies.flatMap { $0?.templates ?? [] }
  }
}

extension [Endpoint.Field] {
  fileprivate mutating func replace(with others: Self, sameName: (String, String) -> Bool) {
    removeAll { field in others.contains { sameName($0.name, field.name) } }
    self += others
  }
}
