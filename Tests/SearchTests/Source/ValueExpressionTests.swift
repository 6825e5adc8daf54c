import HTTPValues
import JSON
import Testing

@testable import Search

/// The location of a value in a response, and the value found there.
@Suite struct ValueExpressionTests {
  private static let body = """
    {"a": {"b": [{"c": 1}, {"c": 2}]}, "odd.key": "odd", "s": "", "n": null, "no": [null, ""], "f": false,
     "list": ["x", "y", "z"], "links": [{"rel": "self", "href": "/1"}, {"rel": "next", "href": "/2"}],
     "id": "a/b c", "page": "?", "owner": {"login": "me"}, "lang": "row", "up": "..", "dot": ".",
     "big": 9007199254740993, "host": "evil.example", "errors": [{"message": null}, {"message": "late"}]}
    """

  private func response() throws -> ResponseValues {
    ResponseValues(
      document: try JSONDocument(Array(Self.body.utf8)),
      headers: [
        HTTPField(received: "X-Total", value: "9"), HTTPField(received: "Link", value: "</2>; rel=next"),
        HTTPField(received: "Empty", value: ""),
      ], url: try WebURL("https://example.org/"), options: ["lang": "ja", "base": "https://x.example/api/"])
  }

  private func text(_ expressions: [String]) throws -> String? {
    try response().text(of: try ValueExpression(parsing: expressions, options: ["lang", "base"]))
  }

  @Test(
    arguments: [
      ("a.b[0].c", "1"), ("a.b[-1].c", "2"), ("a.b[*].c", "1"), ("[\"odd.key\"]", "odd"), ("list[1:]", "y"),
      ("list[:-1]", "x"), ("links[rel=next].href", "/2"), ("a.@key", "a"), ("big", "9007199254740993"),
      ("f", "false"), ("header:x-total", "9"), ("header:X-None", nil), ("link:next", "/2"),
      ("link:prev", nil),
      ("n", nil), ("s", nil), ("missing.x", nil), ("a", nil), ("list", nil), ("$", nil),
      ("errors[*].message", "late"),
    ] as [(String, String?)])
  func `An expression finds its value in the body or a header.`(expression: String, expected: String?) throws
  {
    #expect(try text([expression]) == expected)
  }

  @Test(arguments: [
    (["n", "s", "id"], "a/b c"), (["header:Empty", "header:X-Total"], "9"), (["no[*]", "id"], "a/b c"),
    (["={n}", "=to {s}", "id"], "a/b c"), (["f", "id"], "false"), (["link:prev", "link:next"], "/2"),
  ])
  func `Of several expressions, the first value that is neither null nor "" is used.`(
    expressions: [String], expected: String
  )
    throws
  {
    #expect(try text(expressions) == expected)
  }

  @Test(
    arguments: [
      ("=https://example.org/item/{id}", "https://example.org/item/a%2Fb%20c"),
      ("=https://example.org/item/{+id}", "https://example.org/item/a/b%20c"),
      ("=https://example.org/?q={id}&x={page}", "https://example.org/?q=a%2Fb%20c&x=%3F"),
      ("=https://{lang}.example.org/?curid={big}", "https://ja.example.org/?curid=9007199254740993"),
      ("=https://example.org/{$.lang}", "https://example.org/row"),
      ("={base}/{id}", "https://x.example/api/a%2Fb%20c"),
      ("={base}?q={id}", "https://x.example/api?q=a%2Fb%20c"), ("={lang}: {id}", "ja: a/b c"),
      ("={owner.login}/{id}", "me/a/b c"), ("={{{id}}}", "{a/b c}"), ("=a }} b {{", "a } b {"),
      ("={[\"odd.key\"]}", "odd"), ("={links[rel=next].href}", "/2"), ("={list[*]}", "x"), ("=", nil),
      ("={missing}", nil), ("={s}", nil), ("={a}", nil), ("=https://example.org/{up}/x", nil),
      ("=https://example.org/{+up}", nil), ("=https://example.org/{dot}", nil),
      ("=https://example.org/{dot}{dot}/x", nil),
      ("=https://example.org/?q={up}", "https://example.org/?q=.."),
    ] as [(String, String?)])
  func `A template inserts values, percent-encoded in an address.`(template: String, expected: String?) throws
  {
    #expect(try text([template]) == expected)
  }

