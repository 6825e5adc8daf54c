import Detection
import HTTPValues
import Search
import Testing

/// A response and the source document written from it.
@Suite struct SourceGuessTests {
  private func document(_ response: HTTPResponse) throws -> String {
    let guess = try SourceGuess(response)
    return guess.document(id: "tea", title: "Tea", pagination: guess.paginations[0], remarks: ["looked at"])
  }

  @Test func `Names, numbers, dates and addresses become columns, a key and a link.`() throws {
    let body = #"""
      {"total_count": 20, "incomplete_results": false, "facets": [{"n": 1}, {"n": 2}, {"n": 3}],
       "items": [
        {"url": "https://api.example.org/1", "id": 71, "full_name": "a/b", "private": false, "stars": 12345,
         "owner": {"login": "a", "id": 1}, "html_url": "https://example.org/a/b", "description": "LONG",
         "created_at": "2024-05-06T07:08:09Z", "topics": ["x"], "score": 1},
        {"url": "https://api.example.org/2", "id": 72, "full_name": "c/d", "private": false, "stars": 3,
         "owner": {"login": "c", "id": 2}, "html_url": "https://example.org/c/d", "description": null,
         "created_at": "2024-05-06T07:08:09Z", "topics": [], "score": 1}]}
      """#.replacing("LONG", with: String(repeating: "word ", count: 40))
    let text = try document(
      response(body, at: "https://api.example.org/search?q=green+tea&sort=stars&per_page=2"))
    #expect(
      text == """
        schema = 1
        id = "tea"
        title = "Tea"

        [request]
        url = "https://api.example.org/search"
        params = { q = "{query}", sort = "stars" }

        [pagination]
        # guessed: a common parameter name
        # looked at
        type = "page"
        param = "page"
        first = 1
        size = { param = "per_page", default = 2 }   # add max = N, the largest page size of the service

        [rows]
        path = "items"
        id = "id"
        total = "total_count"
        incomplete = "incomplete_results"
        link = "html_url"

        [[columns]]
        path = "full_name"

        [[columns]]
        path = "id"
        align = "right"

        [[columns]]
        name = "owner_login"
        path = "owner.login"

        [[columns]]
        path = "stars"
        format = "number"

        [[columns]]
        path = "description"
        width = { min = 10, weight = 5 }

        """)
  }

  @Test func `Without a search parameter, the document explains how to add one.`() throws {
    let text = try document(response(#"[{"id":1}]"#, at: "https://api.example.org/list"))
    #expect(text.contains("# If there is one, set its value to \"{query}\": params = { q = \"{query}\" }"))
  }

  @Test func `A column that contains HTML decodes its entities or strips its tags.`() throws {
    let text = try document(response(#"[{"id":1,"title":"a &amp; b","snippet":"an <em>x</em>"}]"#))
    #expect(text.contains("path = \"title\"\nhtml = \"entities\"\n"))
    #expect(text.contains("path = \"snippet\"\nhtml = \"strip\"\n"))
  }

  @Test func `Rows that are arrays without names are read by index, up to the last column with values.`()
    throws
  {
    let text = try document(response(#"[["tea",120],["mate",null],["cha",7,null]]"#))
    #expect(
      text.hasSuffix(
        """
        [rows]
        path = "$"
        shape = "columns"
        # No field looks like a row id. With one, duplicate rows are dropped:
        # id = "id"

        [[columns]]
        name = "column_1"
        path = "[0]"

        [[columns]]
        name = "column_2"
        path = "[1]"

        """), "\(text)")
  }

  @Test(arguments: [
    (#"{"tags":["a","b"]}"#, ["path = \"tags\"", "shape = \"scalars\"", "id = \"$\""]),
    (
      #"{"pages":{"1":{"t":"a"},"2":{"t":"b"},"3":{"t":"c"}}}"#,
      ["path = \"pages\"", "shape = \"map\"", "id = \"@key\""]
    ),
    (
      #"{"columns":["id","name"],"rows":[[1,"a"],[2,"b"]]}"#,
      ["path = \"rows\"", "shape = \"columns\"", "names = \"columns\""]
    ),
    (#"{"message":{"items":[{"DOI":"1"},{"DOI":"2"}]}}"#, ["path = \"message.items\"", "id = \"DOI\""]),
    (#"[null,{"id":1}]"#, ["path = \"$\"", "id = \"id\""]),
    (#"{"a b":[{"id":1}]}"#, [#"path = "[\"a b\"]""#, "id = \"id\""]),
  ]) func `Rows are found at any path and in any shape.`(body: String, expected: [String]) throws {
    let lines = try document(response(body)).split(separator: "\n").map(String.init)
    let table = lines.drop { $0 != "[rows]" }.dropFirst().prefix { !$0.hasPrefix("[") && !$0.hasPrefix("#") }
    #expect(Array(table) == expected)
  }

  @Test(arguments: [
    (#"{"ok":true}"#, 200, #"no rows found in the response, an object with the key "ok". Set rows.path"#),
    (#"{"items":[]}"#, 200, "items has no rows"),
    ("<html>", 200, "the response is HTML or XML, not JSON (text/html)"),
    ("{", 200, "the response is not JSON (text/html)"),
    ("", 200, "the service returned an empty response (200). Use a URL that returns rows"),
    ("no", 404, "the service returned 404 Not Found (text/html): no"),
    (
      "", 401,
      "the service returned 401 Unauthorized (text/html). Send a valid credential with -H, or fill in [auth]"
    ),
    ("", 503, "the service returned 503 Service Unavailable (text/html). Try again later"),
    ("", 429, "the service returned 429 Too Many Requests: rate limited. Try again later"),
  ]) func `A response that is not a page of rows is reported with the reason.`(
    body: String, status: Int, message: String
  )
    throws
  {
    let response = try response(body, headers: [("Content-Type", "text/html")], status: status)
    let failure = #expect(throws: DetectionError.self) { try SourceGuess(response) }
    #expect(failure.map { $0.description.hasPrefix(message) } == true, "\(failure.map(\.description) ?? "")")
  }

  @Test(arguments: [
    [("Retry-After", "30")], [("X-RateLimit-Remaining", "0")], [("RateLimit", "\"a\";r=0;t=30")],
  ])
  func `A refusal that mentions a rate limit is not reported as a missing credential.`(
    headers: [(String, String)]
  ) throws {
    let refusal = try response("no", headers: headers, status: 403)
    let failure = #expect(throws: DetectionError.self) { try SourceGuess(refusal) }
    let wait = headers[0].0 == "X-RateLimit-Remaining" ? nil : 30.0
    #expect(failure == .rateLimited(403, wait: wait))
  }

  @Test func `[D24] A 403 whose message mentions too many requests requires no credential.`() throws {
    let refusal = try response(#"{"message": "API rate limit exceeded for 192.0.2.1."}"#, status: 403)
    let failure = #expect(throws: DetectionError.self) { try SourceGuess(refusal) }
    #expect(failure == .rateLimited(403, wait: nil))
  }

  @Test func `A hostile response cannot break out of its string or comment.`() throws {
    let body = #"{"it\"ems\n[auth]":[{"id\u001b[31m":"\u202e","n":1}],"next":"/\nx = 1?a=b"}"#
    let text = try document(response(body))
    #expect(text.contains(#"path = "[\"it\\\"ems\\n[auth]\"]""#), "\(text)")
    let unsafe = text.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
    #expect(unsafe.isEmpty)
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("[auth]") || $0.hasPrefix("x = 1") })
  }

  @Test func `A deep, wide or very long response is examined only near its root.`() throws {
    let wide = "{" + (0..<5000).map { #""k\#($0)":{"a":[\#($0)]}"# }.joined(separator: ",") + "}"
    #expect(throws: Never.self) { try? SourceGuess(response(wide)) }
    let members = (0..<3000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    #expect(try SourceGuess(response("[{\(members)}]")).columns.count == 6)
  }

  @Test func `A skeleton names the places to fill in and contains no secret.`() throws {
    let url = WrittenText("https://api.example.org/search?q=tea&api_key=hush")
    let example = try RequestExample(WrittenRequest(url), service: "TEA")
    let text = SourceSkeleton.document(
      id: "tea", title: "Tea", example, failure: .noRows(kind: "an object", keys: []))
    #expect(text.contains("[auth]\ntype = \"query\"\nparam = \"api_key\"\nfrom = [\"env:TEA_TOKEN\"]"))
    #expect(text.contains("params = { q = \"{query}\" }"))
    #expect(!text.contains("hush"))
  }

  @Test(arguments: [
    (#"{"id": 7, "name": "Ann", "roles": ["a", "b"], "plan": {"name": "pro"}}"#, "$ object"),
    (#"{"data": {"login": "ann", "email": "a@x.org"}}"#, "data object"),
    (#"{"version": "1.2", "uptime": 5, "features": {}}"#, "$ object"),
    (#"{"id": 7, "name": "Ann", "posts": [{"id": 1}, {"id": 2}]}"#, "posts list"),
    (#"{"id": 7, "count": 2, "items": ["a", "b"]}"#, "items scalars"),
    (
      #"{"ok": true, "messages": [{"ts": "1", "text": "a"}, {"ts": "2", "text": "b"}], "has_more": true, "channel": {"id": "C1", "name": "general"}}"#,
      "messages list"
    ),
    (
      #"{"id": "C1", "name": "general", "warnings": [{"row": 1, "text": "a"}, {"row": 2, "text": "b"}]}"#,
      "warnings list"
    ),
    (
      #"{"id": 7, "name": "Ann", "links": [{"rel": "self", "href": "/a"}, {"rel": "up", "href": "/b"}]}"#,
      "$ object"
    ),
    (
      #"{"id": 7, "name": "Ann", "next_cursor": "abc"}"#,
      #"no rows found in the response, an object with the keys "id", "name", "next_cursor". Set rows.path to where they are"#
    ),
    (
      #"{"rows": [[1, "a"], [2, "b"]], "suggested_facets": [{"name": "size", "toggle_url": "https://x.org/?_facet=size"}]}"#,
      "rows columns"
    ),
    (
      #"{"status": "ok", "message": "hello", "code": 0}"#,
      #"no rows found in the response, an object with the keys "status", "message", "code". Set rows.path to where they are"#
    ),
    (
      #"{"total": 0, "items": []}"#,
      "items has no rows to detect columns from. Use a URL that returns some, or fill in the source on stdout"
    ),
  ]) func `[S1] A response with an object instead of a list is one row.`(body: String, expected: String)
    throws
  {
    let picture: String
    do {
      let guess = try SourceGuess(response(body))
      let text = guess.document(id: "x", title: "x", pagination: guess.paginations[0])
      let shape = text.firstMatch(of: /shape = "([a-z]+)"/).map { String($0.1) } ?? "list"
      picture = "\(guess.rowsPath) \(shape)"
    } catch { picture = "\(error)" }
    #expect(picture == expected)
  }

  @Test func `Money, names, states and dates are columns before keys for machines.`() throws {
    func order(_ number: Int) -> String {
      """
      {"id": "5f0c2a1e-9b1d-4c55-8a77-0f1e2d3c4b5\(number)", "orderNumber": \(10_040 + number), "status": "paid",
       "customer": {"name": "Ann \(number)"}, "totalPrice": "1\(number).50", "createdAt": "2026-01-0\(number)T08:00:00Z",
       "tenantId": "5f0c2a1e-9b1d-4c55-8a77-0f1e2d3c4b5a", "isTest": false}
      """
    }
    let guess = try SourceGuess(
      response("{\"orders\": [\(order(1)), \(order(2)), \(order(3))]}", at: "https://api.example.org/orders"))
    let picture = guess.columns.map { column in
      [column.path, column.title, column.format, column.isAlignedRight ? "right" : nil].compactMap(\.self)
        .joined(separator: " · ")
    }
    #expect(
      picture == [
        "status", "customer.name", "orderNumber · Order number · right", "totalPrice · Total price · right",
        "createdAt · Created at · relative", "id",
      ])
  }

  @Test func `The rows of a connection are its nodes.`() throws {
    let edges = (1...3).map {
      "{\"cursor\": \"c\($0)\", \"node\": {\"id\": \"\($0)\", \"name\": \"n\($0)\"}}"
    }
    let guess = try SourceGuess(
      response(
        "{\"data\": {\"viewer\": {\"items\": {\"edges\": [\(edges.joined(separator: ", "))]}}}}"))
    #expect(guess.rowsPath == "data.viewer.items.edges[*].node")
    #expect(guess.columns.map(\.path) == ["name", "id"])
  }

  @Test func `The columns of repositories are those that a person would choose.`() throws {
    func row(_ number: Int, _ language: String, _ description: String) -> String {
      """
      {"id": \(1_000 + number), "node_id": "R_kg\(number)", "name": "r\(number)", "full_name": "ann/r\(number)",
       "private": false, "owner": {"login": "ann\(number)", "id": \(number), "avatar_url": "https://a.example/\(number)"},
       "html_url": "https://github.com/ann/r\(number)", "description": \(description), "fork": false,
       "url": "https://api.github.com/repos/ann/r\(number)", "forks_url": "https://api.github.com/f/\(number)",
       "created_at": "2024-05-0\(number)T07:08:09Z", "updated_at": "2026-05-0\(number)T07:08:09Z",
       "git_url": "git://github.com/ann/r\(number).git", "size": \(number * 77), "stargazers_count": \(number * 901),
       "watchers_count": \(number * 901), "language": "\(language)", "forks_count": \(number * 3), "open_issues_count": 7,
       "license": {"key": "mit"}, "visibility": "public", "default_branch": "main", "score": 1}
      """
    }
    let rows = [row(1, "Swift", "\"A tool\""), row(2, "C", "null"), row(3, "Swift", "\"Another tool\"")]
    let guess = try SourceGuess(
      response(
        "{\"total_count\": 30, \"items\": [\(rows.joined(separator: ","))]}",
        at: "https://api.example.org/s?q=t"))
    #expect(
      guess.columns.map(\.path) == [
        "full_name", "language", "stargazers_count", "forks_count", "updated_at", "description",
      ])
  }
}
