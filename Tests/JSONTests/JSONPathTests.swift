import JSON
import Testing

@Suite struct JSONPathTests {
  private static let response = """
    {"a": {"b": [{"c": 1}, {"c": 2}, {"d": 3}]}, "name": "top", "odd.key": "odd", "": "empty", "日本": "ja",
     "links": [{"rel": "self", "href": "/1"}, {"rel": "next", "href": "/2"}, {"rel": "next", "href": "/3"}],
     "n": [{"id": 7, "ok": true, "v": "seven"}, 5, null, {"id": "7", "v": "text"}, {"id": "a]b", "v": "odd"}],
     "grid": [[1, 2], [3], [], 4], "e\\u0301": "decomposed", "key": "member called key"}
    """

  private func texts(_ expression: String) throws -> [String] {
    try JSONPath(expression).values(in: json(Self.response)).map {
      $0.text ?? String(decoding: $0.document.compactBytes(of: $0.node), as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("name", ["top"]),
    ("$.name", ["top"]),
    ("key", ["member called key"]),
    ("a.b[0].c", ["1"]),
    ("a.b[-1].d", ["3"]),
    ("a.b[*].c", ["1", "2"]),
    ("a.b[1:][*]", []),
    ("a.b[1:].c", ["2"]),
    ("a.b[:-1].c", ["1", "2"]),
    ("a.b[1:2].c", ["2"]),
    ("a.b[-2:-1].c", ["2"]),
    ("a.b[:].d", ["3"]),
    ("a.b[2:1]", []),
    ("a.b[9:]", []),
    ("a.b[-9:].c", ["1", "2"]),
    ("a.b[:99].c", ["1", "2"]),
    (#"["odd.key"]"#, ["odd"]),
    (#"[""]"#, ["empty"]),
    (#"["\u65e5本"]"#, ["ja"]),
    ("日本", ["ja"]),
    ("[\"\u{E9}\"]", []),
    ("links[rel=next].href", ["/2"]),
    (#"links["rel"="next"].href"#, ["/2"]),
    ("links[rel=last].href", []),
    ("n[id=7].v", ["seven"]),
    ("n[ok=true].v", ["seven"]),
    (#"n[id="a]b"].v"#, ["odd"]),
    ("grid[*][*]", ["1", "2", "3"]),
    ("grid[*][0]", ["1", "3"]),
    ("grid[0]", ["[1, 2]"]),
    ("grid[4]", []),
    ("name[0]", []),
    ("grid.name", []),
    ("missing.name[*]", []),
    ("a.@key", ["a"]),
    ("a.b[*].c.@key", ["c", "c"]),
    ("@key", []),
  ])
  func `A path selects values.`(expression: String, expected: [String]) throws {
    #expect(try texts(expression) == expected)
    let first = try JSONPath(expression).firstValue(in: json(Self.response))
    #expect(try first?.node == JSONPath(expression).values(in: json(Self.response)).first?.node)
  }

  @Test func `The root is the value that the path is evaluated on, and @key is its name.`() throws {
    let pages = try #require(try json(#"{"pages": {"12": {"t": "x"}, "9": {"t": "y"}}}"#)["pages"])
    let rows = pages.members.map(\.value)
    #expect(try rows.map { try JSONPath("@key").firstValue(in: $0)?.string } == ["12", "9"])
    #expect(try rows.map { try JSONPath("$").firstValue(in: $0)?.node } == rows.map(\.node))
    #expect(try rows.map { try JSONPath("$.t").firstValue(in: $0)?.text } == ["x", "y"])
  }

  @Test(arguments: [
    ("$", "$"), ("$.a", "a"), ("$[0]", "[0]"), ("a.b[0].c", "a.b[0].c"), ("[-1].x", "[-1].x"),
    (#"["a"]["b"]"#, "a.b"), (#"a["odd.key"].b"#, #"a["odd.key"].b"#), (#"[""]"#, #"[""]"#),
    (#"["@key"]"#, #"["@key"]"#), (#"["q\"\\\n"]"#, #"["q\"\\\n"]"#), ("a[*].name", "a[*].name"),
    ("[1:3][:][:-1][2:]", "[1:3][:][:-1][2:]"), ("links[rel=next].href", "links[rel=next].href"),
    (#"l["rel"="next page"]"#, #"l[rel="next page"]"#), (#"l["0"=x]"#, #"l["0"=x]"#),
    ("l[type=text/html]", #"l[type="text/html"]"#), (#"l[rel=""]"#, #"l[rel=""]"#), ("a.@key", "a.@key"),
    ("next-cursor.0.日本", "next-cursor.0.日本"), ("[007]", "[7]"), (#"["hydra:next"]"#, #"["hydra:next"]"#),
  ])
  func `A path has one canonical text, which parses as the same path.`(expression: String, text: String)
    throws
  {
    let path = try JSONPath(expression)
    #expect(path.description == text)
    #expect(try JSONPath(text) == path)
  }

  @Test(arguments: [
    (
      "",
      #"path "", character 1: expected a field name, found the end. Write a name with special characters as ["odd.key"]"#
    ),
    (
      "a..b",
      #"path "a..b", character 3: expected a field name, found ".". Write a name with special characters as ["odd.key"]"#
    ),
    (
      "a.",
      #"path "a.", character 3: expected a field name, found the end. Write a name with special characters as ["odd.key"]"#
    ),
    (
      ".a",
      #"path ".a", character 1: expected a field name, found ".". Write a name with special characters as ["odd.key"]"#
    ),
    ("a b", #"path "a b", character 2: expected ".", "[" or the end, found " ""#),
    ("hydra:next", #"path "hydra:next", character 6: expected ".", "[" or the end, found ":""#),
    (
      "@odata.nextLink",
      #"path "@odata.nextLink", character 1: expected @key, found "@". Write a name with special characters as ["odd.key"]"#
    ),
    ("a.@key.b", #"path "a.@key.b", character 7: expected the end after @key, found ".""#),
    ("$a", #"path "$a", character 2: expected ".", "[" or the end, found "a""#),
    (
      "a[",
      #"path "a[", character 3: expected an index, a slice, "*", a quoted name or name=text, found the end"#
    ),
    (
      "a[]",
      #"path "a[]", character 3: expected an index, a slice, "*", a quoted name or name=text, found "]""#
    ),
    ("a[1", #"path "a[1", character 4: expected "]", found the end"#),
    ("a[-]", #"path "a[-]", character 4: expected a whole number, found "]""#),
    ("a[1:x]", #"path "a[1:x]", character 5: expected a whole number, found "x""#),
    ("a[1:2:3]", #"path "a[1:2:3]", character 6: expected "]", found ":""#),
    (
      "a[99999999999999999999]",
      #"path "a[99999999999999999999]", character 3: expected a whole number of at most 18 digits, found "9""#
    ),
    (
      "a[b]",
      #"path "a[b]", character 4: expected "=" after the name (a name alone is quoted: ["name"]), found "]""#
    ),
    ("a[b=]", #"path "a[b=]", character 5: expected the text to look for, found "]""#),
    (#"a["b]"#, #"path "a[\"b]", character 6: expected a closing quote, found the end"#),
    (
      #"a["b\x"]"#,
      #"path "a[\"b\\x\"]", character 6: expected one of "\/bfnrtu after a backslash, found "x""#
    ),
    (#"a["b""#, #"path "a[\"b\"", character 6: expected "]", found the end"#),
    (#"a["b\"#, #"path "a[\"b\\", character 6: expected a closing quote, found the end"#),
  ])
  func `An error contains its position, the expected input and the input found.`(
    expression: String, message: String
  ) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(expression) }
    #expect(error?.description == message)
  }

  @Test func `Only a path with a star or a slice is plural.`() throws {
    #expect(try ["a[*]", "a[1:]", "a[:]"].allSatisfy { try JSONPath($0).isPlural })
    #expect(try ["$", "a[1].b", "a[b=c]", "@key"].allSatisfy { try !JSONPath($0).isPlural })
  }

  @Test func `The last name in a path is its title.`() throws {
    let names = try ["a.b[0].c[*]", "tags[*].name", "$", "a.@key"].map { try JSONPath($0).lastName }
    #expect(names == ["c", "name", nil, "a"])
  }

  @Test func `A path much deeper than the response needs no recursion.`() throws {
    let path = try JSONPath(String(repeating: "[0]", count: 100_000))
    #expect(try path.values(in: json("[[[]]]")).isEmpty)
  }
}

extension JSONPath {
  fileprivate func values(in value: JSONValue) -> [JSONValue] {
    nodes(in: value.document, from: value.node).map { JSONValue(document: value.document, node: $0) }
  }

  fileprivate func firstValue(in value: JSONValue) -> JSONValue? {
    firstNode(in: value.document, from: value.node).map { JSONValue(document: value.document, node: $0) }
  }
}