  @Test func `Names in quotes may contain braces.`() throws {
    let document = try JSONDocument(Array(#"{"a}\"{": "x"}"#.utf8))
    let response = ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/"))
    let expression = try ValueExpression(parsing: #"=<{["a}\"{"]}>"#)
    #expect(response.text(of: expression) == "<x>")
  }

  @Test(arguments: [
    ("=https://{host}/x", "{host} comes from a response and cannot set the host"),
    ("=https://{lang}.{host}/x", "{host} comes from a response and cannot set the host"),
    ("=http://api.{owner.login}", "{owner.login} comes from a response and cannot set the host"),
    ("=https://example.org{id}/", "{id} comes from a response and cannot set the host"),
  ])
  func `A host never comes from a response.`(template: String, problem: String) throws {
    let error = #expect(throws: ValueExpressionError.self) {
      try ValueExpression(parsing: template, options: ["lang"])
    }
    #expect(error?.problem == problem)
  }

  @Test(arguments: [
    ("=a {b", "unmatched {. Write {{ for a literal brace"),
    ("=a }b", "unmatched }. Write }} for a literal brace"),
    (
      "={}",
      #"path "", character 1: expected a field name, found the end. Write a name with special characters as ["odd.key"]"#
    ),
    ("={a b}", #"path "a b", character 2: expected ".", "[" or the end, found " ""#),
    ("header:", "expected a header name after the colon"),
    ("link:", "expected a link relation after the colon"),
    ("header: X", "expected a header name after the colon"),
    (
      "a..b",
      #"path "a..b", character 3: expected a field name, found ".". Write a name with special characters as ["odd.key"]"#
    ),
  ])
  func `An expression that cannot be parsed is an error.`(expression: String, problem: String) throws {
    let error = #expect(throws: ValueExpressionError.self) { try ValueExpression(parsing: expression) }
    #expect(error?.problem == problem)
  }

  @Test(arguments: [
    "a[9223372036854775807]", "a[-9223372036854775808]", "list[-9223372036854775808:9223372036854775807][9]",
  ])
  func `The largest indexes select nothing.`(path: String) throws {
    #expect(try text([path]) == nil)
  }

  @Test func `Hostile values stay within their place.`() throws {
    let body = #"{"v": "x\r\nHost: evil\u0000@evil.example/../?#{id}%2e%2e\ud800"}"#
    let response = ResponseValues(
      document: try JSONDocument(Array(body.utf8)), headers: [], url: try WebURL("https://example.org/"))
    let text = response.text(of: try ValueExpression(parsing: "=https://example.org/{v}/{v}"))
    let value = "x%0D%0AHost%3A%20evil%00%40evil.example%2F..%2F%3F%23%7Bid%7D%252e%252e%EF%BF%BD"
    #expect(text == "https://example.org/\(value)/\(value)")
  }

  @Test(
    arguments: [
      ("errors[*].message", .equals(["LATE"]), true), ("list[*]", .equals(["q"]), false),
      ("a", .exists(true), true),
      ("n", .exists(true), false), ("n", .exists(false), true), ("list[5:]", .exists(false), true),
      ("header:X-Total", .startsWith(["9"]), true), ("f", .equals(["false"]), true),
      ("a", .equals(["x"]), false),
    ] as [(String, Condition.Test, Bool)])
  func `A condition tests the value of an expression, and one match among several values is enough.`(
    expression: String, test: Condition.Test, holds: Bool
  ) throws {
    #expect(
      try response().holds(Condition(value: try ValueExpression(parsing: expression), test: test)) == holds)
  }
}
