import Output
import Search
import Testing
import Text

@Suite struct TableTests {
  /// Removing one space at a time would be slow in a text of millions.
  @Test(.timeLimit(.minutes(2)))
  func `[D54] Spaces at the end of a line are removed, however many there are.`()
    throws
  {
    let blanks = String(repeating: " ", count: 1_000_000)
    #expect(
      try written(
        "table", "[{\"name\": \"a\", \"note\": \"\(blanks)\"}]", columns: "name,note",
        on: OutputOptions(hasHeader: false))
        == "a\n")
    #expect(
      try written(
        "table", #"[{"name": "a"}, {"note": "é "}]"#, columns: "name,note",
        on: OutputOptions(hasHeader: false))
        == "a  -\n   é\n")
  }

  @Test func `In a pipe, a table is as wide as its first page needs, and nothing is truncated.`() throws {
    #expect(
      try written("table", Samples.plain, Samples.awkward) == """
        Name         Stars  Topics              Pushed      Note
        swift/swift  66.0k  compiler, language  2023-11-14  plain
        日本語 🏗️    9007T                      2023-11-14  e\u{301}migre\u{301} 👩‍👩‍👧
        a,b "c" | d         {"x": [1, 2]}       soon        tab and line \\ end
        <b>&amp;</b> *x* _y_ a_b   1.0k  a, , true, {"k": "v"}              \u{1B}[31mred\u{7}\u{202E}evil\u{9B}

        """)
  }

  @Test
  func `On a terminal, a table fits its width, wide cells are truncated and nothing controls the terminal.`()
    throws
  {
    #expect(
      try written("table", Samples.plain, Samples.awkward, on: OutputOptions(isTerminal: true, width: 60))
        == """
        Name         Stars  Topics             Pushed      Note
        swift/swift  66.0k  compiler, langua…  2023-11-14  plain
        日本語 🏗️    9007T                     2023-11-14  e\u{301}migre\u{301} 👩‍👩‍👧
        a,b "c" | d         {"x": [1, 2]}      soon        tab and …
        <b>&amp;</…   1.0k  a, , true, {"k":…              ␛[31mred…

        """)
  }

  @Test func `On a terminal, a number is never cut: its column has room, or its cell only a mark.`() throws {
    #expect(
      try written(
        "table", #"[{"name": "long", "stars": 7, "note": "a note of forty letters and more, so wide"}]"#,
        #"[{"name": "x", "stars": -12345, "note": "a note of forty letters and more, so wide"}]"#,
        columns: "name,stars,note", on: OutputOptions(isTerminal: true, width: 24)) == """
          Name  Stars  Note
          long      7  a note of …
          x         …  a note of …

          """)
    #expect(
      try written(
        "table", #"[{"name": "a name of forty letters and more, so wide", "stars": -12345}]"#,
        columns: "name,stars", on: OutputOptions(isTerminal: true, width: 16)) == """
          Name       Stars
          a name …  -12.3k

          """)
  }

  @Test func `On a terminal, a cell wider than those of the first page is shown whole if its row has space.`()
    throws
  {
    #expect(
      try written(
        "table", #"[{"name": "a", "stars": 1}]"#,
        #"[{"name": "a longer name", "stars": 10}, {"name": "far too long for any of it", "stars": 100}, {"name": "\u001b[31mred"}]"#,
        columns: "name,stars", on: OutputOptions(isTerminal: true, width: 24)) == """
          Name  Stars
          a         1
          a longer name     10
          far…    100
          ␛[31mred

          """)
  }

  @Test func `A frame in the style of psql is opened once for all pages and closed once.`() throws {
    #expect(
      try written("psql", Samples.plain, Samples.awkward, columns: "name,stars") == """
        +-------------+-------+
        | Name        | Stars |
        +-------------+-------+
        | swift/swift | 66.0k |
        | 日本語 🏗️   | 9007T |
        | a,b "c" | d |       |
        | <b>&amp;</b> *x* _y_ a_b |  1.0k |
        +-------------+-------+

        """)
  }

  @Test func `The frame counts toward the width of a terminal.`() throws {
    let text = try written(
      "psql", Samples.plain, Samples.awkward, on: OutputOptions(isTerminal: true, width: 40))
    let widths = Set(text.split(separator: "\n").map { Sanitized(String($0)).width(.clusters) })
    #expect(widths == [40])
  }

  @Test func `A grid has a line below every row.`() throws {
    #expect(
      try written("grid", Samples.plain, columns: "name,stars") == """
        +-------------+-------+
        | Name        | Stars |
        +=============+=======+
        | swift/swift | 66.0k |
        +-------------+-------+
        | 日本語 🏗️   | 9007T |
        +-------------+-------+

        """)
  }

  @Test(
    "Without rows, a table still has its header.",
    arguments: [
      ("table", "Name  Stars\n"),
      ("plain", "Name Stars\n"),
      ("simple", "Name Stars\n---- -----\n"),
      ("psql", "+------+-------+\n| Name | Stars |\n+------+-------+\n+------+-------+\n"),
      ("grid", "+------+-------+\n| Name | Stars |\n+======+=======+\n"),
      ("fancy-grid", "╒══════╤═══════╕\n│ Name │ Stars │\n╞══════╪═══════╡\n╘══════╧═══════╛\n"),
      ("markdown", "| Name | Stars |\n| ---- | ----: |\n"),
      (
        "rst",
        ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Stars\n   * -\n     -\n"
      ),
      ("org", "| Name | Stars |\n|------+-------|\n"),
      (
        "latex", "\\begin{tabular}{lr}\n\\hline\nName & Stars \\\\\n\\hline\n\\hline\n\\end{tabular}\n"
      ),
    ])
  func emptyTable(format: String, picture: String) throws {
    #expect(try written(format, columns: "name,stars") == picture)
    #expect(try written(format, "[]", "[]", columns: "name,stars") == picture)
  }

  @Test(
    "Without a header, a table begins with its rows.",
    arguments: [
      ("table", "swift/swift  66.0k\n日本語 🏗️    9007T\n"),
      ("plain", "swift/swift 66.0k\n日本語 🏗️   9007T\n"),
      ("simple", "swift/swift 66.0k\n日本語 🏗️   9007T\n"),
      (
        "psql",
        "+-------------+-------+\n| swift/swift | 66.0k |\n| 日本語 🏗️   | 9007T |\n+-------------+-------+\n"
      ),
      (
        "grid",
        "+-------------+-------+\n| swift/swift | 66.0k |\n+-------------+-------+\n| 日本語 🏗️   | 9007T |\n"
          + "+-------------+-------+\n"
      ),
      (
        "fancy-grid",
        "╒═════════════╤═══════╕\n│ swift/swift │ 66.0k │\n├─────────────┼───────┤\n│ 日本語 🏗️   │ 9007T │\n"
          + "╘═════════════╧═══════╛\n"
      ),
      ("markdown", "| swift/swift | 66.0k |\n| 日本語 🏗️   | 9007T |\n"),
      (
        "rst",
        ".. list-table::\n\n   * - swift/swift\n     - 66.0k\n   * - 日本語 🏗️\n     - 9007T\n"
      ),
      ("org", "| swift/swift | 66.0k |\n| 日本語 🏗️   | 9007T |\n"),
      (
        "latex",
        "\\begin{tabular}{lr}\n\\hline\nswift/swift & 66.0k \\\\\n日本語 🏗️   & 9007T \\\\\n\\hline\n"
          + "\\end{tabular}\n"
      ),
    ])
  func headless(format: String, picture: String) throws {
    #expect(
      try written(format, Samples.plain, columns: "name,stars", on: OutputOptions(hasHeader: false))
        == picture)
  }

  @Test func `A cell without text shows the placeholder of its column, and reserved columns are shown too.`()
    throws
  {
    let text = try written(
      "table", #"[{"id": 5, "name": ""}, {"id": 6, "note": null}]"#, "[{}]",
      columns: "name,note,@page,@source,@link")
    #expect(
      text == """
        Name  Note  @page  @source  @link
              -         1  demo     https://example.org/item/5
              -         1  demo     https://example.org/item/6
              -         2  demo

        """)
  }

  @Test
  func `Relative times are measured from the arrival of the page, and dates are in the user's time zone.`()
    throws
  {
    let source = try source([column("at", "at", .relative), column("day", "at", .date)])
    let page = #"[{"at": 1699992800}]"#
    #expect(try written("table", page, of: source) == "at       day\n2 h ago  2023-11-14\n")
    #expect(
      try written("table", page, of: source, on: OutputOptions(zone: LocalZone(offset: 9 * 3600)))
        == "at       day\n2 h ago  2023-11-15\n")
  }

  @Test func `On a terminal too narrow for all columns, those with the lowest priority are omitted.`() throws
  {
    let text = try written("table", Samples.plain, on: OutputOptions(isTerminal: true, width: 20))
    let widths = text.split(separator: "\n").map { Sanitized(String($0)).width(.clusters) }
    #expect(widths.allSatisfy { $0 <= 20 })
    #expect(text.hasPrefix("Name"))
  }

  @Test(arguments: [0, 1, 3, 7]) func `A terminal of almost no width breaks nothing.`(width: Int) throws {
    for format in OutputFormats.all {
      let text = try written(
        format.name, Samples.plain, Samples.awkward, on: OutputOptions(isTerminal: true, width: width))
      #expect(text.hasSuffix("\n"))
    }
  }

  @Test func `One very long cell does not make every row as long.`() throws {
    let page = "[{\"a\": \"\(String(repeating: "x", count: 100_000))\", \"b\": 1}, {\"a\": \"y\", \"b\": 2}]"
    let lines = try written("table", page, columns: "a,b").split(separator: "\n")
    #expect(lines.map(\.utf8.count) == [2051, 100_003, 2051])
  }

  @Test func `Rows of one page or of many are the same table.`() throws {
    let rows = (1...30).map { #"{"id": \#($0 + 10)}"# }
    let pages = rows.map { "[\($0)]" }
    for format in OutputFormats.all where format.options == [.header] {
      let source = try source([column("id", "id")])
      var writer = OutputWriter(
        format, selection: ColumnSelection(columnsOf: source), outputOptions: OutputOptions())
      var output: [UInt8] = []
      for page in pages { try writer.append(OutputTests.rows(page), into: &output) }
      try writer.end(into: &output)
      #expect(
        try String(decoding: output, as: UTF8.self)
          == written(format.name, "[\(rows.joined(separator: ","))]", of: source))
    }
  }

  @Test func `A page of a thousand rows is one table.`() throws {
    let page = "[\((1...1000).map { #"{"id": \#($0), "name": "n"}"# }.joined(separator: ","))]"
    let lines = try written("psql", page, columns: "id,name").split(separator: "\n")
    #expect(lines.count == 1004)
    #expect(lines[1000] == "| 998  | n    |")
    #expect(lines[1003] == "+------+------+")
  }
}
