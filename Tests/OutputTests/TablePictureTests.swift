import JSON
import Output
import Search
import Testing
import Text

/// Each table format as a picture.
@Suite struct TablePictureTests {
  /// Aligned to the left, the right and the center.
  private static func columns() throws -> [Column] {
    var note = try column("note", "note", title: "Note")
    note.alignment = .center
    return try [
      column("name", "name", title: "Name"), column("stars", "stars", title: "Stars", .number), note,
    ]
  }

  /// Wide and combining characters, empty cells, and the syntax of every format.
  private static let page = #"""
    [{"name": "日本語 👩‍👩‍👧", "stars": 66012, "note": "e\u0301migre\u0301"},
     {"name": "a|b", "stars": 5, "note": "<x>&"},
     {"stars": null, "note": "$5 100%"},
     {"name": "x\ny\tz", "stars": 1000, "note": "\u001b[31mred"}]
    """#

  private static let pictures = [
    (
      "table",
      """
      Name       Stars    Note
      日本語 👩‍👩‍👧  66.0k   e\u{301}migre\u{301}
      a|b            5    <x>&
                        $5 100%
      x y z       1.0k  ␛[31mred

      """
    ),
    (
      "plain",
      """
      Name      Stars   Note
      日本語 👩‍👩‍👧 66.0k  e\u{301}migre\u{301}
      a|b           5   <x>&
                      $5 100%
      x y z      1.0k ␛[31mred

      """
    ),
    (
      "simple",
      """
      Name      Stars   Note
      --------- ----- --------
      日本語 👩‍👩‍👧 66.0k  e\u{301}migre\u{301}
      a|b           5   <x>&
                      $5 100%
      x y z      1.0k ␛[31mred

      """
    ),
    (
      "psql",
      """
      +-----------+-------+----------+
      | Name      | Stars |   Note   |
      +-----------+-------+----------+
      | 日本語 👩‍👩‍👧 | 66.0k |  e\u{301}migre\u{301}  |
      | a|b       |     5 |   <x>&   |
      |           |       | $5 100%  |
      | x y z     |  1.0k | ␛[31mred |
      +-----------+-------+----------+

      """
    ),
    (
      "grid",
      """
      +-----------+-------+----------+
      | Name      | Stars |   Note   |
      +===========+=======+==========+
      | 日本語 👩‍👩‍👧 | 66.0k |  e\u{301}migre\u{301}  |
      +-----------+-------+----------+
      | a|b       |     5 |   <x>&   |
      +-----------+-------+----------+
      |           |       | $5 100%  |
      +-----------+-------+----------+
      | x y z     |  1.0k | ␛[31mred |
      +-----------+-------+----------+

      """
    ),
    (
      "fancy-grid",
      """
      ╒═══════════╤═══════╤══════════╕
      │ Name      │ Stars │   Note   │
      ╞═══════════╪═══════╪══════════╡
      │ 日本語 👩‍👩‍👧 │ 66.0k │  e\u{301}migre\u{301}  │
      ├───────────┼───────┼──────────┤
      │ a|b       │     5 │   <x>&   │
      ├───────────┼───────┼──────────┤
      │           │       │ $5 100%  │
      ├───────────┼───────┼──────────┤
      │ x y z     │  1.0k │ ␛[31mred │
      ╘═══════════╧═══════╧══════════╛

      """
    ),
    (
      "markdown",
      #"""
      | Name      | Stars |   Note    |
      | --------- | ----: | :-------: |
      | 日本語 👩‍👩‍👧 | 66.0k |  émigré   |
      | a\|b      |     5 |  \<x\>&   |
      |           |       | \$5 100%  |
      | x y z     |  1.0k | ␛\[31mred |

      """#.replacing("é", with: "e\u{301}")
    ),
    (
      "html",
      """
      <table>
      <thead>
      <tr><th>Name</th><th style="text-align: right">Stars</th><th style="text-align: center">Note</th></tr>
      </thead>
      <tbody>
      <tr><td>日本語 👩‍👩‍👧</td><td style="text-align: right">66.0k</td>\
      <td style="text-align: center">e\u{301}migre\u{301}</td></tr>
      <tr><td>a|b</td><td style="text-align: right">5</td><td style="text-align: center">&lt;x&gt;&amp;</td></tr>
      <tr><td></td><td style="text-align: right"></td><td style="text-align: center">$5 100%</td></tr>
      <tr><td>x y z</td><td style="text-align: right">1.0k</td><td style="text-align: center">␛[31mred</td></tr>
      </tbody>
      </table>

      """
    ),
    (
      "rst",
      #"""
      .. list-table::
         :header-rows: 1

         * - Name
           - Stars
           - Note
         * - 日本語 👩‍👩‍👧
           - 66.0k
           - émigré
         * - a\|b
           - 5
           - \<x>&
         * -
           -
           - \$5 100%
         * - x y z
           - 1.0k
           - \␛[31mred

      """#.replacing("é", with: "e\u{301}")
    ),
    (
      "org",
      #"""
      | Name      | Stars |   Note   |
      |-----------+-------+----------|
      | 日本語 👩‍👩‍👧 | 66.0k |  émigré  |
      | a\vert{}b |     5 |   <x>&   |
      |           |       | $5 100%  |
      | x y z     |  1.0k | ␛[31mred |

      """#.replacing("é", with: "e\u{301}")
    ),
    (
      "latex",
      #"""
      \begin{tabular}{lrc}
      \hline
      Name         & Stars &             Note             \\
      \hline
      日本語 👩‍👩‍👧    & 66.0k &            émigré            \\
      a\textbar{}b &     5 & \textless{}x\textgreater{}\& \\
                   &       &          \$5 100\%           \\
      x y z        &  1.0k &           ␛[31mred           \\
      \hline
      \end{tabular}

      """#.replacing("é", with: "e\u{301}")
    ),
  ]

  @Test(arguments: pictures)
  func `A table is drawn as in its picture.`(format: String, picture: String) throws {
    let source = try source(Self.columns())
    #expect(
      try written(format, Self.page, of: source, on: OutputOptions(isTerminal: true, width: 60)) == picture)
  }

  @Test func `Every table format has a picture.`() {
    let tables = OutputFormats.all.filter { $0.options == [.header] }
    #expect(tables.map(\.name) == Self.pictures.map(\.0))
  }

  @Test(
    "In a pipe, a table has one line per row, and a wider cell of a later page moves those after it.",
    arguments: [
      ("plain", "Name  Stars\nx y z     1\nfar too wide     2\n"),
      ("simple", "Name  Stars\n----- -----\nx y z     1\nfar too wide     2\n"),
      (
        "fancy-grid",
        """
        ╒═══════╤═══════╕
        │ Name  │ Stars │
        ╞═══════╪═══════╡
        │ x y z │     1 │
        ├───────┼───────┤
        │ far too wide │     2 │
        ╘═══════╧═══════╛

        """
      ),
      (
        "rst",
        ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Stars\n"
          + "   * - x y z\n     - 1\n   * - far too wide\n     - 2\n"
      ),
      ("org", "| Name  | Stars |\n|-------+-------|\n| x y z |     1 |\n| far too wide |     2 |\n"),
      (
        "latex",
        #"""
        \begin{tabular}{lr}
        \hline
        Name  & Stars \\
        \hline
        x y z &     1 \\
        far too wide &     2 \\
        \hline
        \end{tabular}

        """#
      ),
    ])
  func pages(format: String, picture: String) throws {
    let (first, second) = (
      #"[{"name": "x\r\ny\tz", "stars": 1}]"#, #"[{"name": "far too wide", "stars": 2}]"#
    )
    #expect(try written(format, first, "[]", second, columns: "name,stars") == picture)
  }

  @Test(
    "In LaTeX, a text is printed as the original text.",
    arguments: [
      (
        #"\ { } $ & # ^ _ ~ %"#,
        ##"\textbackslash{} \{ \} \$ \& \# \textasciicircum{} \_ \textasciitilde{} \%"##
      ),
      ("a < b > c | d", #"a \textless{} b \textgreater{} c \textbar{} d"#),
      ("[1] *x*", "{}[1] *x*"),
      ("*x* [1]", "{}*x* [1]"),
      ("a\r\nb\u{2028}c\td", "a b c d"),
      ("|\u{301}", "\\textbar{}\u{301}"),
    ])
  func latex(text: String, picture: String) throws {
    let table = try written(
      "latex", "[{\"t\": \(JSONText.quoted(text))}]", of: source([column("t", "t")]),
      on: OutputOptions(hasHeader: false))
    #expect(table == "\\begin{tabular}{l}\n\\hline\n\(picture) \\\\\n\\hline\n\\end{tabular}\n")
  }

  @Test(
    "In reStructuredText, a text is displayed as the original text.",
    arguments: [
      (#"*a* `b` |c| d\e"#, #"\*a\* \`b\` \|c\| d\\e"#),
      ("snake_case name_ __init__ [1]_", #"snake_case name\_ \__init\_\_ [1]\_"#),
      ("- a", #"\- a"#), ("-v", #"\-v"#), ("/v", #"\/v"#), ("+ a", #"\+ a"#), ("• a", #"\• a"#),
      ("1. a", #"\1. a"#), ("A) a", #"\A) a"#), ("iv.", #"\iv."#), ("(a) b", #"\(a) b"#),
      ("#. a", ##"\#. a"##),
      (".. a", #"\.. a"#), (":a: b", #"\:a: b"#), (">>> a", #"\>>> a"#), ("====", #"\===="#),
      ("a::", #"a\::"#),
      ("1.5 No. 3", "1.5 No. 3"), ("$5, 100%", #"\$5, 100%"#),
      ("https://example.org/a_b", "https://example.org/a_b"),
      (" - a:: ", #"\- a\::"#), (#"\\"#, #"\ \\\\"#), ("a\r\nb\u{2028}c\td", "a b c d"),
    ])
  func rst(text: String, picture: String) throws {
    let table = try written(
      "rst", "[{\"t\": \(JSONText.quoted(text))}]", of: source([column("t", "t")]),
      on: OutputOptions(hasHeader: false))
    #expect(table == ".. list-table::\n\n   * - \(picture)\n")
  }

  @Test func `Only the titles of table are styled, padded and without blanks at the end of the line.`() throws
  {
    var options = OutputOptions()
    options.heading = { "<\($0)>" }
    let page = #"[{"name": "a longer name", "stars": 1, "note": "a longer note"}]"#
    let text = try written("table", page, columns: "name,stars,note", on: options)
    #expect(text == "<Name         >  <Stars>  <Note>\na longer name      1  a longer note\n")
    for format in OutputFormats.all where format.name != "table" {
      #expect(
        try written(format.name, page, columns: "name,stars,note", on: options)
          == written(format.name, page, columns: "name,stars,note"))
    }
  }
}
