/// What the API reads of a request.
struct Request: Sendable, Equatable {
  var method: String
  /// As sent: the paths of the API are plain ASCII.
  var path: String
  var query: Query
  /// The server's own address for links in replies: `"http://127.0.0.1:8080"`.
  var baseURL: String

  /// - Parameter target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form of
  ///   this server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
  init(method: String = "GET", target: String, baseURL: String) {
    let origin = target.hasPrefix(baseURL + "/") ? target.dropFirst(baseURL.count) : target[...]
    let path = origin.prefix { $0 != "?" }
    self.method = method
    self.path = String(path)
    self.query = Query(parsing: origin.dropFirst(path.count + 1))
    self.baseURL = baseURL
  }

  /// The absolute URL of this request with one parameter changed.
  func url(setting name: String, to value: String) -> String {
    "\(baseURL)\(path)?\(query.setting(name, to: value).text)"
  }
}
