import Testing
import Text

@testable import Search

/// The order of values, the same on the screen and in a pipe.
@Suite struct SortKeyTests {
  private func precedes(_ a: CellValue, _ b: CellValue, descending: Bool = false, in column: Column) -> Bool?
  {
    SortValue(a, in: column).precedes(SortValue(b, in: column), descending: descending)
  }

  private func column(_ format: ColumnFormat = .text) throws -> Column {
    try columns("v")[0].formatted(format)
  }

  @Test func `[D23] Numbers are sorted by their exact digits, including ids above 2^53.`() throws {
    let ascending = [
      "-1e400", "-123456789012345678901234567890", "-18446744073709551616", "-18446744073709551615", "-2",
      "-1.5",
      "-1.4999999999999999999999", "-1e-400", "0", "1e-400", "0.09", "0.1", "0.10000000000000000001", "1",
      "9",
      "10", "9007199254740992", "9007199254740993", "1e18", "18446744073709551615", "18446744073709551616",
      "123456789012345678901234567890123", "123456789012345678901234567890124", "1E+400", "1.5e400",
      "1e99999999999999999999999",
    ]
    let column = try column()
    for (index, a) in ascending.enumerated() {
      for b in ascending[(index + 1)...] {
        #expect(precedes(.number(a), .number(b), in: column) == true, "\(a) \(b)")
        #expect(precedes(.number(b), .number(a), in: column) == false, "\(b) \(a)")
        #expect(precedes(.number(a), .number(b), descending: true, in: column) == false, "\(a) \(b)")
      }
    }
    for equals in [["1", "1.0", "1.00e0", "10e-1", "0.1E+1", "100e-2"], ["0", "-0", "-0.0", "0e5"]] {
      for (a, b) in zip(equals, equals.dropFirst()) {
        #expect(precedes(.number(a), .number(b), in: column) == nil, "\(a) \(b)")
      }
    }
  }

  @Test(arguments: ["", "-", ".", "1.", ".5", "e5", "a", "1a", "1e", "1e+", "+1", "1 ", "1,000", "0x1", "١"])
  func `A text that is not a JSON number has no numeric sort key.`(text: String) {
    #expect(SortKey(number: text) == nil)
  }

  /// Values in ascending order. Descending order reverses them, except that missing values stay last.
  @Test func `[D23] Numbers come before texts, decimals in texts are numbers, and missing values come last.`()
    throws
  {
    let values: [CellValue] = [
      .text("-1.5"), .number("2"), .text("9.0"), .number("10.5"), .text("17.0"), .text("007000"),
      .text("1.2.3"),
      .text("1e9"), .text("a"), .list([.text("a"), .text("b")]), .text("b"), .bool(false), .bool(true),
      .missing,
    ]
    let column = try column()
    for (a, b) in zip(values, values.dropFirst()) {
      #expect(precedes(a, b, in: column) == true, "\(a) \(b)")
      #expect(precedes(a, b, descending: true, in: column) == (b == .missing), "\(a) \(b)")
    }
    #expect(precedes(.text(""), .missing, in: column) == nil)
    #expect(precedes(.list([]), .missing, in: column) == nil)
    // In a column of numbers, a text with an exponent is a number.
    #expect(precedes(.text("1e9"), .text("1e10"), in: try self.column(.number)) == true)
  }

  @Test func `[D23] Texts are sorted by letter, and accents and case only break ties.`() throws {
    let ascending = [
      "", "10cc", "ABBA", "abba", "Ebony", "eclair", "Eclair 2", "Éclair 3", "éclair 3", "Eddy", "œuvre",
      "zebra",
      "Ångström unit, a", "Ångström unit, b", "Łódź, here", "mañana", "manana 2", "O'Neil", "øre", "resume",
      "résumé",
      "ＡＢＣ", "Ёлка", "ёлка", "жук", "日本", "日本語",
    ].sorted { a, b in precedes(.text(a), .text(b), in: (try? column()) ?? Column.plain) ?? false }
    #expect(
      ascending == [
        "10cc", "ABBA", "abba", "Ångström unit, a", "Ångström unit, b", "Ebony", "eclair", "Eclair 2",
        "Éclair 3",
        "éclair 3", "Eddy", "Łódź, here", "mañana", "manana 2", "O'Neil", "øre", "resume", "résumé", "zebra",
        "œuvre",
        "жук", "Ёлка", "ёлка", "日本", "日本語", "ＡＢＣ", "",
      ])
  }

  @Test func `[D23] A letter with a mark is sorted next to the plain letter, however it is encoded.`() throws
  {
    let column = try column()
    #expect(precedes(.text("e\u{301}a"), .text("eb"), in: column) == true)
    #expect(precedes(.text("Éa"), .text("eb"), in: column) == true)
    #expect(precedes(.text("eb"), .text("É\u{327}c"), in: column) == true)
    #expect(precedes(.text("e"), .text("e\u{301}"), in: column) == true)
    #expect(precedes(.text("same text, long enough"), .text("same text, long enough"), in: column) == nil)
    #expect(precedes(.text("same text, long enoughé"), .text("same text, long enoughf"), in: column) == true)
  }

  @Test func `[D23] Letters in U+00C0–U+024F and U+1E00–U+1EFF are sorted as the letters in their names.`()
    throws
  {
    for value in Array(UInt32(0xC0)...0x24F) + Array(0x1E00...0x1EFF) {
      let scalar = try #require(Unicode.Scalar(value))
      let words = (scalar.properties.name ?? "").split(separator: " ")
      let isLatin =
        words.count >= 4 && words[0] == "LATIN" && words[2] == "LETTER" && words[3].count == 1
        && (words.count == 4 || words[4] == "WITH")
      let expected =
        isLatin
        ? words[3].lowercased() : scalar.properties.lowercaseMapping.unicodeScalars.first.map { String($0) }
      var text = String(scalar)
      let letters = text.withUTF8 { bytes in
        var letters = FoldedText(bytes)
        return letters.next().flatMap(Unicode.Scalar.init).map { String($0) }
      }
      #expect(letters == expected, "\(scalar.properties.name ?? "")")
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0.0", 0), ("1", 1), ("1.5", 1), ("-1.5", -2), ("-2", -2), ("0.05", 0), ("-0.05", -1),
      ("0.5", 0), ("86400", 86_400), ("1790000000", 1_790_000_000), ("1790000000.999999", 1_790_000_000),
      ("-1.00000000000000000001", -2), ("99999999999999", 99_999_999_999_999), ("1e13", 10_000_000_000_000),
      ("1e14", nil),
    ] as [(String, Int?)])
  func `The whole number below a number is exact.`(text: String, floor: Int?) throws {
    #expect(try #require(SortKey(number: text)).floor == floor)
  }

  @Test func `Times are sorted by instant.`() throws {
    let column = try column(.relative)
    #expect(precedes(.text("2026-01-01T09:00:00+09:00"), .text("2026-01-01T00:30:00Z"), in: column) == true)
    #expect(precedes(.number("1767225600"), .text("2026-01-01T00:00:00Z"), in: column) == nil)
    #expect(precedes(.text("2026-01-01T00:00:00Z"), .text("soon"), in: column) == true)
  }
}

extension Column {
  fileprivate static var plain: Column { Column(name: "v", value: ValueExpression([])) }

  fileprivate func formatted(_ format: ColumnFormat) -> Column {
    Column(name: name, value: value, format: format)
  }
}
