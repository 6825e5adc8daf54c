import NIOHTTP1
import Testing

@testable import Demo
@testable import DemoTesting

/// A response as text: status, header fields, empty line, body.
func picture(_ line: String, body: String = "") throws -> String {
  let parts = line.split(separator: " ").map(String.init)
  let request = try Request(
    method: parts[0], target: parts[1], baseURL: "http://127.0.0.1:8080", body: Array(body.utf8))
  let response = FaultyAPI().response(to: request)
  let fields = response.headers.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }
  return (["\(response.status)"] + fields + ["", String(decoding: response.body, as: UTF8.self)]).joined(
    separator: "\n")
}

struct DemoAPITests {
  @Test func `A page contains its items, the total, and links to its neighbors.`() throws {
    try #expect(
      picture("GET /characters?q=tibetan+digit+half&page=2&per_page=1") == """
        200
        X-Total-Count: 10
        Link: <http://127.0.0.1:8080/characters?q=tibetan+digit+half&page=3&per_page=1>; rel="next", \
        <http://127.0.0.1:8080/characters?q=tibetan+digit+half&page=10&per_page=1>; rel="last", \
        <http://127.0.0.1:8080/characters?q=tibetan+digit+half&page=1&per_page=1>; rel="prev", \
        <http://127.0.0.1:8080/characters?q=tibetan+digit+half&page=1&per_page=1>; rel="first"

        {"total_count":10,"items":[{"code_point":"U+0F2B","character":"༫","name":"TIBETAN DIGIT HALF TWO",\
        "category":"Other Number","category_code":"No","age":"2.0","numeric":1.5,\
        "url":"https://util.unicode.org/UnicodeJsps/character.jsp?a=0F2B"}]}
        """)
  }

  @Test func `An item is a character with all its known properties.`() throws {
    try #expect(
      picture("GET /characters?q=U%2B2192") == """
        200
        X-Total-Count: 1

        {"total_count":1,"items":[{"code_point":"U+2192","character":"→","name":"RIGHTWARDS ARROW",\
        "category":"Math Symbol","category_code":"Sm","age":"1.1","numeric":null,\
        "url":"https://util.unicode.org/UnicodeJsps/character.jsp?a=2192"}]}
        """)
  }

  @Test func `A page past the end is empty and has links back.`() throws {
    try #expect(
      picture("GET /characters?q=U%2B2192&page=999999999999&per_page=100") == """
        200
        X-Total-Count: 1
        Link: <http://127.0.0.1:8080/characters?q=U%2B2192&page=1&per_page=100>; rel="prev", \
        <http://127.0.0.1:8080/characters?q=U%2B2192&page=1&per_page=100>; rel="first"

        {"total_count":1,"items":[]}
        """)
  }

  @Test(arguments: [
    (
      "GET /nothing", 404,
      "no route '/nothing'. Routes are \(FaultyAPI.routes.map { $0.paths[0] }.joined(separator: ", "))"
    ),
    ("POST /characters", 405, "/characters supports GET and HEAD, not POST"),
    ("GET /characters?page=0", 422, "page must be a whole number from 1, but is '0'"),
    ("GET /characters?page=x", 422, "page must be a whole number from 1, but is 'x'"),
    ("GET /characters?per_page=-1", 422, "per_page must be a whole number from 1, but is '-1'"),
    ("GET /characters?delay=x", 422, "delay must be a whole number from 0, but is 'x'"),
    ("GET /characters/cursor?cursor=bad", 400, "cursor 'bad' does not belong to this query"),
    ("GET /cursor?cursor=1y2p0ij32e8e7-x", 400, "cursor '1y2p0ij32e8e7-x' does not belong to this query"),
    (
      "GET /keyset?starting_after=x", 400,
      "starting_after must be a code point like U+2192, but is 'x'"
    ),
    (
      "GET /keyset?starting_after=U%2B110000", 400,
      "starting_after must be a code point like U+2192, but is 'U+110000'"
    ),
    (
      "GET /merge?offset=5", 400,
      "send offset and continue as returned with the previous page, or neither"
    ),
    ("GET /graphql", 405, "/graphql supports POST, not GET"),
    ("POST /search-after", 400, "the body must be a JSON object as shown at / for /search-after"),
    ("GET /characters/cursor?cursor=-1-", 400, "cursor '-1-' does not belong to this query"),
    (
      "GET /?fault=x", 422,
      "unknown fault 'x'. Faults are \(Fault.all.map(\.name).joined(separator: ", "))"
    ),
    ("GET /?fault=500", 500, "a fault was requested"),
  ])
  func `A refusal has a status and a message.`(line: String, status: Int, message: String) throws {
    try #expect(picture(line).hasPrefix("\(status)\n"))
    try #expect(picture(line).hasSuffix("\n\n{\"message\":\"\(message)\"}"))
  }

  @Test func `The demo server has its own routes, and no faults.`() throws {
    let api = DemoAPI.standard
    func message(_ target: String) throws -> String {
      let request = try Request(target: target, baseURL: "http://127.0.0.1:8080")
      return String(decoding: try api.response(request).body.prefix(17), as: UTF8.self)
    }
    #expect(try message("/characters?fault=500") == "{\"total_count\":15")
    #expect(try message("/pages") == message("/characters"))
    for path in ["/", "/blocks", "/login", "/oauth/token", "/private/characters"] {
      #expect(throws: DemoError(404, "no route '\(path)'. Routes are /characters")) { try message(path) }
    }
  }

  @Test func `The length of a query is limited.`() throws {
    try #expect(
      picture("GET /characters?per_page=1&q=" + String(repeating: "x", count: 256)).hasPrefix("200"))
    try #expect(picture("GET /characters?q=" + String(repeating: "x", count: 257)).hasPrefix("422"))
  }

  @Test func `Pages contain 30 items by default and never more than 100.`() throws {
    try #expect(itemCount(of: "GET /characters") == 30)
    try #expect(itemCount(of: "GET /characters?per_page=7") == 7)
    try #expect(itemCount(of: "GET /characters?per_page=1000") == 100)
    try #expect(itemCount(of: "GET /characters/cursor") == 30)
  }

  @Test func `A cursor from another query is refused.`() throws {
    let text = try picture("GET /cursor?q=arrow")
    let start = try #require(text.firstRange(of: "\"next_cursor\":\"")).upperBound
    let cursor = text[start...].prefix { $0 != "\"" }
    try #expect(picture("GET /cursor?q=arrow&cursor=\(cursor)").hasPrefix("200\n"))
    try #expect(picture("GET /cursor?q=left&cursor=\(cursor)").hasPrefix("400\n"))
  }

  @Test func `An absolute target on this server is the same request.`() throws {
    let baseURL = "http://127.0.0.1:8080"
    #expect(
      try Request(target: baseURL + "/characters?q=x", baseURL: baseURL).url
        == Request(target: "/characters?q=x", baseURL: baseURL).url)
    for target in ["http://127.0.0.1:80800/characters", "http://localhost:8080/", "//127.0.0.1/characters"] {
      #expect(throws: DemoError(400, "'\(target)' is not a URL of \(baseURL)")) {
        try Request(target: target, baseURL: baseURL)
      }
    }
  }

  private func itemCount(of line: String) throws -> Int {
    try picture(line).split(separator: "\"code_point\"").count - 1
  }
}
