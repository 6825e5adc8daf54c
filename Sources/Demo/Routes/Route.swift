/// One address of the API.
struct Route: Sendable {
  /// What to ask by.
  enum Method: Sendable {
    case get, post

    var names: [String] { self == .get ? ["GET", "HEAD"] : ["POST"] }
  }

  /// A request to try the route with.
  struct Example: Sendable {
    /// The query with its question mark, or "".
    var query: String
    var body: String?

    init(_ query: String, body: String? = nil) {
      self.query = query
      self.body = body
    }
  }

  let path: String
  /// The path and further ones of the same route.
  let paths: [String]
  let method: Method
  /// One line for people, with the parameters.
  let summary: String
  let example: Example
  /// What a source document for the route says from the line after `url` on, in TOML.
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

  /// The lines of a source document by which riffle pages through the route.
  func document(baseURL: String) -> [String] {
    let id = "demo" + path.replacing("/", with: "-")
    let head = ["schema = 1", "id = '\(id)'", "[request]", "url = '\(baseURL)\(path)'"]
    return head + settings.split(separator: "\n").map(String.init)
  }

  /// Every route but the list of them; to add one, write its file and enter it here.
  static let listed: [Route] = [
    pages, pagesFromZero, offset, cursor, cursorInHeader, keyset, inclusiveKeyset, searchAfter, link,
    linkInBody, relativeLink, queryLink, merge, graphQL, mapRows, columnRows, scalarRows, single,
  ]

  static let all = [index] + listed
}
