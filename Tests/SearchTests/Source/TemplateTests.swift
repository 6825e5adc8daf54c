import HTTPValues
import Testing

@testable import Search

@Suite struct TemplateTests {
  private let values = ["query": "a/b c", "sort": "", "size": "30"]

  /// A template and its result; nil if the whole text is dropped.
  @Test(
    arguments: [
      ("{query}", "a/b c"), ("x{size}y", "x30y"), ("{sort?}", nil), ("by {sort?}", nil), ("{sort}", ""),
      ("{{literal}}", "{literal}"), ("", ""), ("{+query}", "a/b c"),
    ] as [(String, String?)]) func `Values are inserted, and an empty optional one drops the whole text.`(
      text: String, expected: String?
    ) throws
  {
    #expect(try Template(text).filled { values[$0] } == expected)
  }

  @Test(arguments: [
    ("{query", "unmatched { in \"{query\". Write {{ or }} for a literal brace"),
    ("query}", "unmatched } in \"query}\". Write {{ or }} for a literal brace"),
    ("{a b}", "invalid placeholder {a b} in \"{a b}\". Write {{ or }} for a literal brace"),
    (
      "{a|}",
      "unknown filter \"\" (available: sql, json, date, iso8601, epoch, epoch_ms) in \"{a|}\". Write {{ or }} for a literal brace"
    ),
    ("{secret:}", "invalid placeholder {secret:} in \"{secret:}\". Write {{ or }} for a literal brace"),
    ("{a:b}", "invalid placeholder {a:b} in \"{a:b}\". Write {{ or }} for a literal brace"),
    ("{a?b}", "invalid placeholder {a?b} in \"{a?b}\". Write {{ or }} for a literal brace"),
    ("{}", "invalid placeholder {} in \"{}\". Write {{ or }} for a literal brace"),
  ]) func `A brace that does not belong to a placeholder is an error.`(text: String, message: String) {
    #expect {
      try Template(text)
    } throws: { error in
      "\(error)" == message
    }
  }

  @Test(arguments: [
    // A valid template is read as one.
    ("{query}", "<query>"), ("{{a}} {{ {{b", "{a} { {b"), ("x", "x"), ("", ""),
    // Otherwise, only text in the form of a placeholder is one.
    (#"{"match": {"title": "{query|json}"}}"#, #"{"match": {"title": "<query>"}}"#),
    (#"{"a": "{query}", "b": {"c": {{"#, #"{"a": "<query>", "b": {"c": {{"#),
    ("{ {{query}} }", "{ {query} }"), ("{ id }", "{ id }"), ("}{", "}{"), ("{", "{"), ("{}", "{}"),
    ("{a b} {query}", "{a b} <query>"), ("{a:b} {+query?}", "{a:b} <query>"), ("{ {a|sql} }", "{ <a> }"),
  ]) func `[D20] Braces of another language are literal in a body.`(text: String, expected: String) throws {
    #expect(try Template(body: text).filled { "<\($0)>" } == expected)
  }

  @Test(arguments: [
    ("query($n:Int!){page(n:$n){id}}", "query($n:Int!){page(n:$n){id}}"),
    ("{ a(q: \"{query|json}\", n: {page_size}) { {id} } }", "{ a(q: \"<query>\", n: <page_size>) { {id} } }"),
    ("query { a(x: \"\\\"{\") {query} # (\n {b} }", "query { a(x: \"\\\"{\") {query} # (\n {b} }"),
    ("{ a(o: {k: 1}) {{ b }} }", "{ a(o: {k: 1}) {{ b }} }"),
  ]) func `[D20] In a GraphQL document, a name in braces selects a field, except in place of a value.`(
    text: String, expected: String
  ) throws {
    #expect(try Template(body: text, isGraphQL: true).filled { "<\($0)>" } == expected)
  }

  @Test func `A placeholder determines how its value is encoded.`() throws {
    #expect(
      try Template("{+a?|sql}").placeholders == [
        Template.Placeholder(name: "a", isOptional: true, keepsSlashes: true, filter: .sql)
      ])
    #expect(try Template("x {secret:api-key?}").placeholders.map(\.secretName) == ["api-key"])
    #expect(try Template("{query}\u{301}").filled { _ in "e" } == "e\u{301}")
    #expect(try Template("'{q|sql}'").filled { _ in "O'N" } == "'O''N'")
    #expect(try Template("{q|json}").filled { _ in "\"\n\\" } == #"\"\n\\"#)
    #expect(try Template("{q|json}").filled { _ in "\u{301}e" } == "\u{301}e")
  }

  /// Each placeholder in an address, and the part that contains it.
  @Test(arguments: [
    ("{base}/{p}?{q}", "base base, p path, q query"), ("https://{h}.a:{n}/{p}", "h host, n host, p path"),
    ("https://a/\u{301}{p}", "p path"), ("https://a?x={q}/{r}", "q query, r query"),
    ("http{s}://a", "s scheme"),
    ("{base}{h}/{p}", "base base, h host, p path"),
  ]) func `A placeholder in a URL belongs to the part that contains it.`(text: String, expected: String)
    throws
  {
    let parts = try Template(text).addressPlaceholders.map { "\($0.name) \($1)" }
    #expect(parts.joined(separator: ", ") == expected)
  }

  @Test func `A path keeps the slashes of a value only if the placeholder says so.`() throws {
    func path(_ text: String) throws -> String? {
      try Template(text).filled({ values[$0] }) { value, placeholder in
        placeholder.keepsSlashes ? PercentEncoding.encodedPath(value) : PercentEncoding.encoded(value)
      }
    }
    #expect(try path("/x/{query}") == "/x/a%2Fb%20c")
    #expect(try path("/x/{+query}") == "/x/a/b%20c")
  }

  /// A run that began at 2026-11-23T04:05:06Z.
  @Test(arguments: [
    ("{today}", "2026-11-23"), ("{today-30d}", "2026-10-24"), ("{today-2w}", "2026-11-09"),
    ("{now}", "2026-11-23T04:05:06Z"), ("{now-12h}", "2026-11-22T16:05:06Z"),
    ("{now-90m|date}", "2026-11-23"), ("{today-1d|iso8601}", "2026-11-22T00:00:00Z"),
    ("{today|epoch}", "1795392000"), ("{now|epoch_ms}", "1795406706000"),
    ("created:>{today-7d}", "created:>2026-11-16"), ("{since|epoch}", "1704067200"),
    ("{since|date}", "2024-01-01"),
    ("{word|epoch}", "soon"),
  ])
  func `A day or a time is counted from the start of the run.`(template: String, text: String) throws {
    var source = Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("https://api.example.org/list")),
      pagination: try Pagination(SinglePage.self, .standard))
    source.endpoint.parameters = [.init(name: "q", value: try Template(template))]
    source.options = [
      SourceOption(name: "since", defaultValue: "2024-01-01T00:00:00Z"),
      SourceOption(name: "word", defaultValue: "soon"),
    ]
    var run = RunContext()
    run.startedAt = 1_795_406_706
    let request = try source.request(
      for: PageRequest(query: Query(), position: .number(0), generation: 0), in: run)
    #expect(request.url.queryItems.map(\.value) == [text])
  }

  @Test(arguments: [
    "today-", "today-30", "today-0d", "today-d", "today--1d", "today-30y", "now-1s", "yesterday", "nowadays",
  ])
  func `Other words are not times.`(name: String) {
    #expect(RelativeDate(name) == nil)
  }
}
