/// The parts of a request that the API uses.
struct Request: Sendable, Equatable {
  var method: String
  /// As sent; the paths of the API are ASCII.
  var path: String
  var query: Query
  var body: [UInt8] = []
  /// The server's own base URL: `"http://127.0.0.1:8080"`.
  var baseURL: String
  /// The base URL of absolute links in the reply; a fault may change it.
  var linkBase: String
  /// How the rows are divided into pages; a fault may change it.
  var paging = Paging.regular
  /// In seconds since 1970.
  var time = 0
  /// The number of this request in its sequence, from 1; see `runID`.
  var number = 1

  /// - Parameter target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form
  ///   for this server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
  init(method: String = "GET", target: String, baseURL: String) {
    let origin = target.hasPrefix(baseURL + "/") ? target.dropFirst(baseURL.count) : target[...]
    let path = origin.prefix { $0 != "?" }
    self.method = method
    self.path = String(path)
    self.query = Query(parsing: origin.dropFirst(path.count + 1))
    self.baseURL = baseURL
    self.linkBase = baseURL
  }

  /// The absolute URL of this request with one parameter changed.
  func url(setting name: String, to value: String) -> String {
    "\(linkBase)\(path)?\(query.setting(name, to: value).text)"
  }

  /// The common identity of all requests of one search, by which a fault applies to some of them by their
  /// number; nil without a fault. A different `run`, with any value, starts a new sequence.
  var runID: String? {
    guard let fault = query["fault"], !fault.isEmpty else { return nil }
    let parts = ["q", "fault", "from", "times", "every", "run"].map { query[$0] ?? "" }
    return ([path] + parts.map(PercentEncoding.encoded)).joined(separator: "&")
  }
}
