import JSON
import NIOHTTP1

@testable import Demo
@testable import DemoTesting

/// Requests to the routes of one test server, without sockets, at times of the test's choice.
struct DemoSession {
  private let api = DemoAPI(routes: FaultyAPI.routes)

  /// - Parameters:
  ///   - line: Method and target: `"GET /me"`.
  ///   - body: A form, or JSON if it begins with a brace.
  func response(
    _ line: String, _ body: String = "", token: String? = nil, headers: HTTPHeaders = [:],
    at time: Int = 1_000
  ) throws -> Response {
    let words = line.split(separator: " ").map(String.init)
    var headers = headers
    let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
    if !body.isEmpty { headers.add(name: "Content-Type", value: type) }
    if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
    var request = try Request(
      method: words[0], target: words[1], baseURL: "http://127.0.0.1:8080", headers: headers,
      body: Array(body.utf8))
    request.time = time
    do { return try api.response(request) } catch { return error.response }
  }

  /// Status and body.
  func text(_ line: String, _ body: String = "", token: String? = nil, at time: Int = 1_000) throws -> String
  {
    let response = try response(line, body, token: token, at: time)
    return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
  }

  func json(_ line: String, _ body: String = "", token: String? = nil, at time: Int = 1_000) throws
    -> JSONValue
  {
    try JSONDocument(response(line, body, token: token, at: time).body).root
  }
}
