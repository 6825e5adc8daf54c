import Config
import Testing

@testable import Search

@Suite struct SourceDecodingTests {
  @Test func `A source with every table is read as written.`() throws {
    let source = try source(
      """
      schema = 1
      id = "forge"
      title = "Forge projects"
      homepage = "https://docs.forge.example/search"
      aliases = ["f"]
      enabled = true

      [input]
      min_length = 2
      max_length = 256
      debounce = "400ms"
      live = false
      placeholder = "words"
      examples = ["swift", "rust language:ja"]
      filter = "server"

      [request]
      method = "GET"
      timeout = "20s"
      url = "https://api.forge.example/search/{kind}"
      params = { q = "{query}", sort = "{sort?}" }
      headers = { Accept = "application/json", X-Version = "2", User-Agent = "{app}/{version}" }

      [options.kind]
      values = ["projects", "groups"]
      title = "What"
      [options.sort]
      values = ["", "stars"]

      [auth]
      type = "bearer"
      from = ["env:FORGE_TOKEN", "cmd:forge auth token", "file:~/.forge"]
      optional = true

      [pagination]
      type = "page"
      param = "page"
      first = 1
      size = { param = "per_page", default = 30, max = 100 }
      next = "link:next"
      cap = { rows = 1000, rule = "end" }
      end_status = [422]
      end_on = ["short"]

      [rows]
      path = "items"
      id = "id"
      total = "total_count"
      incomplete = "incomplete_results"
      link = ["html_url", "=https://forge.example/{full_name}"]
      required = true

      [[columns]]
      title = "Project"
      path = "full_name"
      width = { min = 16, max = 48, weight = 2 }
      color = "accent"
      [[columns]]
      path = "star_count"
      format = "number"
      priority = 3
      [[columns]]
      name = "topics"
      path = ["topics[*].name", "labels"]
      format = "list"
      join = "; "
      empty = "–"
      align = "right"
      html = "none"
      width.fixed = 12

      [limits]
      remaining = "header:x-remaining"
      limit = "header:x-limit"
      reset = { from = "header:x-reset", kind = "epoch" }
      bucket = "header:x-resource"
      backoff = "backoff"
      min_interval = "2s"
      concurrency = 1

      [errors]
      message = ["errors[*].message", "message"]
      [[errors.rate_limited]]
      status = [403, 429]
      match = { path = "message", contains = ["secondary", "abuse"] }
      wait_at_least = 60
      [[errors.rate_limited]]
      match = { header = "x-remaining", equals = 0 }
      wait_at_least = "5m"

      [detail]
      fields = ["full_name", "topics"]
      body = { path = "readme", format = "markdown" }
      [actions.issues]
      key = "i"
      open = "=https://forge.example/{full_name}/issues"
      """)
    #expect(
      picture(source) == """
        forge: Forge projects, https://docs.forge.example/search, aliases ["f"]
        input: 2…256 after 400ms, live false
        GET https://api.forge.example/search/{kind}
          ?q={query}
          ?sort={sort?}
          Accept: application/json
          X-Version: 2
          User-Agent: {app}/{version}
        option kind: ["projects", "groups"], default projects
        option sort: ["", "stars"], default 
        auth: bearer header("Authorization") from [env:FORGE_TOKEN, cmd:forge auth token, file:~/.forge], optional true
        pages: page into query("page") first 1, size query("per_page") 30/100, cap 1000 rows end, end [422]
        rows: items
        | full_name "Project" text leading flexible(min: Optional(16), max: Optional(48), weight: 2) p0 accent
        | star_count "Star count" number trailing flexible(min: nil, max: nil, weight: 0) p3 -
        | topics "Topics" list trailing fixed(12) p0 -
        limits: every 2s, 1 at once
        rate limited: [403, 429] wait 60.0
        rate limited: [] wait 300.0
        """)
    #expect(source.endpoint.timeout == .seconds(20))
    #expect(source.limits.resetKind == .epoch)
    #expect(source.columns[2].separator == "; " && source.columns[2].empty == "–")
    #expect(source.errors.rateLimited[1].condition?.test == .equals(["0"]))
    #expect(source.rows.isRequired && source.pagination.settings.endConditions == [.short])
  }

  @Test func `A short source gets the defaults that suit most services.`() throws {
    let source = try source(
      """
      schema = 1
      id = "notes"
      request.url = "https://notes.example/api/items"
      [pagination]
      type = "cursor"
      into = "header:X-After"
      next = "meta.next"
      first = "*"
      [rows]
      path = "$"
      link = "url"
      [[columns]]
      path = "$"
      title = "Note"
      [[columns]]
      path = "user.id"
      [[columns]]
      path = "author.id"
      """)
    #expect(
      picture(source) == """
        notes: notes, no homepage, aliases []
        input: 1… after 300ms, live true
        GET https://notes.example/api/items
        no auth
        pages: cursor into header("X-After") first *, size - 0/0, cap -, end []
        rows: $
        | note "Note" text leading flexible(min: nil, max: nil, weight: 0) p0 -
        | id "Id" text leading flexible(min: nil, max: nil, weight: 0) p0 -
        | id_2 "Id 2" text leading flexible(min: nil, max: nil, weight: 0) p0 -
        limits: every 0s, 4 at once
        """)
    #expect(try source.rows.key == ValueExpression(parsing: ["id", "url"]))
  }

  @Test func `Without a pagination table, all rows are on one page.`() throws {
    let source = try source("schema = 1\nid = \"one\"\nrequest.url = \"http://localhost:8080/all\"")
    #expect(source.pagination.name == "none")
  }

  @Test(arguments: [
    ("params.q = \"{query}\"", true), ("params.q = \"{query?}\"", true),
    ("headers.X-Query = \"{query}\"", true),
    ("body.a = [{ b = \"x {query}\" }]", true), ("when.query.params.q = \"{query}\"", true),
    ("params.q = \"words\"", false), ("params.q = \"{query}\"\n[input]\nmin_length = 0", false),
    ("[input]\nfilter = \"client\"", false),
    ("params.q = \"{query}\"\n[input]\nfilter = \"client\"", false),
  ])
  func `[D9] A source needs a query if its request has a required place for one.`(
    request: String, needsQuery: Bool
  ) throws {
    let source = try source(
      "schema = 1\nid = \"one\"\n[request]\nurl = \"https://a.example\"\nmethod = \"POST\"\n\(request)")
    #expect(source.needsQuery == needsQuery)
    #expect(Session.Rules(source, pageSize: nil).minLength == (needsQuery ? 1 : 0))
  }

  @Test func `The input table of the settings applies where the source sets nothing.`() throws {
    let document = try TOMLDocument(
      "schema = 1\nid = \"one\"\nrequest.url = \"https://a.example\"\ninput.min_length = 3", file: "one.toml")
    let source = try SourceDecoder.source(document, input: SearchInput(debounce: .seconds(1)))
    #expect(source.input == SearchInput(minLength: 3, debounce: .seconds(1)))
  }
}
