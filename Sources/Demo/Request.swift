package import HTTPValues

/// The parts of a request that the API uses.
package struct Request: Sendable {
  package let method: String
  /// The requested URL on this server.
  package var url: WebURL
  package let body: [UInt8]
  /// How the rows are divided into pages.
  package var paging = Paging.regular

  /// The maximum length of a body, in bytes.
  static let bodyLimit = 64 << 10

  /// Limits the numbers in a request, so that computing with them cannot overflow.
  package static let largestNumber = 1_000_000_000

  /// - Parameters:
  ///   - target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form for this
  ///     server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
  ///   - baseURL: The server's own base URL: `"http://127.0.0.1:8080"`.
  package init(
    method: String = "GET", target: String, baseURL: String, body: [UInt8] = []
  ) throws(Refusal) {
    guard let base = try? WebURL(baseURL), let url = try? base.resolving(target), url.origin == base.origin
    else { throw Refusal(400, "'\(target)' is not a URL of \(baseURL)") }
    guard body.count <= Self.bodyLimit else {
      throw Refusal(413, "the body must have at most \(Self.bodyLimit) bytes")
    }
    self.method = method
    self.url = url
    self.body = body
  }

  /// The first value of a query parameter.
  package subscript(name: String) -> String? { url.queryItems.first { $0.name == name }?.value }

  /// The first value of a query parameter as a number, limited to `most`; `standard` if it is absent or
  /// empty.
  package func number(
    _ name: String, from least: Int, to most: Int = largestNumber, standard: Int
  ) throws(Refusal) -> Int {
    guard let text = self[name], !text.isEmpty else { return standard }
    guard let number = Int(text), number >= least else {
      throw Refusal(422, "\(name) must be a whole number from \(least), but is '\(text)'")
    }
    return min(number, most)
  }

  /// The URL of this request with one parameter changed.
  package func url(setting name: String, to value: String) -> WebURL {
    var url = url
    url.setQueryItem(name: name, value: value)
    return url
  }
}
