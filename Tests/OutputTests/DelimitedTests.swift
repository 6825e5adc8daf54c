import HTTPValues
import JSON
import Output
import Search
import Testing

@Suite struct DelimitedTests {
  @Test func `CSV writes values quoted as in RFC 4180, with one header for all pages.`() throws {
    #expect(
      try written("csv", Samples.plain, Samples.awkward) == """
        name,stars,topics,pushed,note
        swift/swift,66012,"compiler, language",2023-11-14T22:13:20Z,plain
        日本語 🏗️,9007199254740993,,2023-11-14T22:13:20Z,e\u{301}migre\u{301} 👩‍👩‍👧
        "a,b ""c"" | d",,"{""x"": [1, 2]}",soon,"tab\tand
        line \\ end"
        <b>&amp;</b> *x* _y_ a_b,1e3,"a, , true, {""k"": ""v""}",,\u{1B}[31mred\u{7}\u{202E}evil\u{9B}

        """)
  }

  @Test func `TSV writes one line per row and escapes characters that would break it.`() throws {
    #expect(
      try written("tsv", Samples.plain, Samples.awkward, on: OutputOptions(hasHeader: false)) == """
        swift/swift\t66012\tcompiler, language\t2023-11-14T22:13:20Z\tplain
        日本語 🏗️\t9007199254740993\t\t2023-11-14T22:13:20Z\te\u{301}migre\u{301} 👩‍👩‍👧
        a,b "c" | d\t\t{"x": [1, 2]}\tsoon\ttab\\tand\\nline \\\\ end
        <b>&amp;</b> *x* _y_ a_b\t1e3\ta, , true, {"k": "v"}\t\t\u{1B}[31mred\u{7}\u{202E}evil\u{9B}

        """)
  }

  @Test(arguments: ["csv", "tsv"])
  func `On a terminal, values and keys are sanitized.`(format: String) throws {
    let page = #"[{"k\u001b[2J": "a\u009b\u202eb\nc"}]"#
    #expect(try written(format, page, columns: "*", on: OutputOptions(isTerminal: true)) == "k␛[2J\na�b c\n")
    #expect(
      try written(format, page, columns: "*") == "k\u{1B}[2J\n"
        + (format == "csv" ? "\"a\u{9B}\u{202E}b\nc\"\n" : "a\u{9B}\u{202E}b\\nc\n"))
  }

  @Test func `Without rows, only the header is written.`() throws {
    #expect(try written("csv") == "name,stars,topics,pushed,note\n")
    #expect(try written("tsv", "[]") == "name\tstars\ttopics\tpushed\tnote\n")
    #expect(try written("csv", on: OutputOptions(hasHeader: false)) == "")
    #expect(try written("csv", of: source([])) == "")
  }

  @Test(arguments: [(false, "name,@link\n"), (true, "name,link\n")])
  func `With --csv-safe, no heading of riffle is a formula.`(isSafe: Bool, heading: String) throws {
    let text = try written(
      "csv", #"[{"id": 7, "name": "x"}]"#, columns: "name,@link", on: OutputOptions(isCSVSafe: isSafe))
    #expect(text.hasPrefix(heading))
  }

  @Test(
    arguments: [
      (nil, "name,stars,topics,pushed,note,link"), ("name", "name,link"), ("link", "link"),
      ("name,@link", "name,@link"),
    ] as [(String?, String)])
  func `[P4] The link of the row is the last column, unless it is a column already.`(
    columns: String?, heading: String
  ) throws {
    let text = try written(
      "csv", #"[{"id": 7, "name": "x", "link": "l"}]"#, columns: columns, addingLink: true)
    #expect(text.split(separator: "\n").first.map(String.init) == heading)
    if heading.hasSuffix(",link") { #expect(text.hasSuffix(",https://example.org/item/7\n")) }
  }

  @Test func `[P4] A byte order mark begins the document, also without a heading or rows.`() throws {
    let mark = "\u{FEFF}"
    let options = OutputOptions(hasByteOrderMark: true)
    #expect(Array(try written("csv", "[]", columns: "name", on: options).utf8) == Array("\(mark)name\n".utf8))
    let bare = OutputOptions(hasHeader: false, hasByteOrderMark: true)
    let text = try written("csv", Samples.plain, Samples.plain, columns: "stars", on: bare)
    #expect(text.unicodeScalars.filter { $0 == "\u{FEFF}" }.count == 1)
    #expect(text.unicodeScalars.first == "\u{FEFF}")
  }

  @Test func `A lone empty field is quoted, since readers skip empty lines.`() throws {
    #expect(
      try written("csv", #"[{}, {"note": ""}, {"note": "x"}]"#, columns: "note") == "note\n\"\"\n\"\"\nx\n")
  }

  @Test func `Rows can end with NUL.`() throws {
    #expect(
      try written("tsv", Samples.plain, columns: "name", on: OutputOptions(hasHeader: false, rowEnd: 0))
        == "swift/swift\0日本語 🏗️\0")
  }

  @Test(
    "With --csv-safe, no field is a formula, and numbers stay numbers.",
    arguments: [
      ("=1+2", "'=1+2"), ("+1", "+1"), ("-2.5e-3", "-2.5e-3"), ("-1+cmd", "'-1+cmd"), ("-", "'-"),
      ("+49 30 1", "'+49 30 1"), ("-1e", "'-1e"), ("@sum", "'@sum"), ("\\tx", "'\tx"), ("\\rx", "\"'\rx\""),
      ("＝1", "'＝1"), ("＠x", "'＠x"), ("a=1", "a=1"), ("=a,b", "\"'=a,b\""), ("｡", "｡"),
    ])
  func formulas(json: String, field: String) throws { try check(json, field) }

  @Test(
    "[D54] With --csv-safe, no text after a delimiter of another format is a formula.",
    arguments: [
      ("\\n=1+2", "\"'\n'=1+2\""), ("\\nx", "\"'\nx\""), ("a;=1+2", "a;'=1+2"), ("a\\t=1+2", "a\t'=1+2"),
      ("a\\n@x", "\"a\n'@x\""), ("a\\r\\n-1+cmd;+x", "\"a\r\n'-1+cmd;'+x\""), ("\\t=x", "'\t'=x"),
      (";=x", ";'=x"), ("=a;=\\\"b\\\"", "\"'=a;'=\"\"b\"\"\""), ("1;-2.5;+3\\t-4e5", "1;-2.5;+3\t-4e5"),
      ("a; b;;c=d;", "a; b;;c=d;"), ("x;＝1", "x;'＝1"), ("-", "'-"), (";", ";"),
    ])
  func formulasInside(json: String, field: String) throws { try check(json, field) }

  private func check(_ json: String, _ field: String) throws {
    let page = "[{\"note\": \"\(json)\"}]"
    #expect(
      try written("csv", page, columns: "note", on: OutputOptions(hasHeader: false, isCSVSafe: true)) == field
        + "\n")
  }

  @Test func `Unpaired surrogates and invalid UTF-8 become replacement characters.`() throws {
    var bytes = Array(#"[{"note": "x"#.utf8)
    bytes += [0xFF, 0xFE] + Array(#"\ud800"}]"#.utf8)
    let document = try JSONDocument(bytes)
    let response = ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/"))
    let rows = DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode)))
    var output: [UInt8] = []
    var writer = OutputWriter(
      try #require(OutputFormats.named("csv")), selection: try ColumnSelection(parsing: "note", of: source()),
      outputOptions: OutputOptions())
    try writer.append(OutputRows(rows, arrivedAt: 0, pageNumber: 1), into: &output)
    #expect(String(validating: output, as: UTF8.self) == "note\nx���\n")
  }
}
