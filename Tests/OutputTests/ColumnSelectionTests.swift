import JSON
import Output
import Search
import Testing

@Suite struct ColumnSelectionTests {
  @Test func `Columns are written in the requested order, by name, member or path.`() throws {
    let page = #"[{"name": "n", "owner": {"login": "o"}, "a,b": ["x", "y"], "stars": 3}]"#
    #expect(
      try written("csv", page, columns: #"stars, owner.login ,["a,b"][1],$.name,owner"#)
        == "stars,owner.login,\"[\"\"a,b\"\"][1]\",$.name,owner\n3,o,y,n,\"{\"\"login\"\": \"\"o\"\"}\"\n")
  }

  @Test func `A star stands for all members of the first page that are not listed separately.`() throws {
    let first = #"[{"id": 1, "name": "a"}, {"odd \"key\"": 2, "id": 2}]"#
    #expect(
      try written("csv", first, #"[{"new": 1, "id": 3}]"#, columns: "name,*,@page")
        == "name,id,\"odd \"\"key\"\"\",@page\na,1,,1\n,2,2,1\n,3,,2\n")
  }

  @Test func `Members that appear too late for a star are reported once.`() throws {
    var writer = OutputWriter(
      try #require(OutputFormats.named("csv")), selection: try ColumnSelection(parsing: "*", of: source()),
      outputOptions: OutputOptions())
    var output: [UInt8] = []
    for page in [#"[{"id": 1}]"#, #"[{"id": 2, "new": 1}]"#, #"[{"new": 2, "other": 1}]"#] {
      try writer.append(try rows(page), into: &output)
    }
    #expect(writer.lateKeys == ["new", "other"])
  }

  @Test func `A star stands for at most 1,000 members.`() throws {
    let page = "[{\((1...1002).map { "\"k\($0)\": 1" }.joined(separator: ","))}]"
    var writer = OutputWriter(
      try #require(OutputFormats.named("csv")), selection: try ColumnSelection(parsing: "*", of: source()),
      outputOptions: OutputOptions(hasHeader: false))
    var output: [UInt8] = []
    try writer.append(try rows(page), into: &output)
    #expect(output.count == 2000)
    #expect(writer.lateKeys == ["k1001", "k1002"])
  }

  @Test func `Rows that are not objects are written as one column.`() throws {
    #expect(try written("csv", #"["a", 2, null]"#, columns: "*") == "value\na\n2\n\"\"\n")
    #expect(try written("tsv", #"["a", [1]]"#, of: source([])) == "value\na\n1\n")
  }

  @Test func `A source without columns writes the members of its first rows.`() throws {
    #expect(try written("csv", #"[{"id": 1, "Full Name": "x"}]"#, of: source([])) == "id,full_name\n1,x\n")
  }

  @Test(
    "An impossible column is refused before any request.",
    arguments: [
      ("@lnk", #"unknown column "@lnk". Did you mean "@link"?"#),
      ("@zzz", #"unknown column "@zzz". Use @link, @key, @page, @parent, @source, @json"#),
      ("name,,stars", "empty column name. Write columns as name,owner.login,@link"),
      ("name,stars,name", #"column "name" is listed twice"#),
      ("a[", #"invalid column "a[": "#),
    ])
  func refused(list: String, message: String) throws {
    let error = try #require(throws: ColumnSelectionError.self) {
      try ColumnSelection(parsing: list, of: source())
    }
    #expect("\(error)".hasPrefix(message))
  }

  @Test func `A name that is neither a column nor a member of the first rows is refused with a suggestion.`()
    throws
  {
    let error = try #require(throws: ColumnSelectionError.self) {
      try written("json", "[]", #"[{"name": "n", "watchers": 1}]"#, columns: "watcher,name")
    }
    #expect(
      "\(error)"
        == #"no column "watcher" in source demo. Did you mean "watchers"?"#)
    let far = try #require(throws: ColumnSelectionError.self) {
      try written("json", "[]", #"[{"name": "n", "watchers": 1}]"#, columns: "zzz")
    }
    #expect(
      "\(far)" == """
        no column "zzz" in source demo. Its columns and fields are: name, stars, topics, pushed, note, watchers. \
        For a field of later rows, write $.zzz
        """)
    #expect(try written("csv", #"[{"name": "n"}]"#, columns: "$.watcher,name") == "$.watcher,name\n,n\n")
  }

  @Test func `If the first page is refused, none of it is written.`() throws {
    var writer = OutputWriter(
      try #require(OutputFormats.named("json")),
      selection: try ColumnSelection(parsing: "nope", of: source()),
      outputOptions: OutputOptions())
    var output: [UInt8] = []
    #expect(throws: ColumnSelectionError.self) { try writer.append(try rows(Samples.plain), into: &output) }
    #expect(output.isEmpty)
    try writer.end(into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "[]\n")
  }

  @Test func `A source without links refuses @link.`() throws {
    var source = try source()
    source.rows.link = nil
    source.rows.key = nil
    let error = try #require(throws: ColumnSelectionError.self) {
      try ColumnSelection(parsing: "@link", of: source)
    }
    #expect(
      "\(error)" == #"source demo has no @link. Set rows.link in the source"#)
    let parent = try #require(throws: ColumnSelectionError.self) {
      try ColumnSelection(parsing: "@parent", of: source)
    }
    #expect("\(parent)" == "source demo has no @parent. It is for nested lists, such as gitlab-issues")
  }

  @Test(arguments: OutputFormats.all.map(\.name))
  func `[D52] A link is a URL that can be opened, or empty.`(format: String) throws {
    let links = [
      ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"), ("HTTP://A.example", "http://a.example/"),
      ("https://a.example/a b\u{A0}<'\">", "https://a.example/a%20b%C2%A0%3C%27%22%3E"),
      (" https://a.example/#a b\\", "https://a.example/#a%20b%5C"),
    ]
    let refused = [
      "javascript:alert(1)", "file:///etc/passwd", "--help", "-x", "two words", "ftp://a.example/",
      "//a.example/",
      "/x", "", "https://", "https://u:p@a.example/", "https://a.example/\n--help", "data:text/html,x",
      "https:a",
    ]
    var source = try source([column("id", "id")])
    source.rows.link = try ValueExpression(parsing: "url")
    let texts = links.map(\.0) + refused
    let page = "[\(texts.map { "{\"url\": \(JSONText.quoted($0))}" }.joined(separator: ","))]"
    let template = format == "template" ? ["[", "]"] : []
    let text = try written(
      format, page, columns: "@link", of: source, on: OutputOptions(hasHeader: false, literals: template))
    // LaTeX prints `#` and `%` only after a backslash.
    let printed = format == "latex" ? text.replacing("\\#", with: "#").replacing("\\%", with: "%") : text
    for link in links { #expect(printed.contains(link.1), "\(text)") }
    let words = text.split { !($0.isLetter || ":/-".contains($0)) }
    for word in ["javascript:alert", "file:///etc/passwd", "--help", "two", "ftp://a", "data:text/html"] {
      #expect(!words.contains(Substring(word)), "\(text)")
    }
    if format == "csv" {
      #expect(
        text == links.map { "\($0.1)\n" }.joined() + refused.map { _ in "\"\"\n" }.joined())
    }
  }
}
