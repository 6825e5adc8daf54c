/// What the API reads of a request.
struct Request: Sendable, Equatable {
  var method: String
  /// As sent: the paths of the API are plain ASCII.
  var path: String
  var query: Query
  var body: [UInt8] = []
  /// The server's own address: `"http://127.0.0.1:8080"`.
  var baseURL: String
  /// The address that whole links in the reply begin with; a fault may make it another.
  var linkBase: String
  /// How the rows are cut into pages; a fault may make it a wrong way.
  var paging = Paging.regular
  /// In seconds since 1970.
  var time = 0
  /// Which request of its walk this is, from 1: see `walk`.
  var number = 1

  /// - Parameter target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form of
  ///   this server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
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

  /// What all requests of one search have in common, so that a fault can strike some of them by their number;
  /// nil without a fault. Another `run`, whatever its value, is another walk.
  var walk: String? {
    guard let fault = query["fault"], !fault.isEmpty else { return nil }
    let parts = ["q", "fault", "from", "times", "every", "run"].map { query[$0] ?? "" }
    return ([path] + parts.map(PercentEncoding.encoded)).joined(separator: "&")
  }
}
