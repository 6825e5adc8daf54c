import Config
import JSON
import Search
import Testing
import Text

/// `[rows]`, `[[columns]]`, `[detail]` and `[actions.NAME]`: their meaning and their problems.
@Suite struct ResponseTablesTests {
  private func source(after text: String) throws -> Source {
    try ConfigTests.source(
      """
      schema = 1
      id = "mine"
      [request]
      url = "https://api.example.org/search"
      \(text)
      """)
  }

  @Test(
    arguments: [
      ("path = \"a\"", nil), ("shape = \"list\"", .list), ("shape = \"map\"", .map),
      ("shape = \"scalars\"", .scalars),
      ("shape = \"columns\"", .columns(nil)),
      ("shape = \"columns\"\nnames = [\"id\", \"my name\"]", .columns(.stated(["id", "my name"]))),
    ] as [(String, RowForm?)])
  func `Rule 23: a shape is a list, a map, columns or scalars.`(text: String, form: RowForm?) throws {
    #expect(try source(after: "[rows]\n\(text)").rows.form == form)
  }

  @Test func `Column names may be given as a path to them.`() throws {
    let rows = try source(after: "[rows]\npath = \"[1:]\"\nshape = \"columns\"\nnames = \"columns[*].name\"")
      .rows
    #expect(try rows.form == .columns(.path(JSONPath("columns[*].name"))))
    #expect(try rows.path == JSONPath("[1:]"))
  }

