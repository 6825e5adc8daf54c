import Testing

@testable import Config

/// What TOML 1.0.0 says, case by case. Pictures are those of `picture`.
@Suite struct TOMLParserTests {
  @Test(arguments: [
    ("a = +99", "99"), ("a = -0", "0"), ("a = 1_000", "1000"), ("a = 0xDEAD_beef", "3735928559"),
    ("a = 0o755", "493"), ("a = 0b1101", "13"), ("a = 9223372036854775807", "9223372036854775807"),
    ("a = -9223372036854775808", "-9223372036854775808"), ("a = 6.5", "6.5"), ("a = -0.0", "-0.0"),
    ("a = 5e+2", "500.0"), ("a = 6.626E-03", "0.006626"), ("a = 1e06", "1000000.0"), ("a = +inf", "inf"),
    ("a = -inf", "-inf"), ("a = -nan", "nan"), ("a = true", "true"), ("a = false#x", "false"),
    ("a = 1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z"),
    ("a = 1979-05-27 07:32:00.999-07:00", "1979-05-27 07:32:00.999-07:00"),
    ("a = 2000-02-29", "2000-02-29"), ("a = 23:59:60", "23:59:60"),
    (#"a = "\b\t\n\f\r\"\\\u00e9\U0001F600""#, #""\u{08}\t\n\u{0C}\r\"\\é😀""#), (#"a = '\n'"#, #""\\n""#),
    (#"a = """"two""""  "#, #""\"two\"""#), ("a = ''", #""""#), ("a = ''''it's''''", #""\'it\'s\'""#),
    ("a = \"\"\"\r\n\r\nx\r\n\"\"\"", #""\nx\n""#), ("a = \"\"\"x \\ \n\n  y \\\r\n\"\"\"", #""x y ""#),
  ])
  func `A scalar has the value that it is written as.`(text: String, value: String) {
    #expect(picture(text) == "1:1 a @1:5 \(value)")
  }

  @Test(
    arguments: [
      ("1979-05-27T07:32:00z", .offsetDateTime), ("1979-05-27t07:32:00+00:00", .offsetDateTime),
      ("1979-05-27 07:32:00.5", .localDateTime), ("1979-05-27", .localDate), ("07:32:00", .localTime),
    ] as [(String, TOMLDate.Kind)])
  func `A date keeps its kind and its text.`(text: String, kind: TOMLDate.Kind) throws {
    guard case .date(let date)? = try TOMLDocument("a = \(text) ", file: "t").root["a"]?.content else {
      Issue.record("no date")
      return
    }
    #expect(date.kind == kind)
    #expect(date.text == text)
  }

  @Test func `A key is bare, quoted, empty or dotted, and may look like something else.`() {
    #expect(
      picture(
        #"""
        1979-05-27 = 1
        3.14 . true = 2
        "" = 3
        'a\b'."é" = 4
        "\u0061" = 5
        """#) == #"""
          1:1 1979-05-27 @1:14 1
          2:1 3 @2:1 {}
          2:3 3.14 @2:3 {}
          2:8 3.14.true @2:15 2
          3:1  @3:6 3
          4:1 a\b @4:1 {}
          4:7 a\b.é @4:13 4
          5:1 a @5:12 5
          """#)
  }

  @Test func `Tables may be defined in any order, and each by its header and dotted keys inside it.`() {
    #expect(
      picture(
        """
        [x.y.z]
        [x]
        y.a = 1
        b.c = 2
        [x.b.d]
        [[x.e.f]]
        [x.e]
        """) == """
          1:2 x @1:2 {}
          1:4 x.y @1:4 {}
          1:6 x.y.z @1:1 {}
          3:3 x.y.a @3:7 1
          4:1 x.b @4:1 {}
          4:3 x.b.c @4:7 2
          5:6 x.b.d @5:1 {}
          6:5 x.e @6:5 {}
          6:7 x.e.f @6:1 []
          - x.e.f[0] @6:1 {}
          """)
  }

  @Test func `Headers inside an array of tables belong to its last table.`() {
    #expect(
      picture(
        """
        [[a]]
        [[a.b]]
        c = 1
        [[a.b]]
        [a.b.d]
        [[a]]
        b = 2
        """) == """
          1:3 a @1:1 []
          - a[0] @1:1 {}
          2:5 a[0].b @2:1 []
          - a[0].b[0] @2:1 {}
          3:1 a[0].b[0].c @3:5 1
          - a[0].b[1] @4:1 {}
          5:6 a[0].b[1].d @5:1 {}
          - a[1] @6:1 {}
          7:1 a[1].b @7:5 2
          """)
  }

  @Test func `Arrays span lines and hold values of any type, inline tables among them.`() {
    #expect(
      picture(
        """
        a = [ # one
          1, "x"
          , [], { }, { b.c = 1, b.d = [
        2 ] }, ]
        """) == """
          1:1 a @1:5 []
          - a[0] @2:3 1
          - a[1] @2:6 "x"
          - a[2] @3:5 []
          - a[3] @3:9 {}
          - a[4] @3:14 {}
          3:16 a[4].b @3:16 {}
          3:18 a[4].b.c @3:22 1
          3:27 a[4].b.d @3:31 []
          - a[4].b.d[0] @4:1 2
          """)
  }

  @Test(arguments: ["", "\n", "\r\n \t", "\u{FEFF}", "# é\u{85}\t", "\u{FEFF}# x\r\n"])
  func `A document may be empty.`(text: String) {
    #expect(picture(text) == "")
  }

  @Test func `A table with many keys finds each of them.`() throws {
    let names = (0..<100).map { "k\($0)" }
    let text = names.map { "\($0) = '\($0)'\n" }.joined()
    let root = try TOMLDocument(text, file: "t").root
    #expect(names.allSatisfy { root[$0]?.string == $0 })
    #expect(root["k100"] == nil)
    #expect(picture(text + "k7 = 1").contains("t.toml:101:1: \"k7\" is already set in line 8. Remove one"))
  }

  @Test(arguments: [
    // Keys
    ("a", "1:2: expected =, found the end of the file"),
    ("= 1", "1:1: expected a key, found ="),
    ("a. = 1", "1:4: expected a key, found ="),
    ("\u{A0}a = 1", "1:1: expected a key, found U+00A0"),
    ("\"a\n\" = 1", "1:1: unterminated key: close it with the quote it starts with"),
    (#"'a\'b' = 1"#, "1:5: expected =, found b"),
    (#""""a""" = 1"#, "1:3: expected =, found \""),
    // Lines
    ("a = 1\rb = 2", "1:6: expected the end of the line, found a control character"),
    ("# a\u{7F}", "1:4: control character in a comment. Remove it"),
    ("a = [ # \u{1}\n]", "1:9: control character in a comment. Remove it"),
    ("a = 1\n\u{FEFF}b = 2", "2:1: expected a key, found U+FEFF"),
    // Numbers
    ("a = .5", "1:5: expected a value, found ."),
    ("a = 5.", "1:7: expected a digit, found the end of the file"),
    ("a = 5.e1", "1:7: expected a digit, found e"),
    ("a = 1__0", "1:7: expected a digit, found _"),
    ("a = 1_", "1:7: expected a digit, found the end of the file"),
    ("a = 0x", "1:7: expected a digit, found the end of the file"),
    ("a = 0b12", "1:8: expected a digit, found 2"),
    ("a = -0x1", "1:7: expected a digit, found x"),
    ("a = -01", "1:5: remove the leading zeros"),
    ("a = 00.5", "1:5: remove the leading zeros"),
    ("a = 9223372036854775808", "1:5: 9223372036854775808 does not fit in 64 bits"),
    ("a = 1e999", "1:5: 1e999 does not fit in 64 bits"),
    ("a = 1.2.3", "1:8: expected a digit, found ."),
    ("a = +", "1:6: expected a digit, found the end of the file"),
    // Words
    ("a = [b c, 1]", "1:6: expected a value, found a word. Put text in quotes: \"b c\""),
    ("a = -Inf # x", "1:5: expected a value, found a word. Put text in quotes: \"-Inf\""),
    ("a = don't é", "1:5: expected a value, found a word. Put text in quotes: \"don't é\""),
    // Dates
    ("a = 2023-02-29", "1:13: expected a day from 1 to 28, found 29"),
    ("a = 1900-02-29", "1:13: expected a day from 1 to 28, found 29"),
    ("a = 2023-04-31", "1:13: expected a day from 1 to 30, found 31"),
    ("a = 2023-4-01", "1:11: expected a digit, found -"),
    ("a = 24:00:00", "1:5: expected an hour from 0 to 23, found 24"),
    ("a = 07:32", "1:10: expected :, found the end of the file"),
    ("a = 07:32:00.", "1:14: expected a digit, found the end of the file"),
    ("a = 07:32:00Z", "1:13: expected the end of the line, found Z"),
    ("a = 2023-01-01T00:00:00+24:00", "1:25: expected an hour from 0 to 23, found 24"),
    // Strings
    ("a = \"\\x41\"", "1:6: invalid escape. For a backslash, write \\\\ or use 'single quotes'"),
    ("a = \"x\\ \n\"", "1:7: invalid escape. For a backslash, write \\\\ or use 'single quotes'"),
    ("a = \"\\uD800\"", "1:6: invalid Unicode code point"),
    ("a = \"\\U00110000\"", "1:6: invalid Unicode code point"),
    ("a = \"\\u12\"", "1:6: invalid Unicode code point"),
    ("a = \"\"\"x\"\"", "1:5: unterminated string: close it with the quotes it starts with"),
    ("a = ''''''''''", "1:13: expected the end of the line, found '"),
    (
      "a = '''x\r'''",
      "1:9: escape this control character, as in \\u001B"
    ),
    // Arrays and inline tables
    ("a = [1,,2]", "1:8: expected a value, found ,"),
    ("a = [1 2]", "1:8: expected , or ], found 2"),
    ("a = {b = 1,}", "1:12: expected a key, found }"),
    ("a = {b = 1 c = 2}", "1:12: expected , or }, found c"),
    ("a = {b = 1 # x\n}", "1:12: expected , or }, found #"),
    // Tables
    ("[a] b = 1", "1:5: expected the end of the line, found b"),
    ("[[a] ]", "1:5: expected ], found a space"),
    ("[ [a]]", "1:3: expected a key, found ["),
    ("a.b = 1\n[a]", "2:2: table \"a\" is already defined in line 1. Merge the two"),
    ("[a]\nb = 1\nb.c = 2", "3:1: \"b\" is already defined as something else. Keep one of the two"),
    ("[a.b]\n[a]\nb.c = 1", "3:1: \"b\" already has its own header. Add the key there"),
    ("[a]\nb = 1\n[[a]]", "3:3: \"a\" is already defined as something else. Keep one of the two"),
    ("a = []\n[[a]]", "2:3: \"a\" is already set in line 1. Remove one"),
    ("[[a.b]]\n[a]\nb.c = 1", "3:1: \"b\" is already defined as something else. Keep one of the two"),
    (
      "a = {}\n[a.b]",
      "2:2: \"a\" is an inline table and cannot be extended. Add the key inside its braces"
    ),
    (
      "a = { b = {}, b.c = 1 }",
      "1:15: \"b\" is an inline table and cannot be extended. Add the key inside its braces"
    ),
    ("a = { b = 1, 'b' = 2 }", "1:14: \"b\" is already set in line 1. Remove one"),
  ])
  func `An invalid document is refused at the first character that is wrong.`(text: String, problem: String) {
    #expect(picture(text) == "t.toml:\(problem)")
  }

  @Test func `Depth is limited wherever it comes from, and length costs no more than its share.`() {
    let deep = "nested more than 64 levels deep"
    let parts = Array(repeating: "a", count: 64).joined(separator: ".")
    #expect(picture("[\(parts)]\nb = 1") == "t.toml:2:5: \(deep)")
    #expect(picture("a = " + String(repeating: "{b=", count: 64)) == "t.toml:1:197: \(deep)")
    #expect(picture("[\(parts.dropLast(4))]\nb.c.d = 1") == "t.toml:2:9: \(deep)")
    #expect(picture("[\(parts)]").split(separator: "\n").count == 64)
    #expect(picture("a = [" + String(repeating: "1,", count: 100_000) + "}").hasPrefix("t.toml:1:200006:"))
  }
}
