import Config
import HTTPValues
import JSON
import Testing

@testable import Detection
@testable import Search

/// Command lines of curl, and the requests and sources that they become.
@Suite struct CurlParserTests {
  /// Variables in braces.
  private static func picture(_ text: WrittenText) -> String {
    text.pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let name): "{\(name)}"
      }
    }.joined()
  }

  private static func picture(_ line: String) -> String {
    do {
      let request = try CurlParser.request(of: line)
      var words = [request.method?.rawValue ?? "-", picture(request.url)]
      words += request.headers.map { "\($0.name): \(picture($0.value))" }
      words += request.user.map { ["user \(picture($0))"] } ?? []
      words += request.body.map { ["body \(picture($0))"] } ?? []
      return words.joined(separator: " | ")
    } catch { return "error: \(error)" }
  }

  @Test(arguments: [
    ("curl https://x.org/a?page=1", "- | https://x.org/a?page=1"),
    ("$ curl -sSL 'https://x.org/a?b=1&c=2' | jq .", "- | https://x.org/a?b=1&c=2"),
    ("/usr/bin/curl x.org", "- | http://x.org"),
    (
      "curl \"https://x.org/l?page=1^&q=x\" ^\r\n  -H \"x-note: a/b\" ^\r\n  --compressed",
      "- | https://x.org/l?page=1&q=x | x-note: a/b"
    ),
    (
      #"curl ^"https://x.org/l^" --data-raw ^"^{^\^"a^\^":^\^"$5^\^"^}^""#,
      #"- | https://x.org/l | body {"a":"$5"}"#
    ),
    (
      #"curl -H "Authorization: Bearer $TOKEN" -H 'X-Version:2' https://x.org"#,
      "- | https://x.org | Authorization: Bearer {TOKEN} | X-Version: 2"
    ),
    ("curl -HX-A:1 -XPOST https://x.org -d a=1 -d 'b=2'", "POST | https://x.org | X-A: 1 | body a=1&b=2"),
    (
      "curl -G https://x.org -d q=tea --data-urlencode 'f=a b&c'",
      "GET | https://x.org?q=tea&f=a%20b%26c"
    ),
    ("curl https://x.org?a=1 --url-query b=2", "- | https://x.org?a=1&b=2"),
    (
      #"curl https://x.org --json '{"a": 1}'"#,
      #"- | https://x.org | Content-Type: application/json | body {"a": 1}"#
    ),
    ("curl -u ann:word https://x.org", "- | https://x.org | user ann:word"),
    (
      "curl --oauth2-bearer abc -b 'sid=1; t=2' https://x.org",
      "- | https://x.org | Authorization: Bearer abc | Cookie: sid=1; t=2"
    ),
    (
      """
      curl 'https://x.org/api' \\
        -H 'accept: */*' \\
        -H 'accept-language: en-US,en;q=0.9' \\
        -H 'sec-ch-ua: "Chromium";v="1"' \\
        -H 'user-agent: Mozilla/5.0' \\
        -H 'x-org: 7' \\
        --data-raw $'{"q":"it\\'s"}' \\
        --compressed
      """, #"- | https://x.org/api | x-org: 7 | body {"q":"it's"}"#
    ),
    (
      "curl -H 'Accept: application/vnd.x.v3+json' -H 'User-Agent:' x.org",
      "- | http://x.org | Accept: application/vnd.x.v3+json"
    ),
    (
      "curl -H 'Accept: application/hal+json' -H 'Content-Type: application/vnd.api+json' x.org",
      "- | http://x.org | Accept: application/hal+json | Content-Type: application/vnd.api+json"
    ),
    ("curl x.org -d ''", "POST | http://x.org"),
    ("curl -o out.json -m 10 -k --retry 3 x.org", "- | http://x.org"),
  ]) func `The request of a command line is read.`(line: String, expected: String) {
    #expect(Self.picture(line) == expected)
  }

  @Test(arguments: [
    ("wget https://x.org", "it does not start with curl"),
    ("curl -s", "it has no URL"),
    (
      "curl https://x.org/?a=hunter2&b=1",
      "the command has &, < or > outside quotes. Put the URL in single quotes"
    ),
    ("curl x.org y.org", "it has several URLs. Give one; if the URL contains &, put it in quotes"),
    ("curl --hunt 2 x.org", "unknown option --hunt of curl. Remove it if the request does not need it"),
    ("curl -F a=hunter2 x.org", "riffle does not support -F. Remove it if the request works without it"),
    ("curl -d @hunter2 x.org", "-d reads a file. Write its contents in the command"),
    ("curl -b jar x.org", "-b reads a file. Write its contents in the command"),
    ("curl -X DELETE x.org", "it uses DELETE. riffle supports only GET and POST"),
    ("curl -X hunter2 x.org", "it uses another method. riffle supports only GET and POST"),
    ("curl x.org -H", "-H has no value"),
    ("curl 'x.org/hunter2", "the command ends inside quotes. Copy the whole command"),
  ]) func `A command line that is not a request for a source is rejected without repeating its secrets.`(
    line: String, message: String
  ) {
    #expect(Self.picture(line) == "error: \(message)")
  }

  /// The tables of the source that a command line becomes, without its head and comments.
  private static func source(_ line: String, response body: String) throws -> [String] {
    let example = try RequestExample(CurlParser.request(of: line), service: "MINE")
    let response = HTTPResponse(status: 200, headers: [], body: Array(body.utf8), url: example.address)
    let guess = try SourceGuess(response, to: example)
    let text = guess.document(id: "x", title: "x", pagination: guess.paginations[0])
    _ = try SourceDecoder.source(TOMLDocument(text, file: "x.toml"))
    let lines = text.split(separator: "\n").drop { $0 != "[request]" }.prefix { $0 != "[rows]" }
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      line.firstRange(of: "   #").map { String(line[..<$0.lowerBound]) } ?? String(line)
    }
  }

  private static let rows = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#

  @Test func `A bearer token is read from a variable.`() throws {
    let source = try Self.source(
      "curl -H 'Authorization: Bearer s3cr3t' 'https://x.org/list?per_page=2&page=1&q=tea'",
      response: #"{"total": 9, "items": \#(Self.rows)}"#)
    #expect(
      source == [
        "[request]", #"url = "https://x.org/list""#, #"params = { q = "{query}" }"#,
        "[auth]", #"type = "bearer""#, #"from = ["env:MINE_TOKEN"]"#,
        "[pagination]", #"type = "page""#, #"param = "page""#, "first = 0",
        #"size = { param = "per_page", default = 2 }"#,
      ])
  }

  @Test(arguments: [
    (
      "-H 'Content-Type: application/x-amz-json-1.0' -H 'X-Amz-Target: DynamoDB_20120810.ListTables' "
        + "-H 'Authorization: AWS abc' -d '{\"Limit\": 2}'",
      [
        "[request]", #"url = "https://x.org/list""#, "safe = true",
        "[request.headers]", #"Content-Type = "application/x-amz-json-1.0""#,
        #"X-Amz-Target = "DynamoDB_20120810.ListTables""#, "[auth]", #"type = "header""#,
        #"header = "Authorization""#, #"prefix = "AWS ""#,
        #"from = ["env:MINE_TOKEN"]"#,
      ]
    ),
    (
      "-H 'Content-Type: application/vnd.api+json' -H 'X-Request-Target: items' "
        + "-H 'X-Tenant: 5f0c2a1e-9b1d-4c55-8a77-0f1e2d3c4b5a' -H 'X-Api-Key: k'",
      [
        "[request]", #"url = "https://x.org/list""#,
        "[request.headers]", #"Content-Type = "application/vnd.api+json""#, #"X-Request-Target = "items""#,
        #"X-Tenant = "5f0c2a1e-9b1d-4c55-8a77-0f1e2d3c4b5a""#,
        "[auth]", #"type = "header""#, #"header = "X-Api-Key""#, #"from = ["env:MINE_TOKEN"]"#,
      ]
    ),
    (
      "-H 'X-Trace-Id: a1b2c3d4e5f6a7b8' -H 'Content-Type: application/json' -d '{\"a\": 1}'",
      [
        "[request]", #"url = "https://x.org/list""#, "safe = true",
        #"headers = { X-Trace-Id = "a1b2c3d4e5f6a7b8" }"#,
        "body = { a = 1 }",
      ]
    ),
  ]) func `[S4 S5] A line keeps its headers, and only a credential is taken for one.`(
    options: String, expected: [String]
  ) throws {
    let source = try Self.source("curl \(options) https://x.org/list", response: Self.rows)
    #expect(Array(source.prefix { $0 != "[pagination]" }) == expected)
  }

  @Test(arguments: [
    (
      "-u 'ann:w0rd'",
      [#"type = "basic""#, #"user_from = ["env:MINE_USER"]"#, #"from = ["env:MINE_PASSWORD"]"#]
    ),
    (
      "-u 's3cr3t:'",
      [#"type = "basic""#, #"as = "user""#, #"password = """#, #"from = ["env:MINE_TOKEN"]"#]
    ),
    (
      "-u \"$KEY:x\"",
      [#"type = "basic""#, #"as = "user""#, #"password = "x""#, #"from = ["env:KEY"]"#]
    ),
    (
      "-H 'Authorization: Basic czNjcjN0'",
      [
        #"type = "header""#, #"header = "Authorization""#, #"prefix = "Basic ""#,
        #"from = ["env:MINE_TOKEN"]"#,
      ]
    ),
    (
      "-H 'X-Api-Key: s3cr3t'",
      [#"type = "header""#, #"header = "X-Api-Key""#, #"from = ["env:MINE_TOKEN"]"#]
    ),
    (
      "-H 'X-Caller: 0123456789abcdef'",
      [#"type = "header""#, #"header = "X-Caller""#, #"from = ["env:MINE_TOKEN"]"#]
    ),
    (
      "-b 'sid=s3cr3t; t=w0rd'",
      [#"type = "header""#, #"header = "Cookie""#, #"from = ["env:MINE_TOKEN"]"#]
    ),
    (
      "-H 'DD-API-KEY: s3cr3t' -H 'DD-APPLICATION-KEY: w0rd'",
      [
        #"type = "header""#, #"header = "DD-API-KEY""#, #"from = ["env:MINE_TOKEN"]"#,
        "[secrets.mine_dd_application_key]", #"from = ["env:MINE_DD_APPLICATION_KEY"]"#,
      ]
    ),
    (
      "-d '{\"api_key\": \"s3cr3t\"}'",
      ["[secrets.mine_token]", #"from = ["env:MINE_TOKEN"]"#]
    ),
  ]) func `Secrets appear nowhere in the source.`(words: String, auth: [String]) throws {
    let source = try Self.source("curl https://x.org/list \(words)", response: Self.rows)
    let tables = source.drop { $0 != "[auth]" && !$0.hasPrefix("[secrets") }.prefix { $0 != "[pagination]" }
    #expect(tables.filter { $0 != "[auth]" } == auth, "\(source)")
    for secret in ["s3cr3t", "w0rd", "ann", "czNjcjN0", "0123456789abcdef"] {
      #expect(!source.contains { $0.contains(secret) }, "\(source)")
    }
  }

  @Test func `A credential in the URL becomes the credential of the source.`() throws {
    for url in ["https://x.org/list?api_key=s3cr3t&sort=a", "https://s3cr3t:@x.org/list?sort=a"] {
      let source = try Self.source("curl '\(url)'", response: Self.rows)
      #expect(source.contains("params = { sort = \"a\" }") && source.contains(#"from = ["env:MINE_TOKEN"]"#))
      #expect(source.contains("[auth]") && !source.contains { $0.contains("s3cr3t") }, "\(source)")
    }
  }

  @Test func `Positions in a JSON body are set by the pagination, and its search text is the query.`() throws
  {
    let source = try Self.source(
      """
      curl https://x.org/find -H 'Content-Type: application/json' -d '{"filter": {"query": "tea", "tags": ["a", null]},
        "page": {"limit": 2, "offset": 0}, "strict": true, "since": null, "ratio": 0.5}'
      """, response: #"{"total": 9, "items": \#(Self.rows)}"#)
    #expect(
      source == [
        "[request]", #"url = "https://x.org/find""#, "safe = true",
        #"body = { filter = { query = "{query}", tags = ["a"] }, page = {}, strict = true, ratio = 0.5 }"#,
        "[pagination]", #"type = "offset""#, #"into = "body:page.offset""#, "first = 0",
        #"size = { body = "page.limit", default = 2 }"#,
      ])
  }

  @Test func `A form is sent as a form.`() throws {
    let source = try Self.source(
      "curl https://x.org/find -d 'text=green+tea&pageSize=2' -d tag=a -d tag=b", response: Self.rows)
    #expect(
      source.prefix(5) == [
        "[request]", #"url = "https://x.org/find""#, "safe = true", #"body_type = "form""#,
        #"body = { text = "{query}", tag = ["a", "b"] }"#,
      ])
  }

  @Test func `A GraphQL request keeps its document, and its cursor is a variable.`() throws {
    let line = #"""
      curl https://x.org/graphql -H 'Authorization: Bearer s3cr3t' --data-raw '{"operationName": "ships", "query": "query ships($name: String, $n: Int, $cursor: String) {\n  ships(name: $name, first: $n, after: $cursor) { nodes { id name } pageInfo { hasNextPage endCursor } }\n}", "variables": {"name": "tea", "n": 2, "cursor": null}}'
      """#
    let source = try Self.source(
      line,
      response:
        #"{"data": {"ships": {"nodes": \#(Self.rows), "pageInfo": {"hasNextPage": true, "endCursor": "x"}}}}"#
    )
    #expect(
      source == [
        "[request]", #"url = "https://x.org/graphql""#, "graphql = '''",
        "query ships($name: String, $n: Int, $cursor: String) {",
        "  ships(name: $name, first: $n, after: $cursor) { nodes { id name } pageInfo { hasNextPage endCursor } }",
        "}'''", #"variables = { name = "tea" }"#, "[auth]", #"type = "bearer""#,
        #"from = ["env:MINE_TOKEN"]"#,
        "[pagination]", #"type = "cursor""#, #"into = "body:variables.cursor""#,
        #"next = "data.ships.pageInfo.endCursor""#, #"more = "data.ships.pageInfo.hasNextPage""#,
        #"size = { body = "variables.n", default = 2 }"#,
      ])
  }

  @Test func `[U18] The number of rows of a connection is the page size.`() throws {
    let line = #"""
      curl https://x.org/graphql --json '{"query": "query($first: Int) { a(first: $first) { nodes { id } } }", "variables": {"first": 2}}'
      """#
    let source = try Self.source(line, response: #"{"data": {"a": {"nodes": \#(Self.rows)}}}"#)
    #expect(source.last == #"size = { body = "variables.first", default = 2 }"#)
  }

  @Test(
    arguments: [
      (
        "{ ships(first: 2) { nodes { id } pageInfo { hasNextPage endCursor } } }",
        "query($first: Int!, $after: String) { "
          + "ships(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }",
        "first = 2"
      ),
      (
        "query ships { ships(kind: 3, limit: 2, offset: 0) { id crew(limit: 5) { id } } }",
        "query ships($limit: Int!, $offset: Int!) { "
          + "ships(kind: 3, limit: $limit, offset: $offset) { id crew(limit: 5) { id } } }",
        "limit = 2, offset = 0"
      ),
      (
        "query ($name: String) { Page(page: 1, perPage: 2) { ships(name: $name) { id } } }",
        "query ($page: Int!, $perPage: Int!, $name: String) { "
          + "Page(page: $page, perPage: $perPage) { ships(name: $name) { id } } }",
        "page = 1, perPage = 2"
      ),
      (
        "query @live { a(by: {first: 2, after: \"x\"}) { id } }",
        "query ($first: Int!, $after: String)@live { a(by: {first: $first, after: $after}) { id } }",
        "first = 2, after = x"
      ),
      (
        "{ fleet(id: 4) { ships(first: 2, after: null) { id crew(first: 3) { id } } } }",
        "query($first: Int!, $after: String) { "
          + "fleet(id: 4) { ships(first: $first, after: $after) { id crew(first: 3) { id } } } }",
        "first = 2, after = null"
      ),
      ("query a($n: Int = 5) { a(first: $n) { b(first: 5) { id } } }", nil, ""),
      ("{ a(id: 4, text: \"first: 2\") { b } } # (first: 2)", nil, ""),
      ("fragment f on A { b(first: 2) { id } } { a { ...f } }", nil, ""),
    ] as [(String, String?, String)])
  func `[U18] Numbers for the page size and the position in a GraphQL document become variables.`(
    document: String, expected: String?, variables: String
  ) throws {
    let body = "{\"query\": \(JSONText.quoted(document))}"
    let example = try RequestExample(
      CurlParser.request(of: "curl https://x.org/graphql --json '\(body)'"), service: "X")
    let (changed, values) = try #require(example.body?.graphQL)
    #expect(changed.text == expected ?? document)
    let picture = (values?.leaves ?? []).map { "\($0.path[0]) = \($0.text.plain ?? "")" }
    #expect(picture.joined(separator: ", ") == variables.replacing("null", with: ""))
  }

  @Test(arguments: [
    (#"curl x.org -d '{"query": "mutation { a { b } }"}'"#, "it is a mutation, which changes data"),
    ("curl x.org -d '[1]'", "it is an array, not a JSON object"),
    ("curl x.org -d '{\"a\": hunter2}'", "it is not JSON"),
    ("curl x.org -d \"{\\\"a\\\": $N}\"", "it is not JSON with each $NAME inside quotes"),
    ("curl x.org -H 'Content-Type: text/xml' -d '<a/>'", "it is XML, not JSON or a form"),
  ]) func `A body that a source cannot send is rejected.`(line: String, message: String) throws {
    let request = try CurlParser.request(of: line)
    let error = #expect(throws: RequestExampleError.self) { try RequestExample(request, service: "X") }
    #expect(error?.description == "the body of the request cannot be used: \(message)")
  }

  @Test func `The name of a variable begins with a letter.`() throws {
    let request = try CurlParser.request(of: "curl -u s3cr3t: http://127.0.0.1/")
    #expect(try RequestExample(request, service: "127_0_0_1").variables == ["API_127_0_0_1_TOKEN"])
  }

  @Test func `A variable in a path is refused.`() throws {
    let request = try CurlParser.request(of: "curl https://x.org/$TEAM/list")
    #expect(throws: RequestExampleError.variableInAddress) { try RequestExample(request, service: "X") }
  }
}
