import HTTPValues
import JSON
import Testing

@testable import Search

/// Responses read as pages: rows, notes and error messages.
@Suite struct SourcePageTests {
  private func source(_ change: (inout Source) throws -> Void = { _ in }) throws -> Source {
    var source = Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("https://api.example.org/items")),
      pagination: try Pagination(
        PagePagination.self, PaginationSettings(into: .query("page"), endStatuses: [404])),
      rows: RowShape(
        path: try JSONPath("items"), key: try ValueExpression(parsing: "id"),
        total: try ValueExpression(parsing: "total")),
      errors: ErrorRules(message: try ValueExpression(parsing: "message")))
    try change(&source)
    return source
  }

  /// `3 rows, total 9; note…`, or the error message.
  private func picture(
    _ body: String, status: Int = 200, headers: HTTPFields = [], ordinal: Int = 0, _ source: Source
  ) throws -> String {
    let response = HTTPResponse(
      status: status, headers: headers, body: Array(body.utf8),
      url: try WebURL("https://api.example.org/items"))
    let request = PageRequest(
      query: Query("x"), position: Position(ordinal: ordinal, value: .number(ordinal + 1)), generation: 1)
    do {
      let page = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
      var text = "\(page.rowCount) rows"
      if let total = page.total { text += ", \(total)" }
      if case .end(let reason) = page.continuation { text += ", end \(reason.name)" }
      return ([text] + page.notes).joined(separator: "; ")
    } catch {
      return "\(error.kind): \(error.message)"
    }
  }

  @Test(arguments: [
    (#"{"items": [{"id": 1}, null, {"id": 2}], "total": "9"}"#, "2 rows, exact(9)"),
    (#"{"items": null}"#, "0 rows; no rows: items is null"),
    (#"{"result": [], "count": 0}"#, "unreadable: no rows at \"items\". The response has: result, count"),
    (#"{}"#, "unreadable: no rows at \"items\". The response has: nothing"),
    ("", "unreadable: https://api.example.org/items returned an empty response"),
    (#"{"items": false}"#, "0 rows"), (#"{"items": ""}"#, "0 rows"),
    (
      #"{"items": {"id": 1}}"#,
      "1 rows; page 1 has one object instead of a list. riffle treats it as the only row"
    ),
    (
      #"{"items": [], "ok": false, "error": "no"}"#,
      "rejected: https://api.example.org/items reported an error: no"
    ),
    (
      #"{"items": null, "errors": ["rate limit exceeded"]}"#,
      "rateLimited: https://api.example.org/items reported an error: rate limit exceeded"
    ), (#"{"items": [], "error": null, "message": "nothing found", "status": 200}"#, "0 rows"),
    (")]}'\n{\"items\": [{\"id\": 1}]}", "1 rows"),
    (
      #"{"items": {"a": 1}}"#,
      "unreadable: the value at items (rows.path of source test) is an object, not an array"
    ),
    (
      #"{"items": 7}"#,
      "unreadable: the value at items (rows.path of source test) is a number, not an array"
    ),
    (
      #"{"items": [{"id": 1}, [2]]}"#,
      "unreadable: a row at items of source test is an array, not an object"
    ),
    (
      #"{"items": [{"id": 1}, null, 5]}"#,
      "unreadable: rows at items of source test are of different kinds: an object and a number"
    ),
    (
      #"{"items": ["x", {"id": 1}]}"#,
      "unreadable: rows at items of source test are of different kinds: a string and an object"
    ), (#"{"items": ["x", 5, true]}"#, "3 rows"),
    (#"[1]"#, "unreadable: no rows at items: the response is an array"),
    (
      "<!doctype html><title>Sign\nin</title>",
      "unreadable: https://api.example.org/items returned HTML, not JSON: probably a sign-in page or a wrong URL (its title: \"Sign in\")"
    ),
    (
      "<?xml version=\"1.0\"?><feed/>", "unreadable: https://api.example.org/items returned XML, not JSON"
    ),
  ]) func `Rows are found, or the error names what is there instead.`(body: String, expected: String) throws {
    #expect(try picture(body, source()) == expected)
  }

  @Test func `JSON that is cut off is reported as such.`() throws {
    let words = try picture(#"{"items": [{"id": 1}, {"#, source())
    #expect(
      words.hasPrefix(
        "unreadable: https://api.example.org/items returned incomplete JSON (23 bytes, no content type)"),
      "\(words)")
  }

  @Test(arguments: [
    (404, 1, "0 rows, end status; the service ended this list with status 404"),
    (404, 0, "rejected: https://api.example.org/items returned 404 Not Found: gone"),
    (401, 0, "unauthorized: https://api.example.org/items rejected the request (401 Unauthorized): gone"),
    (403, 0, "unauthorized: https://api.example.org/items rejected the request (403 Forbidden): gone"),
    (429, 0, "rateLimited: rate limited by https://api.example.org/items (429 Too Many Requests): gone"),
    (500, 0, "server: https://api.example.org/items returned 500 Internal Server Error: gone"),
    (418, 0, "rejected: https://api.example.org/items returned 418: gone"),
    (416, 0, "rejected: https://api.example.org/items returned 416: gone"),
    (416, 1, "0 rows, end status; the service ended this list with status 416"), (204, 0, "0 rows"),
  ]) func `A status is an error with a message, unless the source ends its lists with it.`(
    status: Int, ordinal: Int, expected: String
  ) throws {
    #expect(try picture(#"{"message": "gone"}"#, status: status, ordinal: ordinal, source()) == expected)
  }

  @Test(arguments: [
    (#"{"message": "busy"}"#, 0, "rejected: https://api.example.org/items reported an error: busy"),
    (#"{"message": "busy"}"#, 1, "rejected: https://api.example.org/items reported an error: busy"),
    (#"{"items": null}"#, 1, "0 rows, end last"), (#"{"items": []}"#, 1, "0 rows, end last"),
    (
      #"{"items": null, "message": "busy"}"#, 1,
      "rejected: https://api.example.org/items reported an error: busy"
    ),
    (#"{"next": "?page=3"}"#, 1, "unreadable: no rows at \"items\". The response has: next"),
    ("", 1, "unreadable: https://api.example.org/items returned an empty response"),
  ]) func `A promised page that is not a page is an error, never the end.`(
    body: String, ordinal: Int, expected: String
  ) throws {
    let source = try source {
      $0.errors = ErrorRules()
      $0.pagination = try Pagination(
        LinkPagination.self, PaginationSettings(next: try ValueExpression(parsing: "next")))
    }
    #expect(try picture(body, ordinal: ordinal, source) == expected)
  }

  @Test func `A page whose next URL is refused keeps its rows.`() throws {
    let source = try source {
      $0.pagination = try Pagination(
        LinkPagination.self, PaginationSettings(next: try ValueExpression(parsing: "next")))
    }
    let body = #"{"items": [{"id": 1}], "next": "https://evil.example/2"}"#
    #expect(try picture(body, source) == "1 rows, end refused-next")
  }

  @Test(arguments: [
    (#"{"message": "gone"}"#, ": gone"), (#"{"error": "gone", "title": "x"}"#, ": gone"),
    (#"{"error": {"code": 5, "message": "gone"}}"#, ": gone"),
    (#"{"errors": [{"detail": "gone"}]}"#, ": gone"),
    (#"{"errors": ["gone"]}"#, ": gone"), (#"{"error": {"code": 5}, "detail": ["x"]}"#, ""), ("[1]", ""),
    (#"{"message": ""}"#, ""), (#""gone""#, ""),
    // A message that only repeats the status is dropped.
    (#"{"message": "Not Found"}"#, ""), (#"{"error": "404 not found"}"#, ""), (#"{"error": "404"}"#, ""),
  ])
  func `[D61] The message of an error is found in the usual places and does not repeat its status.`(
    body: String, words: String
  ) throws {
    let source = try source { $0.errors = ErrorRules() }
    #expect(
      try picture(body, status: 404, source)
        == "rejected: https://api.example.org/items returned 404 Not Found\(words)")
  }

  @Test func `A page that is gone after the first one does not blame the URL, which worked.`() throws {
    let source = try source { $0.errors = ErrorRules() }
    for (ordinal, remedy) in [(0, "correct request.url in source test"), (1, nil)] as [(Int, String?)] {
      let response = HTTPResponse(
        status: 410, headers: [], body: Array("{}".utf8), url: try WebURL("https://api.example.org/items"))
      let request = PageRequest(
        query: Query("x"), position: Position(ordinal: ordinal, value: .number(ordinal + 1)), generation: 1)
      let error = #expect(throws: PageError.self) {
        _ = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
      }
      #expect(error?.remedy == remedy)
    }
  }

  @Test func `A 403 with Retry-After is a rate limit.`() throws {
    let headers: HTTPFields = [HTTPField(received: "Retry-After", value: "5")]
    #expect(try picture("{}", status: 403, headers: headers, source()).hasPrefix("rateLimited: "))
  }

  /// The advice after a 401 from a source with a token.
  @Test func `A refusal reports whether a credential was sent, and which one.`() throws {
    let source = try source {
      $0.authorization = Authorization(
        .query, ["param": "key"], from: ["from": [.environment("A"), .command(["get", "it"])]],
        isOptional: true)
    }
    func advice(_ credentials: ResolvedCredentials, from url: String = "https://api.example.org/items") throws
      -> String?
    {
      let response = HTTPResponse(status: 401, headers: [], body: Array("{}".utf8), url: try WebURL(url))
      let request = PageRequest(query: Query("x"), position: .number(0), generation: 1)
      do {
        _ = try source.page(from: response, for: request, in: RunContext(credentials: credentials)) {
          .document($0)
        }
        return nil
      } catch { return error.remedy }
    }
    let sent = ResolvedCredentials(
      authorization: PlacedCredential(
        place: .query("key"), secret: Secret("s3cret"), provenance: "cmd:get it"))
    #expect(try advice(sent) == "check the credential that \"get it\" prints")
    #expect(try advice(ResolvedCredentials()) == "no credential was sent: provide one (env:A, cmd:get it)")
    #expect(
      try advice(ResolvedCredentials(absence: "another origin")) == "no credential was sent: another origin")
    #expect(
      try advice(sent, from: "https://cdn.example.org/")
        == "no credential was sent: the credential of source test is sent to https://api.example.org only")
  }

  @Test func `Rows without a key are compared page by page.`() throws {
    let source = try source()
    let response = HTTPResponse(
      status: 200, headers: [], body: Array(#"{"items": [{"a": 1}]}"#.utf8),
      url: try WebURL("https://api.example.org/items"))
    let request = PageRequest(query: Query("x"), position: .number(0), generation: 1)
    let page = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
    #expect(page.keys == [])
    #expect(page.fingerprint != nil)
  }

  @Test func `A required option that is missing is named, and so is a value that is not allowed.`() throws {
    let source = try source {
      $0.options = [SourceOption(name: "site"), SourceOption(name: "sort", values: ["new"])]
    }
    func words(_ options: [String: String]) -> String? {
      do {
        _ = try source.request(
          for: PageRequest(query: Query("x", options: options), position: .number(0), generation: 1),
          in: RunContext())
        return nil
      } catch { return error.message }
    }
    #expect(words([:]) == "source test requires option site")
    #expect(words(["site": "a", "sort": "old"]) == "option sort of source test cannot be \"old\"")
    #expect(words(["site": "a"]) == nil)
  }
}