  @Test func `Rows of a map are identified by their names if nothing else identifies them.`() throws {
    #expect(
      try source(after: "[rows]\nshape = \"map\"").rows.key == ValueExpression(parsing: ["id", "@key"]))
    #expect(
      try source(after: "[rows]\nshape = \"map\"\nlink = \"url\"").rows.key
        == ValueExpression(parsing: ["id", "url", "@key"]))
    #expect(try source(after: "").rows.key == ValueExpression(parsing: "id"))
  }

  @Test func `Totals are read with their precision and their own request.`() throws {
    let rows = try source(
      after: """
        [rows]
        total = ["total.value", "header:X-Total"]
        total_exact = "exhaustive"
        total_at_least = { path = "total.relation", equals = "gte" }
        [rows.total_request]
        url = "https://api.example.org/count"
        params = { q = "{query}" }
        total = "count"
        """
    ).rows
    #expect(try rows.totalExact == ValueExpression(parsing: "exhaustive"))
    #expect(rows.totalAtLeast?.test == .equals(["gte"]))
    #expect(try rows.totalRequest?.total == ValueExpression(parsing: "count"))
    #expect(rows.totalRequest?.endpoint.url.text == "https://api.example.org/count")
    #expect(rows.totalRequest?.endpoint.parameters.map(\.name) == ["q"])
  }

  @Test func `A column may have markup, a condition, a zone, wrapped lines and a map of colors.`() throws {
    let columns = try source(
      after: """
        [[columns]]
        path = ["max", "={low} to {high}"]
        name = "range"
        html = "strip"
        when = { path = "state", equals = ["open", "new"] }
        wrap = true
        color = { map = { Open = "success", "won't fix" = "dim" } }
        join = " · "
        empty = "?"
        [[columns]]
        path = "at"
        format = "relative"
        zone = "+09:00"
        color = "dim"
        html = "entities"
        [[columns]]
        path = "text"
        format = "markdown"
        html = "none"
        """
    ).columns
    #expect(columns.map(\.markup) == [.stripped, .decoded, .kept])
    #expect(columns.map(\.zone) == [0, 32_400, 0])
    #expect(columns.map(\.isWrapped) == [true, false, false])
    #expect(columns.map(\.color) == [.byText(["open": .success, "won't fix": .dim]), .always(.dim), nil])
    #expect(columns[0].condition?.test == .equals(["open", "new"]))
    #expect(columns[0].separator == " · " && columns[0].empty == "?")
    #expect(columns[2].format.name == "markdown")
  }

  @Test func `A source whose service cannot search filters on the client.`() throws {
    #expect(try source(after: "[input]\nfilter = \"client\"").input.filter == .client)
    #expect(try source(after: "").input.filter == .server)
  }

  @Test func `A detail has fields in the style of columns, a body and its own request.`() throws {
    let detail = try source(
      after: """
        [options.lang]
        values = ["en", "ja"]
        [[columns]]
        path = "created_at"
        format = "date"
        title = "Made"
        [detail]
        fields = ["full_name", "license.spdx_id", "created_at", "topics[*]"]
        body = { path = "content.rendered", format = "html" }
        [detail.request]
        url = ["url", "=https://api.example.org/items/{id}"]
        path = "data.item"
        params = { full = "1", ids = "{id}", lang = "{lang}" }
        """
    ).detail
    #expect(detail.fields.map(\.title) == ["Full name", "Spdx id", "Made", "Topics"])
    #expect(detail.fields.map(\.name) == ["full_name", "spdx_id", "created_at", "topics"])
    #expect(detail.fields[2].format.name == "date")
    #expect(detail.body?.markup == .stripped)
    #expect(detail.request?.url.alternatives.count == 2)
    #expect(detail.request?.path.map { "\($0)" } == "data.item")
    #expect(detail.request?.parameters.map(\.name) == ["full", "ids", "lang"])
    #expect(
      detail.request?.parameters.map { $0.value.filled(option: { _ in "ja" }, value: { _ in "7" }) } == [
        "1", "7", "ja",
      ])
  }

  @Test func `An action opens a URL or copies text.`() throws {
    let actions = try source(
      after: """
        [options.lang]
        values = ["en"]
        [actions.comments]
        key = "c"
        open = "=https://{lang}.example.org/item/{id}"
        [actions.home]
        key = "H"
        open = ["homepage", "html_url"]
        [actions.clone]
        key = "!"
        copy = "=git clone {ssh_url}"
        [actions.play]
        key = "p"
        run = ["mpv", "--", "{url}", "{lang}"]
        foreground = true
        """
    ).actions
    #expect(actions.map(\.name) == ["comments", "home", "clone", "play"])
    #expect(actions.map(\.key) == ["c", "H", "!", "p"])
    #expect(
      try actions.map(\.effect) == [
        .open(ValueExpression(parsing: "=https://{lang}.example.org/item/{id}", options: ["lang"])),
        .open(ValueExpression(parsing: ["homepage", "html_url"])),
        .copy(ValueExpression(parsing: "=git clone {ssh_url}")),
        .run(
          RowCommand(
            ["mpv", "--", "{url}", "{lang}"].map { try ValueTemplate($0, options: ["lang"]) },
            usesTerminal: true)),
      ])
  }

  @Test(arguments: [
    (
      "shape = \"rows\"",
      "6:9: [rows] shape: expected one of \"list\", \"map\", \"columns\", \"columnar\", \"scalars\", \"object\", \"object or list\", found \"rows\""
    ),
    ("shape = 1", "6:9: [rows] shape: expected a string, found an integer"),
    ("shape = \"list\"\nnames = [\"a\"]", "7:1: [rows] names: requires shape = \"columns\" or \"columnar\""),
    ("names = [\"a\"]", "6:1: [rows] names: requires shape = \"columns\" or \"columnar\""),
    ("shape = \"columns\"\nnames = []", "7:9: [rows] names: expected at least one name, found none"),
    ("shape = \"columns\"\nnames = [\"a\", 2]", "7:15: [rows] names: expected a string, found an integer"),
    ("shape = \"columns\"\nnames = [\"a\", \"b\", \"a\"]", "7:20: [rows] names: \"a\" is listed twice"),
    ("shape = \"columns\"\nnames = 3", "7:9: [rows] names: expected a string, found an integer"),
    (
      "shape = \"columns\"\nnames = \"a b\"",
      "7:9: [rows] names: path \"a b\", character 2: expected \".\", \"[\" or the end, found \" \""
    ),
    (
      "shape = \"map\"\npath = \"items[*]\"",
      "7:8: [rows] path: selects multiple values. Use the path of one object"
    ),
    (
      "shape = \"columns\"\nwhere = { path = \"a\", exists = true }",
      "7:9: [rows] where: not allowed with this shape"
    ),
    (
      "total_exact = \"a[\"",
      "6:15: [rows] total_exact: path \"a[\", character 3: expected an index, a slice, \"*\", a quoted name or name=text, found the end"
    ),
    (
      "total_at_least = { path = \"a\" }",
      "6:18: [rows.total_at_least]: a condition needs one of equals, contains, starts_with, exists"
    ),
    ("total_at_least = \"a\"", "6:18: [rows] total_at_least: expected a table, found a string"),
    (
      "link = \"=https://{host}/x\"",
      "6:8: [rows] link: {host} comes from a response and cannot set the host"
    ),
    ("link = \"=https://x/{id\"", "6:8: [rows] link: unmatched {. Write {{ for a literal brace"),
    (
      "[rows.total_request]\nurl = \"https://api.example.org/n\"",
      "6:1: [rows.total_request] total: missing (where the total is in the response)"
    ),
    (
      "total_request = { url = \"https://other.example.org/n\", total = \"n\" }",
      "6:25: [rows.total_request] url: leads to https://other.example.org, but request.url has the origin https://api.example.org"
    ),
    (
      "total_request = { url = \"https://api.example.org/n\", total = \"n\", headers = {} }",
      "6:67: [rows.total_request] headers: not allowed here. Expected one of method, url, params, body, body_type, total"
    ),
    (
      "path = \"items\"\nid = [\"id\", \"=^.gid/{^.gid}\"]",
      "7:6: [rows] id: ^.gid has no value: the rows are in no other objects. Use ^ with a rows.path like \"groups[*].items[*]\""
    ),
    (
      "path = \"groups[*].items[*]\"\nlink = \"^.links.self\"",
      "7:8: [rows] link: ^.links.self has no value: ^ has only the plain values of the object around a row"
    ),
    (
      "shape = \"map\"\npath = \"items\"\n[[columns]]\npath = \"^.a\"",
      "9:8: [[columns]] path: ^.a has no value: the rows are in no other objects. Use ^ with a rows.path like \"groups[*].items[*]\""
    ),
  ])
  func `Mistakes in rows are reported.`(text: String, problem: String) {
    #expect(problems(after: "[rows]\n\(text)") == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    (
      "html = \"strp\"",
      "7:8: [[columns]] html: expected one of \"none\", \"strip\", \"entities\", found \"strp\". Did you mean \"strip\"?"
    ),
    (
      "format = \"date\"\nzone = \"Europe/Berlin\"",
      "8:8: [[columns]] zone: expected \"UTC\" or an offset like \"+09:00\", found \"Europe/Berlin\""
    ),
    ("zone = \"UTC\"", "7:8: [[columns]] zone: requires format = \"relative\", \"datetime\" or \"date\""),
    ("wrap = \"yes\"", "7:8: [[columns]] wrap: expected true or false, found a string"),
    ("when = { equals = 1 }", "7:8: [columns.when]: a condition needs path or header"),
    ("when = \"a\"", "7:8: [[columns]] when: expected a table, found a string"),
    (
      "color = \"red\"",
      "7:9: [[columns]] color: expected one of \"accent\", \"header\", \"selected\", \"dim\", \"error\", \"warning\", \"success\", \"match\", found \"red\""
    ),
    ("color = {}", "7:9: [columns.color] map: missing (a role for each value, like { open = \"success\" })"),
    (
      "color = { map = { open = \"sucess\" } }",
      "7:26: [columns.color.map] open: expected one of \"accent\", \"header\", \"selected\", \"dim\", \"error\", \"warning\", \"success\", \"match\", found \"sucess\". Did you mean \"success\"?"
    ),
    ("color = { map = { open = 1 } }", "7:26: [columns.color.map] open: expected a string, found an integer"),
    ("color = { mop = {}, map = {} }", "7:11: [columns.color] mop: unknown table. Did you mean \"map\"?"),
  ])
  func `Mistakes in columns are reported.`(text: String, problem: String) {
    #expect(problems(after: "[[columns]]\npath = \"a\"\n\(text)") == "mine.toml:\(problem)")
  }

  @Test func `An option that becomes part of a row's host must have values.`() {
    #expect(
      problems(after: "[options.lang]\n[rows]\nlink = [\"url\", \"=https://{lang}.example.org/{id}\"]")
        == "mine.toml:7:16: [rows] link: {lang} is part of the host and needs an option with values or a charset"
    )
  }

  @Test(arguments: [
    (
      "[detail]\nfields = [\"a\", \"b c\"]",
      "6:16: [detail] fields: path \"b c\", character 2: expected \".\", \"[\" or the end, found \" \""
    ),
    ("[detail]\nbody = { format = \"markdown\" }", "6:8: [detail.body] path: missing (the path of the text)"),
    (
      "[detail]\nbody = { path = \"b\", format = \"md\" }",
      "6:31: [detail.body] format: expected one of \"text\", \"markdown\", \"html\", \"json\", found \"md\""
    ),
    (
      "[detail.request]",
      "5:1: [detail.request] url: missing (the URL of the row, like \"=https://api.example.org/items/{id}\")"
    ),
    (
      "[detail.request]\nurl = \"=https://other.example.org/{id}\"",
      "6:7: [detail.request] url: leads to https://other.example.org, but request.url has the origin https://api.example.org"
    ),
    (
      "[detail.request]\nurl = \"=items/{id}\"",
      "6:7: [detail.request] url: expected a URL that starts with http:// or https://"
    ),
    (
      "[detail.request]\nurl = \"url\"\nparams = { a = 1 }",
      "7:16: [detail.request.params] a: expected a string, found an integer"
    ),
    (
      "[detail.request]\nurl = \"url\"\nparams = { a = \"{\" }",
      "7:16: [detail.request.params] a: \"{\": unmatched {. Write {{ for a literal brace"
    ),
    (
      "[detail.request]\nurl = \"url\"\nparams.api_key = \"s3cr3t\"",
      "7:18: [detail.request.params] api_key: credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"
    ),
    (
      "[detail.request]\nurl = \"url\"\nmethod = \"GET\"",
      "7:1: [detail.request] method: unknown setting. Expected one of url, path, params"
    ),
    (
      "[actions.a]\ncopy = \"id\"", "5:1: [actions.a] key: missing (the character to press after \",\")"
    ),
    (
      "[actions.a]\nkey = \"ctrl-a\"\ncopy = \"id\"",
      "6:7: [actions.a] key: expected one character, like \"c\", found \"ctrl-a\""
    ),
    (
      "[actions.a]\nkey = \" \"\ncopy = \"id\"",
      "6:7: [actions.a] key: expected one character, like \"c\", found \" \""
    ),
    (
      "[actions.a]\nkey = \"\"\ncopy = \"id\"",
      "6:7: [actions.a] key: expected one character, like \"c\", found \"\""
    ),
    (
      "[actions.a]\nkey = \"\\u001b\"\ncopy = \"id\"",
      "6:7: [actions.a] key: expected one character, like \"c\", found \"\\u001b\""
    ),
    ("[actions.a]\nkey = \"a\"", "5:1: [actions.a]: an action needs open, copy or run"),
    (
      "[actions.a]\nkey = \"a\"\ncopy = \"id\"\nforeground = true",
      "8:14: [actions.a] foreground: only an action with run has it"
    ),
    (
      "[actions.a]\nkey = \"a\"\nrun = [\"a\", \"{^.id}\"]",
      "7:13: [actions.a] run: ^.id has no value: the rows are in no other objects. Use ^ with a rows.path like \"groups[*].items[*]\""
    ),
    (
      "[actions.a]\nkey = \"a\"\nopen = \"url\"\ncopy = \"id\"",
      "8:8: [actions.a] copy: open and copy cannot be used together"
    ),
    (
      "[actions.a]\nkey = \"a\"\nopen = \"=javascript:{id}\"",
      "7:8: [actions.a] open: expected a URL that starts with http:// or https://"
    ),
    (
      "[actions.a]\nkey = \"a\"\nopen = \"=https://{h}/\"",
      "7:8: [actions.a] open: {h} comes from a response and cannot set the host"
    ),
    (
      "[actions.a]\nkey = \"a\"\ncopy = \"id\"\n[actions.b]\nkey = \"a\"\ncopy = \"id\"",
      "9:7: [actions.b] key: is already the key of action \"a\""
    ),
  ])
  func `Mistakes in detail and actions are reported.`(text: String, problem: String) {
    #expect(problems(after: text) == "mine.toml:\(problem)")
  }
}
