import Demo
import FoundationEssentials
import HTTPValues
import JSON
import NIOHTTP1

extension ListedRoute {
  /// Pages linked by an opaque token in the body, without a total.
  static let cursor = ListedRoute(
    "/cursor", also: ["/characters/cursor"],
    summary: "pages by a token in the body: q, limit, cursor (next_cursor of the previous page)",
    example: Example("?q=arrow&limit=5"),
    settings: Settings(
      "cursor", "into = 'query:cursor'", "next = 'next_cursor'", size: "limit", rows: "items")
  ) { request throws(DemoError) in
    let page = try CharacterPage(byCursor: request)
    let next = page.next.map(Cursor(request).token)
    return Response(json: ["items": page.characters, "next_cursor": next] as JSONObject)
  }

  /// The same with the token in a header field; the body contains only the rows.
  static let cursorInHeader = ListedRoute(
    "/cursor/header",
    summary: "pages by a token in the X-Next-Cursor header, only rows in the body: q, limit, cursor",
    example: Example("?q=arrow&limit=5"),
    settings: Settings(
      "cursor", "into = 'query:cursor'", "next = 'header:X-Next-Cursor'", size: "limit", rows: "$")
  ) { request throws(DemoError) in
    let page = try CharacterPage(byCursor: request)
    var response = Response(json: page.characters)
    if let next = page.next {
      response.headers.add(name: "X-Next-Cursor", value: Cursor(request).token(next))
    }
    return response
  }
}

extension CharacterPage {
  /// The page for `limit` and `cursor`.
  init(byCursor request: Request) throws(DemoError) {
    let size = try PageSize.requested(by: "limit", of: request)
    let start = try Cursor(request).position(request["cursor"])
    self = try CharacterSearch(request).page(from: start, size: size)
  }
}

/// A token for a position in the rows of a query: the position, and a checksum that binds it to the query.
struct Cursor {
  private let query: String

  /// - Parameter query: The search text.
  init(of query: String) { self.query = query }

  init(_ request: Request) { query = request["q"] ?? "" }

  func token(_ position: Int) -> String {
    String(position, radix: 36) + "-" + String(check(position), radix: 36)
  }

  /// The position of a token; 0 without one.
  func position(_ token: String?) throws(DemoError) -> Int {
    guard let token, !token.isEmpty else { return 0 }
    let digits = token.prefix { $0 != "-" }
    guard let position = Int(digits, radix: 36), 0...Request.largestNumber ~= position,
      self.token(position) == token
    else {
      throw DemoError(400, "cursor '\(token)' does not belong to this query")
    }
    return position
  }

