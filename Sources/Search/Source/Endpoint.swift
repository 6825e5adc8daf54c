/// The request of a source (`[request]`): values are placed into a template, never concatenated.
package struct Endpoint: Sendable, Hashable {
  /// A parameter or header in the order of the document.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: Template

    package init(name: String, value: Template) {
      self.name = name
      self.value = value
    }
  }

  package var method: HTTPMethod
  package var url: Template
  package var parameters: [Field]
  package var headers: [Field]
  /// The whole exchange, head and body; nil leaves it to the settings.
  package var timeout: Duration?

  package init(
    method: HTTPMethod = .get, url: Template, parameters: [Field] = [], headers: [Field] = [],
    timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.parameters = parameters
    self.headers = headers
    self.timeout = timeout
  }

  /// Whether a request may be sent again.
  package var isSafe: Bool { method != .post }
}
