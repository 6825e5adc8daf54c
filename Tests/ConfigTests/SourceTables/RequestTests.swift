import Config
import HTTPValues
import JSON
import Testing

@testable import Search

/// A document and the resulting request.
@Suite struct RequestTests {
  private static let base = "[request]\nurl = \"https://api.example.org/x\"\n"

  @Test func `A query arrives intact in path, parameters and body.`() throws {
    let source = """
      [request]
      url = "https://api.example.org/{query}/{+query}?a={query}"
      params = { q = "{query}", "täg" = "1&2" }
      body = { q = "{query}", "täg" = ["<{query}>"] }
      """
    #expect(
      try RequestPicture(source: source, query: "c++ & 日本語").text == """
        POST https://api.example.org/c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E/\
        c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E?a=c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E\
        &q=c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E&t%C3%A4g=1%262 (once)
        Content-Type: application/json

        {"q":"c++ & 日本語","täg":["<c++ & 日本語>"]}
        """)
    #expect(
      try RequestPicture(source: Self.base + "body.q = \"{query}\"", query: "\" \\ \n\u{7} {page_size}").text
        == """
        POST https://api.example.org/x (once)
        Content-Type: application/json

        {"q":"\\" \\\\ \\n\\u0007 {page_size}"}
        """)
  }

  @Test func `A body may be sent as a form.`() throws {
    let source =
      Self.base + """
        body_type = "form"
        [request.body]
        q = "{query}"
        none = "{word?}"
        limit = "{page_size}"
        exact = true
        tags = ["a b", "c&d"]
        filter = { state = "open", dates = { from = "2024" } }
        "na&me" = "ü=1"
        [pagination]
        type = "none"
        size = { default = 30 }
        [options.word]
        default = ""
        """
    #expect(
      try RequestPicture(source: source, query: "c++ ~tea").text == """
        POST https://api.example.org/x (once)
        Content-Type: application/x-www-form-urlencoded

        q=c%2B%2B+~tea&limit=30&exact=true&tags=a+b&tags=c%26d&filter%5Bstate%5D=open&\
        filter%5Bdates%5D%5Bfrom%5D=2024&na%26me=%C3%BC%3D1
        """)
  }

  @Test func `A request with GET may have a body, and can be repeated.`() throws {
    #expect(
      try RequestPicture(source: Self.base + "method = \"GET\"\nbody.query.match.title = \"{query}\"").text
        == """
        GET https://api.example.org/x
        Content-Type: application/json

        {"query":{"match":{"title":"swift"}}}
        """)
  }

  @Test func `A body keeps the order of its keys and the type of its values.`() throws {
    let source =
      Self.base + """
        [request.body]
        size = "{page_size}"
        page = "{page_size} rows"
        year = "{year}"
        open = "{open}"
        word = "{word}"
        query = "{query}"
        exact = true
        ratio = 1.5
        big = 9007199254740993
        none = {}
        sort = [{ "@timestamp" = "desc" }, [1, "{{x}}"], []]
        [request.body.a.b]
        c = "{query}"
        [options.year]
        default = 2024
        [options.open]
        values = [true, false]
        [options.word]
        default = "2024"
        [pagination]
        type = "none"
        size.default = 30
        """
    #expect(
      try RequestPicture(source: source, query: "12").text == """
        POST https://api.example.org/x (once)
        Content-Type: application/json

        {"size":30,"page":"30 rows","year":2024,"open":true,"word":"2024","query":"12","exact":true,\
        "ratio":1.5,"big":9007199254740993,"none":{},"sort":[{"@timestamp":"desc"},[1,"{x}"],[]],\
        "a":{"b":{"c":"12"}}}
        """)
    #expect(
      try RequestPicture(source: source, options: ["year": "1e3"]).text.contains("\"year\":1e3,"))
    #expect(
      try RequestPicture(source: source, options: ["year": "1}"]).text
        == "option year of source mine cannot be \"1}\". Use a number")
    #expect(
      try RequestPicture(source: source, options: ["open": "maybe"]).text
        == "option open of source mine cannot be \"maybe\". Choose one of true, false")
  }

  @Test func `An empty optional value drops its member and any container left empty.`() throws {
    let source =
      Self.base + """
        [request.body]
        q = "{query?}"
        sort = "by {sort?}"
        filter = [{ term = { lang = "{sort?}" } }]
        keep = [{ term = { lang = "{sort?}", n = 1 } }, "{sort}"]
        all = { match_all = {} }
        [options.sort]
        default = ""
        """
    #expect(
      try RequestPicture(source: source, query: "").text == """
        POST https://api.example.org/x (once)
        Content-Type: application/json

        {"keep":[{"term":{"n":1}},""],"all":{"match_all":{}}}
        """)
    #expect(
      try RequestPicture(source: Self.base + "body.q = \"{query?}\"", query: "").text.hasSuffix("\n\n{}"))
  }

  @Test func `Parameters are texts, numbers, booleans and lists of them.`() throws {
    #expect(
      try RequestPicture(
        source: Self.base + "params = { n = 1, f = [\"a\", 2.5, \"{query}\"], b = true, o = \"{sort?}\" }\n"
          + "headers = { X-Version = 2 }\n[options.sort]\ndefault = \"\""
      ).text == """
        GET https://api.example.org/x?n=1&f=a&f=2.5&f=swift&b=true
        X-Version: 2
        """)
  }

  @Test func `A table under when applies while the option it names has a value.`() throws {
    let source = """
      [request]
      url = "https://api.example.org/x"
      params = { sort = "new", n = 1 }
      headers = { X-Mode = "list" }
      body = { all = true, by = { a = 1, b = 2 } }
      [request.when.query]
      params = { sort = "best", q = "{query}" }
      headers = { x-mode = "search" }
      body = { all = false, by = { b = "{query}" } }
      [request.when.lang]
      params.lang = "{lang}"
      [options.lang]
      default = ""
      """
    #expect(
      try RequestPicture(source: source, query: "").text == """
        POST https://api.example.org/x?sort=new&n=1 (once)
        Content-Type: application/json
        X-Mode: list

        {"all":true,"by":{"a":1,"b":2}}
        """)
    #expect(
      try RequestPicture(source: source, options: ["lang": "ja"]).text == """
        POST https://api.example.org/x?n=1&sort=best&q=swift&lang=ja (once)
        Content-Type: application/json
        x-mode: search

        {"all":false,"by":{"a":1,"b":"swift"}}
        """)
  }

  @Test func `GraphQL is literal text with variables, and is safe unless it is a mutation.`() throws {
    func request(_ document: String, _ rest: String = "") throws -> String {
      try RequestPicture(
        source: Self.base + """
          graphql = '''\(document)'''
          variables = { q = "{query}", n = "{page_size}" }
          \(rest)
          [pagination]
          type = "none"
          size.default = 30
          """
      ).text
    }
    #expect(
      try request("query($q: String!) { a(q: $q) { {id} \"x\" } }") == #"""
        POST https://api.example.org/x
        Content-Type: application/json

        {"query":"query($q: String!) { a(q: $q) { {id} \"x\" } }","variables":{"q":"swift","n":30}}
        """#)
    #expect(try request("# a note\n mutation { a }").hasPrefix("POST https://api.example.org/x (once)\n"))
    #expect(try request("mutation { a }", "safe = true").hasPrefix("POST https://api.example.org/x\n"))
    #expect(try request("{ a }", "safe = false").hasPrefix("POST https://api.example.org/x (once)\n"))
  }

  @Test(arguments: [
    ("", false), ("params.a = \"1\"", false), ("params.q = \"{query?}\"", true),
    ("headers.X = \"a {query}\"", true),
    ("body.a = [{ b = \"{query}\" }]", true), ("graphql = \"{ a }\"\nvariables.q = \"{query}\"", true),
    ("[request.when.query]\nparams.a = \"1\"", true),
    ("[options.o]\ndefault = \"1\"\n[request.when.o]\nparams.a = \"{query}\"", true),
    ("[options.o]\ndefault = \"1\"\n[request.when.o]\nparams.a = \"2\"", false),
    ("[input]\nfilter = \"client\"", true),
    ("[rows.total_request]\nurl = \"https://api.example.org/{query}\"\ntotal = \"n\"", false),
  ])
  func `[D19] A source uses a query if {query} is part of a request for rows, or if it filters them.`(
    rest: String, expected: Bool
  ) throws {
    let document = "schema = 1\nid = \"mine\"\n\(Self.base)\(rest)"
    #expect(try SourceDecoder.source(TOMLDocument(document, file: "mine.toml")).usesQuery == expected)
  }

  @Test func `[D20] A body contains JSON and GraphQL unchanged, with the query inserted.`() throws {
    #expect(
      try RequestPicture(
        source: Self.base + #"""
          body.query = 'query($n:Int!){page(n:$n, q:"{query|json}"){id}}'
          body.filter = '{"title":{"eq":"{query|json}"}}'
          """#
      ).text == #"""
        POST https://api.example.org/x (once)
        Content-Type: application/json

        {"query":"query($n:Int!){page(n:$n, q:\"swift\"){id}}","filter":"{\"title\":{\"eq\":\"swift\"}}"}
        """#)
  }

  @Test func `Values that the pagination adds to the body are merged into it.`() throws {
    var picture = RequestPicture(
      source: Self.base + "body = { pit = { keep = \"1m\" }, after = 1 }\nsafe = true")
    var source = try Config.SourceDecoder.source(
      TOMLDocument("schema = 1\nid = \"mine\"\n\(picture.source)", file: "mine.toml"))
    source.pagination = try Pagination(
      CursorPagination.self,
      PaginationSettings(
        into: .body(["pit", "id"]), size: PaginationSettings.PageSize(slot: .body(["page", "size"])),
        next: ValueExpression(parsing: "next")))
    let position = Position(ordinal: 1, value: .token(JSONToken("a\"b")))
    let page = PageRequest(query: Query("x"), position: position, generation: 1)
    let request = try source.request(for: page, in: RunContext(pageSize: 5))
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"pit":{"keep":"1m","id":"a\"b"},"after":1,"page":{"size":5}}"#)
    picture.query = ""
    source.endpoint.body = nil
    #expect(
      String(decoding: try source.request(for: page, in: RunContext(pageSize: 5)).body, as: UTF8.self)
        == #"{"pit":{"id":"a\"b"},"page":{"size":5}}"#)
  }

  @Test func `A filter escapes a value for the language around it.`() throws {
    #expect(
      try RequestPicture(
        source: Self.base + #"params = { w = "name = '{query|sql}'", j = '{{"q": "{query|json}"}}' }"#,
        query: #"O'Neil "x""#
      ).text == """
        GET https://api.example.org/x?w=name%20%3D%20%27O%27%27Neil%20%22x%22%27&\
        j=%7B%22q%22%3A%20%22O%27Neil%20%5C%22x%5C%22%22%7D
        """)
  }

  @Test func `Headers of the source replace the default ones.`() throws {
    #expect(
      try RequestPicture(
        source: "homepage = \"https://example.org/\"\n\(Self.base)"
          + "user_agent = \"{app}/{version} ({homepage})\"\nbody = {}\n"
          + "headers = { accept = \"application/vnd.x+json\", content-type = \"application/x-ndjson\" }"
      ).text == """
        POST https://api.example.org/x (once)
        accept: application/vnd.x+json
        User-Agent: riffle/1 (https://example.org/)
        content-type: application/x-ndjson

        {}
        """)
    #expect(
      try RequestPicture(source: Self.base + "headers.X-Q = \"{query}\"", query: "a\r\nEvil: 1").text
        == """
        source mine: the value of header X-Q contains a control character, such as a line break
        """)
  }
}
