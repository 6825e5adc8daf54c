import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

/// Tests the table on the screen: truncation, marks and highlighting.
@Suite struct TableViewTests {
  private static func column(_ name: String, _ format: ColumnFormat = .text) throws -> Column {
    Column(name: name, title: name, value: try ValueExpression(parsing: name), format: format)
  }

  private func lines(_ pager: PagerDriver) -> [String] {
    pager.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A line of the table, counted from its first row.
  private func row(_ line: Int, _ pager: PagerDriver) -> String { lines(pager)[3 + line] }
  private func heading(_ pager: PagerDriver) -> String { lines(pager)[2] }

  // MARK: Widths

  private func listed(_ rows: Range<Int>, _ text: String = "row") -> [String] {
    rows.map { #"{"id": \#($0), "name": "\#(text) \#($0)"}"# }
  }

  @Test func `[D11] Values of later pages are shown whole where the screen has room.`() throws {
    var pager = try PagerDriver(
      query: "x", size: (80, 12), columns: [Self.column("id"), Self.column("name")])
    try pager.answer(listed(1..<10))
    #expect(heading(pager) == "  ›ID  NAME")
    try pager.press("G M")
    try pager.answer(listed(290..<301))
    try pager.press("G")
    #expect(heading(pager) == "  ›ID   NAME")
    #expect(row(0, pager) == "   294  row 294")
    try pager.press("M")
    try pager.answer([#"{"id": 407000, "name": "a name that is longer than all names before"}"#])
    try pager.press("G")
    #expect(row(6, pager) == "▌  407000  a name that is longer than all names before")
  }

  /// The first page fills the screen; later values take no room from other columns, except for numbers.
  @Test
  func `[D11] On a full screen, a later text changes no column, and a later number is shown whole.`()
    throws
  {
    var pager = try PagerDriver(
      query: "x", size: (40, 12),
      columns: [Self.column("name"), Self.column("n", .number), Self.column("b"), Self.column("id")])
    func row(_ a: String, _ n: Int, _ b: String, _ id: Int) -> String {
      #"{"name": "\#(a)", "n": \#(n), "b": "\#(b)", "id": \#(id)}"#
    }
    try pager.answer([row("twelve chars", 7, "the very long text of this row", 8)])
    let before = (heading(pager), self.row(0, pager))
    #expect(before.0 == "  ›NAME          N  B                 ID")
    #expect(before.1 == "▌  twelve chars  7  the very long t…  8")
    try pager.press("M")
    try pager.answer([row("now there are more than twelve", 8, "x", 9)])
    #expect((heading(pager), self.row(0, pager)) == before)
    #expect(self.row(1, pager) == "   now there a…  8  x                 9")
    try pager.press("M")
    try pager.answer([row("a", 12_300, "b", 123_456)])
    #expect(self.row(0, pager) == "▌  twelve ch…      7  the very …  8")
    #expect(self.row(2, pager) == "   a           12.3k  b           123456")
  }

  @Test func `A number that does not fit its cell is not cut: the cell has only a mark.`() throws {
    var about = try Self.column("about")
    about.alignment = .trailing
    var pager = try PagerDriver(
      query: "x", size: (40, 12),
      columns: [Self.column("id"), Self.column("size", .number), about, Self.column("name")])
    try pager.answer([
      #"{"id": 1234567, "size": 12345, "about": "$1,250.00", "name": "item 1111"}"#,
      #"{"id": 12, "size": 7, "about": "$9.00", "name": "item 2222"}"#,
      #"{"id": "a string", "size": 345678, "about": "$85.00", "name": "item 3333"}"#,
    ])
    try pager.press("< l < l < l < <")
    #expect(
      lines(pager)[2..<6].joined(separator: "\n") == """
           ID      SI…    ABOUT ›NAME
        ▌  …         …        …  item…
           12        7    $9.00  item…
           a str…    …   $85.00  item…
        """)
    pager = try PagerDriver(query: "x", size: (20, 10), columns: [Self.column("id")])
    try pager.answer([#"{"id": 1234567890123456789012, "name": "a"}"#, #"{"id": 12, "name": "b"}"#])
    #expect(lines(pager)[3...4].joined(separator: "\n") == "▌  …\n   12")
  }

  @Test func `[D11] Columns that scrolling right has revealed are as wide as their content.`() throws {
    let wide = Column(
      name: "name", title: "name", value: try ValueExpression(parsing: "name"), alignment: .leading,
      width: .fixed(20))
    var pager = try PagerDriver(
      query: "x", size: (40, 12),
      columns: [wide, Self.column("b"), Self.column("c"), Self.column("d")])
    try pager.answer([#"{"name": "one", "b": "twelve chars", "c": "three", "d": "four "}"#])
    try pager.press("M")
    try pager.answer([#"{"name": "two", "b": "now it is twenty-two..", "c": "three", "d": "four "}"#])
    #expect(row(1, pager).contains("now it …"))
    try pager.press("l l l")
    #expect(row(1, pager).contains("now it is twenty-two.."))
  }

  @Test func `[D11] A refresh makes no column narrower, and a new query starts with its own widths.`() throws
  {
    var pager = try PagerDriver(
      query: "x", size: (60, 12), columns: [Self.column("id"), Self.column("name")])
    try pager.answer(listed(1_000..<1_003, "a long name"), more: false)
    let wide = heading(pager)
    try pager.press("r")
    try pager.answer(listed(1..<3), more: false)
    #expect(heading(pager) == wide)
    try pager.press("s y enter")
    try pager.answer(listed(1..<3), more: false)
    #expect(heading(pager) == "  ›ID  NAME")
  }

  @Test func `[D62] An empty table says what to do, and with which keys.`() throws {
    func words(_ pager: PagerDriver) -> [String] {
      pager.screen.split(separator: "\n").dropFirst(2).dropLast().map {
        String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }.filter { !$0.isEmpty }
    }
    var pager = try PagerDriver(size: (80, 14))
    let start = ["Type to search Test things", "Example: one", "Example: two"]
    #expect(words(pager) == start)
    pager.reduce(.historyRead(["old"]))
    #expect(words(pager).count == 4 && words(pager)[3].hasSuffix(": previous query   Ctrl-R: history"))
    try pager.press("esc")
    #expect(words(pager) == ["No query yet"] + start.dropFirst() + ["s: type a query"])
    try pager.press("s x y enter")
    try pager.answer([], more: false)
    #expect(
      words(pager) == [
        "No results for \"xy\"", "Check the spelling or try fewer words.",
        "s: edit the query   R: reset",
      ])
    pager = try PagerDriver(query: "x", size: (80, 14))
    try pager.answer(numbers: 0..<3)
    try pager.press("& q enter")
    #expect(words(pager).contains("No loaded rows match \"q\""))
    #expect(words(pager).contains("Esc: show all rows   &: edit the filter   M: load more"))
    pager = try PagerDriver(
      size: (80, 14), pager: { $0.goal = PagerRules.Goal(title: "Issues", row: "issue", query: "runner") })
    #expect(
      words(pager).starts(with: [
        "Issues: choose an issue. Then riffle searches Issues for \"runner\"", start[0],
      ]))
    #expect(pager.screen.contains("choose an issue for Issues"))
  }

  @Test func `[D62] No title is shown before its position is known.`() throws {
    var pager = try PagerDriver(query: "x")
    #expect(heading(pager) == "")
    try pager.answer(numbers: 1..<3, more: false)
    let known = heading(pager)
    try pager.press("r")
    #expect(heading(pager) == known)
  }

  // MARK: Columns that are not on the screen

  @Test func `[D17] The heading says how many columns are to the left, to the right and hidden.`() throws {
    let columns = try (1...6).map { try Self.column("column\($0)") }
    let values = (1...6).map { "\"column\($0)\": \"value \($0)\"" }.joined(separator: ", ")
    var pager = try PagerDriver(query: "x", size: (40, 10), columns: columns)
    try pager.answer(["{\(values)}"], more: false)
    #expect(heading(pager) == "  ›COLUMN1  COLUMN2  COLUMN3  COLUMN4 2»")
    try pager.press("$")
    #expect(heading(pager) == "«2 COLUMN1  COLUMN4  COLUMN5 ›COLUMN6")
    try pager.press("-")
    #expect(heading(pager) == "«1 COLUMN1  COLUMN3  COLUMN4 ›COLUMN5 -1")
    try pager.press("0")
    #expect(heading(pager) == "  ›COLUMN1  COLUMN2  COLUMN3  COLUMN4  »")
    pager.state.reduce(.resized(Canvas(size: Size(columns: 80, rows: 10), widthModel: .clusters)))
    #expect(heading(pager).hasSuffix("COLUMN5                          1 hidden"))
    #expect(heading(pager).count == 80)
    try pager.press("+")
    #expect(heading(pager).hasSuffix("COLUMN6"))
  }

  @Test func `[D17] On an ASCII terminal, the signs are ASCII.`() throws {
    let columns = try (1...6).map { try Self.column("column\($0)") }
    var pager = try PagerDriver(query: "x", size: (40, 10), columns: columns, pager: { $0.glyphs = .ascii })
    try pager.answer([#"{"column1": "value 1"}"#], more: false)
    try pager.press("l l l l")
    #expect(heading(pager) == "<1 COLUMN1  COLUMN3  COLUMN4 >COLUMN5 1>")
  }

  @Test(arguments: [
    (80, "«7 ORDER   ITEMS  WEIGHT GRAMS  DISCOUNT CODE  NOTE"),
    (120, "«4 ORDER   PLACED AT   PAID AT    SHIPPED AT  ITEMS"),
  ])
  func `Of thirty columns, the first stays while the others scroll, none narrower than its title.`(
    width: Int, expected: String
  ) throws {
    var pager = try ScreenState.thirtyColumns((width, 24))
    try pager.press("1 4 l")
    #expect(heading(pager).hasPrefix(expected))
  }

  // MARK: Signs of rows

  @Test func `[D17] A space separates the signs of a row from its text.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 1..<3, more: false)
    try pager.press("x k")
    #expect(row(0, pager).hasPrefix("▌● thing 1"))
  }

  /// The text in the style of a match, row by row.
  private func matches(_ pager: PagerDriver) -> [String] {
    let frame = PagerView.frame(pager.state)
    return (3..<6).map { row in
      var found = ""
      let row = frame.row(row)
      for column in row.cells.indices where row.style(at: column) == pager.state.theme[.match] {
        found += row.text(at: column)
      }
      return found
    }
  }

  @Test(arguments: [
    ("& t h i n g enter", ["thingthing", "thingthing"]), ("& a b o u t : t h i enter", ["thi", "thi"]),
    ("& n a m e : t h i enter", ["thi", "thi"]), ("& - n o enter", ["", ""]),
    ("& \" g space 2 enter k", ["", ""]), ("/ b o u enter", ["bou", "bou"]),
  ]) func `[D17] [D56] The words of a filter are highlighted in the rows like those of a search.`(
    keys: String, expected: [String]
  ) throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<4, more: false)
    try pager.press(keys)
    // The selected row has its own style, so only the two rows below it are compared.
    #expect(Array(matches(pager)[1...]) == expected)
  }

  // MARK: The selected row

  @Test(arguments: ThemePalette.all.map(\.name), [ColorDepth.monochrome, .sixteen, .indexed, .direct])
  func `[D12] The selected row stands out over the whole width on any terminal.`(
    palette: String, depth: ColorDepth
  ) throws {
    let theme = try #require(ThemePalette.named(palette)).theme(for: depth)
    var pager = try PagerDriver(query: "x", size: (120, 12), pager: { $0.theme = theme })
    try pager.answer(numbers: 1..<5, more: false)
    try pager.press("j x k")
    let frame = PagerView.frame(pager.state)
    func bars(_ row: Int) -> Int {
      let row = frame.row(row)
      return row.cells.indices.count { column in
        let style = row.style(at: column)
        return style.background != nil || style.attributes.contains(.reverse)
      }
    }
    #expect(bars(4) == 120)
    for row in [2, 3, 5] { #expect(bars(row) == 0, "row \(row)") }
  }

  @Test func `In the selected row, the cell of the current column is underlined, and no other.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 1..<4, more: false)
    func underlined() -> [String] {
      let frame = PagerView.frame(pager.state)
      return (3..<6).map { number in
        let row = frame.row(number)
        return row.cells.indices.filter { row.style(at: $0).attributes.contains(.underline) }
          .map { row.text(at: $0) }.joined().trimmingPrefix(while: { $0 == " " }).description
      }
    }
    #expect(underlined().map { $0.prefix(7) } == ["thing 1", "", ""])
    try pager.press("j l")
    #expect(underlined() == ["", "200", ""])
    try pager.press("$ k")
    #expect(underlined().map { $0.prefix(13) } == ["about thing 1", "", ""])
  }

  @Test func `[D12] In a reversed bar, a match is bold and underlined, and colors do not show.`() {
    let bar = Style(attributes: .reverse)
    #expect(Style(foreground: .indexed(1)).laid(over: bar) == bar)
    #expect(Style(attributes: [.dim]).laid(over: bar) == bar)
    #expect(
      Style(foreground: .indexed(3), attributes: .reverse).laid(over: bar)
        == Style(attributes: [.bold, .underline]))
    let ground = Style(background: .indexed(4))
    #expect(
      Style(foreground: .indexed(1), attributes: .bold).laid(over: ground)
        == Style(foreground: .indexed(1), background: .indexed(4), attributes: .bold))
    #expect(Style(foreground: .indexed(1)).laid(over: .plain) == Style(foreground: .indexed(1)))
  }
}