  /// FNV-1a over the position and the query's text.
  private func check(_ position: Int) -> UInt32 {
    "\(position) \(query)".utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

extension ListedRoute {
  /// Pages located by the last row of the previous page, which is not repeated.
  static let keyset = ListedRoute(
    "/keyset",
    summary: "pages after a row, as in Stripe: q, limit, starting_after (a code point); has_more",
    example: Example("?q=arrow&limit=5&starting_after=U%2B2193"),
    settings: Settings(
      "cursor", "into = 'query:starting_after'", "next = 'data[-1].code_point'", "more = 'has_more'",
      size: "limit", rows: "data")
  ) { request throws(DemoError) in
    let size = try PageSize.requested(by: "limit", of: request)
    let search = try CharacterSearch(request)
    let last = try request.codePoint("starting_after")
    let page = search.page(from: last.map { search.position(notBefore: $0 + 1) } ?? 0, size: size)
    return Response(
      json: ["object": "list", "has_more": page.next != nil, "data": page.characters] as JSONObject)
  }

  /// Pages located by the last row of the previous page, which is repeated.
  static let inclusiveKeyset = ListedRoute(
    "/keyset/inclusive",
    summary:
      "pages from a row on, each starting with the last row of the previous one: q, limit (2 or more),"
      + " start_at (a code point)",
    example: Example("?q=arrow&limit=5&start_at=U%2B2193"),
    settings: Settings(
      "cursor", "into = 'query:start_at'", "next = 'items[-1].code_point'", "more = 'more'", "overlap = 1",
      size: "limit", rows: "items")
  ) { request throws(DemoError) in
    let size = try request.number("limit", from: 2, to: 100, standard: PageSize.standard)
    let search = try CharacterSearch(request)
    let first = try request.codePoint("start_at")
    let page = search.page(from: first.map { search.position(notBefore: $0) } ?? 0, size: size)
    return Response(json: ["items": page.characters, "more": page.next != nil] as JSONObject)
  }
}

extension Request {
  /// The code point of a parameter such as `U+2192`; nil if it is absent or empty.
  fileprivate func codePoint(_ name: String) throws(DemoError) -> UInt32? {
    guard let text = self[name], !text.isEmpty else { return nil }
    guard let codePoint = UInt32(codePoint: text) else {
      throw DemoError(400, "\(name) must be a code point like U+2192, but is '\(text)'")
    }
    return codePoint
  }
}

extension CharacterSearch {
  /// The position of the first match whose code point is at least this one. O(n).
  fileprivate func position(notBefore codePoint: UInt32) -> Int {
    scalars.firstIndex { $0.value >= codePoint } ?? scalars.count
  }
}

extension UInt32 {
  /// Parses `U+2192`; nil for anything else and above U+10FFFF.
  init?(codePoint text: String) {
    let digits = text.dropFirst(2)
    guard text.hasPrefix("U+"), !digits.hasPrefix("+"), let number = UInt32(digits, radix: 16),
      number <= 0x10_FFFF
    else { return nil }
    self = number
  }
}

extension ListedRoute {
  /// POST with the sort values of the last row in the body, as an array.
  static let searchAfter = ListedRoute(
    "/search-after", methods: ["POST"],
    summary:
      "POST; pages after the last row's sort values, as in Elasticsearch: query, size, search_after",
    example: Example("", body: #"{"query":"arrow","size":5,"search_after":[8595,"U+2193"]}"#),
    settings: """
      method = 'POST'
      safe = true
      body = { query = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'body:search_after'
      size = { body = 'size', default = 30, max = 100 }
      next = 'hits.hits[-1].sort'
      [rows]
      path = 'hits.hits'
      id = '_id'
      total = 'hits.total.value'
      """
  ) { request throws(DemoError) in
    let body = try request.jsonBody(SearchAfterBody.self)
    let search = try CharacterSearch(body.query ?? "", paging: request.paging)
    let start = try body.searchAfter.map { key throws(DemoError) in
      guard UInt32(codePoint: key.codePoint) == key.number else {
        throw DemoError(400, "search_after must be the sort values of a row")
      }
      return search.position(notBefore: key.number + 1)
    }
    let page = search.page(from: start ?? 0, size: PageSize.requested(body.size))
    let total: JSONObject = ["value": page.total, "relation": "eq"]
    let hits: JSONObject = ["total": total, "hits": page.characters.map(\.hit)]
    return Response(json: ["hits": hits] as JSONObject)
  }
}

private struct SearchAfterBody: Decodable {
  var query: String?
  var size: Int?
  var searchAfter: SortValues?

  enum CodingKeys: String, CodingKey {
    case query, size
    case searchAfter = "search_after"
  }

  /// A number and a string, to be sent back unchanged.
  struct SortValues: Decodable {
    var number: UInt32
    var codePoint: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      number = try values.decode(UInt32.self)
      codePoint = try values.decode(String.self)
    }
  }
}

extension NamedCharacter {
  fileprivate var hit: JSONObject {
    let sort = [JSONToken(Int(scalar.value)), JSONToken(codePoint)]
    return ["_id": codePoint, "_source": self, "sort": sort]
  }
}

extension ListedRoute {
  /// Pages located by an object of two values, both of which must be in the next request.
  static let merge = ListedRoute(
    "/merge",
    summary: "pages by every key of an object, as in MediaWiki: q, limit, and those of continue",
    example: Example("?q=arrow&limit=5&offset=5&continue=-%7C%7C"),
    settings: Settings(
      "merge", "next = 'continue'", size: "limit", rows: "query.search", total: "query.totalhits")
  ) { request throws(DemoError) in
    let start = try request.number("offset", from: 0, standard: 0)
    guard (request["offset"] == nil) == (request["continue"] == nil) else {
      throw DemoError(400, "send offset and continue as returned with the previous page, or neither")
    }
    let size = try PageSize.requested(by: "limit", of: request)
    let page = try CharacterSearch(request).page(from: start, size: size)
    return Response(
      json: JSONObject(
        (page.next.map { [("continue", ["offset": $0, "continue": "-||"] as JSONObject)] } ?? [])
          + [("query", ["totalhits": page.total, "search": page.characters] as JSONObject)]))
  }
}

extension ListedRoute {
  /// A connection as in the GraphQL Cursor Connections Specification (Relay). Only the variables are used;
  /// the query itself is only checked for the field `characters`.
  static let graphQL = ListedRoute(
    "/graphql", methods: ["POST"],
    summary:
      "POST; a GraphQL connection with pageInfo: variables q, first, after; errors have status 200",
    example: Example("", body: #"{"query":"{ characters { nodes } }","variables":{"q":"arrow","first":5}}"#),
    settings: """
      safe = true
      graphql = '''
      query($q: String!, $first: Int, $after: String) {
        characters(query: $q, first: $first, after: $after) {
          totalCount nodes { code_point character name } pageInfo { hasNextPage endCursor }
        }
      }'''
      variables = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'body:variables.after'
      size = { body = 'variables.first', default = 30, max = 100 }
      next = 'data.characters.pageInfo.endCursor'
      more = 'data.characters.pageInfo.hasNextPage'
      [rows]
      path = 'data.characters.nodes'
      id = 'code_point'
      total = 'data.characters.totalCount'
      [errors]
      message = 'errors[0].message'
      when = [{ match = { path = 'errors', exists = true } }]
      """
  ) { request throws(DemoError) in
    let body = try request.jsonBody(GraphQLBody.self)
    do throws(DemoError) {
      return try body.response(paging: request.paging)
    } catch {
      let failure: JSONObject = ["message": error.message]
      return Response(json: ["data": JSONObject?.none, "errors": [failure]] as JSONObject)
    }
  }
}

private struct GraphQLBody: Decodable {
  var query: String
  var variables: Variables?

  struct Variables: Decodable {
    var q: String?
    var first: Int?
    var after: String?
  }

  func response(paging: Paging) throws(DemoError) -> Response {
    guard query.contains("characters") else { throw DemoError(400, "the query must select characters") }
    let text = variables?.q ?? ""
    let cursor = Cursor(of: text)
    let page = try CharacterSearch(text, paging: paging)
      .page(from: cursor.position(variables?.after), size: PageSize.requested(variables?.first))
    let info: JSONObject = ["hasNextPage": page.next != nil, "endCursor": page.next.map(cursor.token)]
    let connection: JSONObject = ["totalCount": page.total, "nodes": page.characters, "pageInfo": info]
    return Response(json: ["data": ["characters": connection] as JSONObject] as JSONObject)
  }
}

extension PageSize {
  /// The page size in a request body.
  fileprivate static func requested(_ size: Int?) -> Int {
    min(max(size ?? standard, range.lowerBound), range.upperBound)
  }
}

extension Request {
  /// The body decoded as JSON; members that the type does not have are ignored.
  func jsonBody<Value: Decodable>(_ type: Value.Type) throws(DemoError) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw DemoError(400, "the body must be a JSON object as shown at / for \(url.path)")
    }
  }
}
