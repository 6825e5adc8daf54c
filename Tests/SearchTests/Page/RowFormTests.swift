import JSON
import Testing

@testable import Search

/// Rules 23 and 5: a response, a shape and the resulting rows.
@Suite struct RowFormTests {
  private func rows(_ path: String, _ form: RowForm?) throws -> RowShape {
    RowShape(path: try JSONPath(path), form: form)
  }

  private func names(_ path: String) throws -> RowForm { .columns(.path(try JSONPath(path))) }

  @Test
  func `Rule 23: rows may be objects in a list, values of a map, arrays with a column list, or scalars.`()
    throws
  {
    let list = ResponsePicture(rows: try rows("items", .list), columns: try columns("id", "name"))
    #expect(
      try list.text(#"{"items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#) == """
        1 | a
        2 | b
        """)
    let map = ResponsePicture(rows: try rows("pages", .map), columns: try columns("@key", "title"))
    #expect(
      try map.text(#"{"pages": {"12": {"title": "a"}, "9": {"title": "b"}}}"#) == """
        12 | a
        9 | b
        """)
    let arrays = ResponsePicture(
      rows: try rows("rows", .columns(.stated(["id", "city"]))), columns: try columns("city", "id"))
    #expect(
      try arrays.text(#"{"rows": [[3, "Detroit"], [2, "Los Angeles"]]}"#) == """
        Detroit | 3
        Los Angeles | 2
        """)
    let scalars = ResponsePicture(rows: try rows("repositories", .scalars), columns: try columns("$"))
    #expect(try scalars.text(#"{"repositories": ["a", "b", 3, true]}"#) == "a\nb\n3\ntrue")
  }

  @Test func `Without columns, a shape shows what its rows contain.`() throws {
    func text(_ form: RowForm?, _ body: String) throws -> String {
      try ResponsePicture(rows: try rows("$", form)).text(body)
    }
    #expect(try text(.map, #"{"12": {"t": "a", "key": "k"}, "9": {"t": "b"}}"#) == "12 | a\n9 | b")
    #expect(try text(.map, #"{"USD": 1.08, "JPY": 160}"#) == "USD | 1.08\nJPY | 160")
    #expect(try text(.scalars, #"["a", "b"]"#) == "a\nb")
    #expect(try text(nil, #"["a", "b"]"#) == "a\nb")
    #expect(try text(.columns(nil), #"[[1, "a"], [2]]"#) == "1 | a\n2 | ")
    #expect(try text(.columns(.stated(["id"])), #"[[1, "a"], [2, "b"]]"#) == "1\n2")
    #expect(try text(names("c"), "[]") == "")
  }

  @Test func `Without columns, neither the place of a row nor its enclosing object is a column.`() throws {
    var shape = try rows("hits[*].document", nil)
    let body = #"{"hits": [{"id": 7, "document": {"name": "a", "count": 1}}]}"#
    #expect(try ResponsePicture(rows: shape).text(body) == "a | 1")
    shape.key = try ValueExpression(parsing: "^.id")
    #expect(try ResponsePicture(rows: shape).text(body) == "a | 1")
  }

  @Test func `One object is the only row.`() throws {
    let me = ResponsePicture(rows: try rows("$", .object), columns: try columns("login", "id"))
    #expect(try me.text(#"{"id": 7, "login": "ann"}"#) == "ann | 7")
    let nested = ResponsePicture(rows: try rows("data.viewer", .object), columns: try columns("login"))
    #expect(try nested.text(#"{"data": {"viewer": {"login": "ann"}}}"#) == "ann")
    #expect(try nested.text(#"{"data": {"viewer": null}}"#) == "no rows: data.viewer is null")
    #expect(
      try nested.text(#"{"data": {"viewer": [1]}}"#)
        == "the value at data.viewer (rows.path of source test) is an array, not an object. Correct rows.path"
    )
  }

  @Test(arguments: [
    ("edges[*].node", #"{"edges": [{"node": {"id": 1}}, {"node": null}, {"node": {"id": 3}}]}"#, "1\n3"),
    (
      "groups[*].items[*]", #"{"groups": [{"items": [{"id": 1}, {"id": 2}]}, {}, {"items": [{"id": 3}]}]}"#,
      "1\n2\n3"
    ),
    ("t[1:]", #"{"t": [{"id": 0}, {"id": 1}]}"#, "1"),
    ("groups[*].items[*]", #"{"groups": []}"#, ""),
    ("groups[*].items[*]", "{}", "no rows at \"groups[*].items[*]\". The response has: nothing. \(remedy)"),
    (
      "groups[*].items[*]", #"{"groups": [{"items": [4]}]}"#,
      "a row at groups[*].items[*] of source test is a number, not an object. Set rows.shape = \"scalars\" for such rows"
    ),
  ])
  func `A path that selects several values selects the rows themselves.`(
    path: String, body: String, rows expected: String
  ) throws {
    #expect(
      try ResponsePicture(rows: try rows(path, .list), columns: try columns("id")).text(body) == expected)
  }

  @Test(arguments: [
    (
      "groups[*].items[*]", "id, ^.name, ^.big",
      #"{"groups": [{"name": "a", "big": [1], "items": [{"id": 1}, {}]}, {"items": [{"id": 3}], "name": "b"}]}"#,
      "1 | a | \n | a | \n3 | b | "
    ),
    (
      "edges[*].node", "id, ^.cursor",
      #"{"edges": [{"cursor": "x=", "node": {"id": 1.50}}, {"node": {"id": 2}}]}"#,
      "1.50 | x=\n2 | "
    ),
    (
      "[*].rows[*]", #"id, =in {^["a b"]}"#, #"[{"a b": "}\"", "rows": [{"id": 1, "^": "own"}]}]"#,
      #"1 | in }""#
    ),
  ])
  func `A column may read the object around a row.`(
    path: String, columns texts: String, body: String, rows expected: String
  ) throws {
    let own = try texts.split(separator: ", ").flatMap { try columns(String($0)) }
    #expect(try ResponsePicture(rows: try rows(path, .list), columns: own).text(body) == expected)
  }

  @Test func `Values that fail the condition are received but are not rows.`() throws {
    var shape = try rows("items", .list)
    shape.condition = Condition(value: try expression("kind"), test: .equals(["post"]))
    let picture = ResponsePicture(rows: shape, columns: try columns("id"))
    let body = #"{"items": [{"id": 1, "kind": "ad"}, {"id": 2, "kind": "post"}, {"id": 3}, null]}"#
    #expect(try picture.text(body) == "2")
    #expect(try picture.page(body).received == 4)
  }

  @Test func `Column names may come from the response.`() throws {
    let plain = ResponsePicture(rows: try rows("rows", names("columns")), columns: try columns("name", "id"))
    #expect(try plain.text(#"{"columns": ["id", "name"], "rows": [[1, "a"], null, [2]]}"#) == "a | 1\n | 2")
    let objects = ResponsePicture(rows: try rows("rows", names("columns[*].name")))
    let body = #"{"columns": [{"name": "id"}, {"name": "na\"me"}], "rows": [[9007199254740993, {"x": 1}]]}"#
    #expect(try objects.text(body) == "9007199254740993")
    #expect(
      try plain.text(#"{"columns": [1, null], "rows": [[1]]}"#)
        == "rows.names of source test (columns) is not a list of names in the response. Correct rows.names, or list the names in it"
    )
    #expect(try plain.text(#"{"rows": []}"#) == "")
  }

  private static let heading = (try? JSONPath("t[0]")).map { ColumnNames.path($0) }

  /// A table with a heading, a list in groups, a table stored by column, plain values and objects.
  private static let tables = """
    {"t": [["id", "city"], [3, "Oslo"], [2, "Rome"]], "g": [{"r": [[3, "Oslo"]]}, {"r": [[2, "Rome"]]}],
     "c": [[3, 2], ["Oslo", "Rome"]], "p": ["Oslo", "Rome"], "o": [{"id": 3}, {"id": 2}]}
    """

  @Test(
    arguments: [
      ("t[1:]", .columns(heading), "Oslo | 3\nRome | 2"),
      ("t[1:]", .columns(.stated(["id", "city"])), "Oslo | 3\nRome | 2"),
      ("t[1:2]", .columns(heading), "Oslo | 3"),
      ("t[-1:]", .columns(heading), "Rome | 2"),
      ("t[9:]", .columns(heading), ""),
      ("t[*]", .columns(heading), "city | id\nOslo | 3\nRome | 2"),
      ("t", .columns(heading), "city | id\nOslo | 3\nRome | 2"),
      ("g[*].r[*]", .columns(heading), "Oslo | 3\nRome | 2"),
      ("g[1:].r[*]", .columns(.stated(["id", "city"])), "Rome | 2"),
      ("c", .columnar(heading), "Oslo | 3\nRome | 2"),
      ("c[*]", .columnar(.stated(["id", "city"])), "Oslo | 3\nRome | 2"),
      ("c[1:]", .columnar(.stated(["city"])), "Oslo | \nRome | "),
      (
        "p[1:]", .columns(nil),
        "a row at p[1:] of source test is a string, not an array. Set rows.shape = \"scalars\" for such rows"
      ),
      (
        "o[*]", .columns(nil),
        "a row at o[*] of source test is an object, not an array. Set rows.shape = \"list\" for such rows"
      ),
      (
        "p[*]", .columnar(nil),
        "the value at p[*] (rows.path of source test) is a string, not an array. Correct rows.path"
      ),
      ("x[1:]", .columns(nil), "no rows at \"x[1:]\". The response has: t, g, c, p, o. \(remedy)"),
      ("x[*].y", .columnar(nil), "no rows at \"x[*].y\". The response has: t, g, c, p, o. \(remedy)"),
    ] as [(String, RowForm, String)])
  func `[D18] A slice or wildcard selects rows; only in the columnar shape does it select columns.`(
    path: String, form: RowForm, rows expected: String
  ) throws {
    let picture = ResponsePicture(rows: try rows(path, form), columns: try columns("city", "id"))
    #expect(try picture.text(Self.tables) == expected)
  }

  @Test func `Rows of a columnar table are assembled across its arrays.`() throws {
    let picture = ResponsePicture(
      rows: RowShape(
        path: try JSONPath("[1:]"), form: .columnar(.stated(["title", "description", "url"])),
        link: try ValueExpression(parsing: "url")),
      columns: try columns("title", "description"))
    let body = """
      ["new y", ["New York", "New York City"], ["", "a city"],
       ["https://en.wikipedia.org/wiki/New_York"]]
      """
    #expect(
      try picture.text(body) == """
        New York |  → https://en.wikipedia.org/wiki/New_York
        New York City | a city
        """)
    let page = try picture.page(body)
    #expect(page.received == 2)
    #expect(
      try picture.text(#"["q", ["a"], 7]"#)
        == "the value at [1:] (rows.path of source test) is a number, not an array. Correct rows.path")
  }

  @Test func `Arrays without names are read by index.`() throws {
    let picture = ResponsePicture(rows: try rows("rows", .columns(nil)), columns: try columns("[1]", "[-1]"))
    #expect(
      try picture.text(#"{"rows": [[3, "Detroit"], null, [2, "Los Angeles", true]]}"#) == """
        Detroit | Detroit
        Los Angeles | true
        """)
  }

  @Test(
    arguments: [
      (nil, #"{"a": 1}"#, "is an object, not an array"),
      (nil, "7", "is a number, not an array"),
      (nil, #""x""#, "is a string, not an array"),
      (nil, "true", "is a boolean, not an array"),
      (nil, #"[{"id": 1}, [2]]"#, "a row at rows of source test is an array, not an object"),
      (nil, #"[{"id": 1}, "b"]"#, "a row at rows of source test is a string, not an object"),
      (.list, #"["a"]"#, "a row at rows of source test is a string, not an object"),
      (.scalars, #"["a", {"id": 1}]"#, "a row at rows of source test is an object, not text or a number"),
      (.scalars, #"{"a": 1}"#, "is an object, not an array"),
      (.map, #"[{"id": 1}]"#, "is an array, not an object"),
      (.map, #""x""#, "is a string, not an object"),
      (.columns(nil), #"[[1], {"id": 1}]"#, "a row at rows of source test is an object, not an array"),
      (.columns(.stated(["a"])), #"[1]"#, "a row at rows of source test is a number, not an array"),
      (.columns(.stated(["a"])), #"{"a": [1]}"#, "is an object, not an array"),
    ] as [(RowForm?, String, String)])
  func
    `Rule 5: rows of a type other than the shape, or a scalar instead of rows, are an error that names the type.`(
      form: RowForm?, rows: String, error: String
    ) throws
  {
    let picture = ResponsePicture(rows: try self.rows("rows", form), columns: try columns("id"))
    let text = try picture.text("{\"rows\": \(rows)}")
    #expect(text.contains(error), "\(text)")
  }

  @Test(
    arguments: [nil, .list, .map, .scalars, .columns(nil), .columns(.stated(["a"])), .columnar(nil)]
      as [RowForm?])
  func `Rule 5: null in place of the rows is an empty page, and a missing path an error unless declared.`(
    form: RowForm?
  ) throws {
    var picture = ResponsePicture(rows: try rows("data.rows", form), columns: try columns("a"))
    #expect(try picture.text(#"{"data": {"rows": null}, "ok": 1}"#) == "no rows: data.rows is null")
    #expect(try picture.text("{}") == "no rows at \"data.rows\". The response has: nothing. \(remedy)")
    #expect(try picture.text("[]").hasPrefix("no rows at data.rows: the response is an array"))
    picture.rows.isRequired = true
    #expect(try picture.text("{}").hasPrefix("no rows at data.rows: the response is an object"))
    picture.rows.mayBeMissing = true
    #expect(try picture.text("{}") == "")
  }

  @Test func `Rule 5: null entries inside rows are skipped and counted as received.`() throws {
    for (form, body) in [
      (nil, #"[null, {"a": 1}, null]"#), (.map, #"{"x": null, "y": {"a": 1}, "z": null}"#),
      (.scalars, #"[null, 1, null]"#), (.columns(nil), "[null, [1], null]"),
      (.columns(.stated(["a"])), "[null, [1], null]"),
    ] as [(RowForm?, String)] {
      let page = try ResponsePicture(rows: try rows("$", form)).page(body)
      #expect(page.rowCount == 1)
      #expect(page.received == 3)
    }
  }

  @Test func `Plain rows need no shape if the source reads $ itself.`() throws {
    let body = #"{"repositories": ["b", "a"]}"#
    var picture = ResponsePicture(rows: try rows("repositories", nil), columns: try columns("$"))
    picture.rows.key = try ValueExpression(parsing: "$")
    #expect(try picture.text(body) == "b\na")
    #expect(try picture.page(body).keys == [RowKey.hash("b"), RowKey.hash("a")])
    picture.columns = try columns("name")
    #expect(try picture.text(body) == "\n")
    picture.rows.key = nil
    #expect(
      try picture.text(body)
        == "a row at repositories of source test is a string, not an object. Set rows.shape = \"scalars\" for such rows"
    )
  }

  @Test func `For duplicate names in a map, the last value is the row, and PHP's empty map is empty.`() throws
  {
    let picture = ResponsePicture(rows: try rows("$", .map), columns: try columns("@key", "v"))
    #expect(try picture.text(#"{"a": {"v": 1}, "b": {"v": 2}, "a": {"v": 3}}"#) == "a | 3\nb | 2")
    #expect(try picture.text("[]") == "")
  }

  @Test func `Rule 20: numbers keep their text and ids above 2^53 stay exact, in every shape.`() throws {
    for (form, path, body) in [
      (.list, "n", #"[{"n": 9007199254740993}, {"n": 1.10}, {"n": 1E400}]"#),
      (.map, "$", #"{"a": 9007199254740993, "b": 1.10, "c": 1E400}"#),
      (.scalars, "$", "[9007199254740993, 1.10, 1E400]"),
      (.columns(nil), "[0]", "[[9007199254740993], [1.10], [1E400]]"),
      (.columns(.stated(["n"])), "n", "[[9007199254740993], [1.10], [1E400]]"),
    ] as [(RowForm, String, String)] {
      let picture = ResponsePicture(rows: try rows("$", form), columns: try columns(path))
      #expect(try picture.text(body) == "9007199254740993\n1.10\n1E400")
    }
  }

  @Test func `A small response cannot produce unlimited rows.`() throws {
    let wide = ResponsePicture(rows: try rows("[*]", .columnar(nil)))
    let columns =
      "[" + String(repeating: "0,", count: 99_999) + "0]" + String(repeating: ",[]", count: 20_000)
    #expect(
      try wide.text("[\(columns)]") == "the rows of source test, with their column names, exceed 64 MiB")
    let name = String(repeating: "x", count: 10_000)
    let named = ResponsePicture(rows: try rows("rows", names("names")))
    let rows = String(repeating: "[1],", count: 9_999) + "[1]"
    #expect(
      try named.text("{\"names\": [\"\(name)\"], \"rows\": [\(rows)]}")
        == "the rows of source test, with their column names, exceed 64 MiB")
    let many = String(repeating: "1,", count: 100_000) + "1"
    let scalars = ResponsePicture(rows: try self.rows("$", .scalars))
    #expect(try scalars.text("[\(many)]") == "a page has 100001 rows, more than the limit of 100,000")
  }

  @Test func `Malformed text stays within its cell.`() throws {
    let picture = ResponsePicture(rows: try rows("$", .columns(.stated(["a"]))), columns: try columns("a"))
    #expect(try picture.text(#"[["\ud800\u0000"], ["\"}]"], [{"a": [1]}]]"#) == "�␀\n\"}]\n{\"a\": [1]}")
  }
}

/// What to do about a path that is not in a response.
private let remedy =
  "Correct rows.path in source test. If a response without it means no rows, set rows.missing = \"empty\""
