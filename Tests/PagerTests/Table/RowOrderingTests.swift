import TestSupport
import Testing

@testable import Pager
@testable import Search

@Suite struct RowOrderingTests {
  private static let rows = [
    ["delta", "30", "a Terminal tool"], ["alpha", "12345", "日本語 の本"], ["Charlie", "null", "Straße ÉTÉ"],
    ["bravo", "12399", "terminal 🇯🇵 flag"], ["alphabet", "7", "ПРИВЕТ мир"], ["echo", "\"n/a\"", "ＦＵＬＬ"],
  ]

  @Test(arguments: [
    ("", "delta alpha Charlie bravo alphabet echo"), ("terminal", "delta bravo"), ("Terminal", "delta"),
    ("alpha", "alpha alphabet"), ("alpha -日本", "alphabet"), ("été", "Charlie"), ("ete", "Charlie"),
    ("Été", ""),
    ("привет", "alphabet"),
    ("ｆｕｌｌ", "echo"), ("🇯🇵", "bravo"), ("name:al", "alpha alphabet"), ("about:al", "delta bravo"),
    ("\"a term\"", "delta"),
  ]) func `A filter lists the rows that match its words.`(filter: String, names: String) throws {
    let table = try RowTable(Self.rows, pageSize: 2)
    #expect(table.names(table.order(filter, effort: 1)) == names)
  }

  @Test func `A hidden column is searched only by its name.`() throws {
    let table = try RowTable(Self.rows)
    #expect(table.names(table.order("terminal", visible: [0, 1])) == "")
    #expect(table.names(table.order("about:terminal", visible: [0, 1])) == "delta bravo")
  }

  @Test(arguments: [
    (0, false, "alpha alphabet bravo Charlie delta echo"),
    (0, true, "echo delta Charlie bravo alphabet alpha"),
    (1, false, "alphabet delta alpha bravo echo Charlie"),
    (1, true, "echo bravo alpha delta alphabet Charlie"),
  ]) func `Rows are sorted by value, and rows without a value come last.`(
    column: Int, isDescending: Bool, names: String
  ) throws {
    let table = try RowTable(Self.rows, pageSize: 4)
    let sort = ColumnSort(column: column, isDescending: isDescending)
    #expect(table.names(table.order(sort: sort)) == names)
  }

  /// Characters that distinguish bytes from characters: marks, joiners, case variants, other forms.
  private static let letters: [Character] = [
    "a", "A", "b", "B", "i", "k", "\u{212A}", ";", "\u{37E}", "`", "\u{1FEF}", " ", "é", "e\u{301}", "É", "ß",
    "İ", "ı", "K", "ſ", "か", "が", "か\u{3099}", "日", "한",
    "Ж", "ж", "Σ", "ς", "σ", "Ａ", "ａ", "ﾊﾟ", "👍", "👍🏽", "🇯🇵", "👩‍👩‍👧", "ǅ", "\u{F900}", "豈", "①", "×", "÷", "ѐ", "Ѡ",
  ]

  /// The meaning of a filter without column names: letters without case and accents, or equal characters.
  private static func admits(_ filter: RowFilter, _ cells: [String]) -> Bool {
    filter.terms.allSatisfy { term in
      cells.contains { cell in
        guard term.text == term.text.lowercased() else { return cell.contains(term.text) }
        let isASCII = term.text.unicodeScalars.allSatisfy(\.isASCII)
        return letters(of: cell).firstRange(of: letters(of: term.text)) != nil
          || !isASCII && cell.lowercased().contains(term.text)
      } != term.isExcluding
    }
  }

  private static func letters(of text: String) -> [UInt32] {
    var text = text
    return text.withUTF8 { Array(IteratorSequence(FoldedText($0))) }
  }

  @Test(arguments: Seeds.first(20))
  func `A filter selects the rows that RowFilter selects, whatever the script.`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    func text(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
          Self.letters.randomElement(using: &random)
        })
    }
    let rows = (0..<40).map { _ in [text(6), "\(Int.random(in: 0..<9, using: &random))", text(9)] }
    let table = try RowTable(rows)
    for _ in 0..<20 {
      let words = text(2) + (Bool.random(using: &random) ? "" : " -" + text(1))
      let filter = RowFilter(words)
      let expected = rows.indices.filter { Self.admits(filter, rows[$0]) }
      #expect(table.order(words).rows.map(Int.init) == expected, "\(words.unicodeScalars.map(\.value))")
    }
  }

  @Test(arguments: Seeds.first(6)) func `Steps of any size and pages that arrive later give the same order.`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<1_500).map { index in
      [
        "row \(Int.random(in: 0..<300, using: &random))", "\(Int.random(in: 0..<50, using: &random))",
        "\(index)",
      ]
    }
    let sort = ColumnSort(column: Int(seed % 2), isDescending: seed % 3 == 0)
    let expected = try RowTable(rows).order("row -17", sort: sort, effort: .max).rows
    var table = try RowTable(Array(rows.prefix(800)))
    var order = table.order("row -17", sort: sort, effort: Int.random(in: 1..<20_000, using: &random))
    for start in stride(from: 800, to: rows.count, by: 100) {
      try table.append(Array(rows[start..<start + 100]))
      order = table.order("row -17", sort: sort, effort: 5_000, continuing: order)
    }
    #expect(order.rows == expected)
    #expect(Set(order.rows).count == order.rows.count)
  }

  @Test func `The rows selected so far are known while an order is computed.`() throws {
    let table = try RowTable((0..<100).map { ["row \($0)", "1", ""] })
    var ordering = RowOrdering(
      continuing: RowOrder(RowOrderRules(filter: "row", visible: [0]), version: 0), over: table.store,
      columns: RowTable.columns)
    ordering.advance(by: 500)
    #expect(!ordering.isFinished)
    #expect(1..<100 ~= ordering.order.rows.count)
    #expect(ordering.order.covered == ordering.order.rows.count)
  }
}
