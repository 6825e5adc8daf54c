/// An endpoint of the API.
struct Route: Sendable {
  /// The HTTP method.
  enum Method: Sendable {
    case get, post

    var names: [String] { self == .get ? ["GET", "HEAD"] : ["POST"] }
  }

  /// An example request for the route.
  struct Example: Sendable {
    /// The query including its question mark, or "".
    var query: String
    var body: String?

    init(_ query: String, body: String? = nil) {
      self.query = query
      self.body = body
    }
  }

  let path: String
  /// The path, and the alternative paths of the same route.
  let paths: [String]
  let method: Method
  /// A one-line description, including the parameters.
  let summary: String
  let example: Example
  /// The part of a source document for the route after the line with `url`, in TOML.
  private let settings: String
  private let handler: @Sendable (Request) throws(Refusal) -> Reply

  init(
    _ path: String, also aliases: [String] = [], method: Method = .get, summary: String, example: Example,
    settings: String,
    handler: @escaping @Sendable (Request) throws(Refusal) -> Reply
  ) {
    self.path = path
    paths = [path] + aliases
    self.method = method
    self.summary = summary
    self.example = example
    self.settings = settings
    self.handler = handler
  }

  func reply(to request: Request) throws(Refusal) -> Reply { try handler(request) }

  /// The lines of a source document that lets riffle page through the route.
  func document(baseURL: String) -> [String] {
    let id = "demo" + path.replacing("/", with: "-")
    let head = ["schema = 1", "id = '\(id)'", "[request]", "url = '\(baseURL)\(path)'"]
    return head + settings.split(separator: "\n").map(String.init)
  }

  /// All routes except the index. To add one, write its file and add it here.
  static let listed: [Route] = [
    pages, pagesFromZero, offset, cursor, cursorInHeader, keyset, inclusiveKeyset, searchAfter, link,
    linkInBody, relativeLink, queryLink, merge, graphQL, mapRows, columnRows, scalarRows, single,
  ]

  static let all = [index] + listed
}
