import Testing

@testable import Config

@Suite struct TOMLDocumentTests {
  @Test func `Keys keep their order and have positions.`() {
    #expect(
      picture(
        """
        zebra = 1
          apple = "two"   # a comment
        [request]
        url = 'https://example.org'
        params = { q = "{query}", b.c = true }
        """) == """
          1:1 zebra @1:9 1
          2:3 apple @2:11 "two"
          3:2 request @3:1 {}
          4:1 request.url @4:7 "https://example.org"
          5:1 request.params @5:10 {}
          5:12 request.params.q @5:16 "{query}"
          5:27 request.params.b @5:27 {}
          5:29 request.params.b.c @5:33 true
          """)
  }

  @Test func `Arrays of tables, dotted headers and quoted keys lead to the correct table.`() {
    #expect(
      picture(
        """
        [[columns]]
        path = "a"
        [[columns]]
        path = "b"
        [columns.width]
        min = 3
        [ "odd.key" . 'x y' ]
        "\\u00e9" = 1979-05-27 07:32:00
        """) == """
          1:3 columns @1:1 []
          - columns[0] @1:1 {}
          2:1 columns[0].path @2:8 "a"
          - columns[1] @3:1 {}
          4:1 columns[1].path @4:8 "b"
          5:10 columns[1].width @5:1 {}
          6:1 columns[1].width.min @6:7 3
          7:3 odd.key @7:3 {}
          7:15 odd.key.x y @7:1 {}
          8:1 odd.key.x y.é @8:12 1979-05-27 07:32:00
          """)
  }

  @Test func `Text that looks like keys inside multiline strings and arrays is ignored.`() {
    #expect(
      picture(
        #"""
        text = """
        a = 1
        [no] ""\" """""
        words = [ # ]
          "x, y", '''
        ]''', [1, 2.5],
        ]
        last = true
        """#) == #"""
          1:1 text @1:8 "a = 1\n[no] \"\"\" \"\""
          4:1 words @4:9 []
          - words[0] @5:3 "x, y"
          - words[1] @5:11 "]"
          - words[2] @6:7 []
          - words[2][0] @6:8 1
          - words[2][1] @6:11 2.5
          8:1 last @8:8 true
          """#)
  }

  @Test func `A byte order mark and carriage returns shift no position.`() {
    #expect(
      picture("\u{FEFF}a = 1\r\n[b]\r\nc = 2\r\n") == """
        1:1 a @1:5 1
        2:2 b @2:1 {}
        3:1 b.c @3:5 2
        """)
  }

  @Test(arguments: [
    ("a = 1\nb =\n", "2:4: expected a value, found the end of the line"),
    ("a = [1, 2\n", "2:1: expected , or ], found the end of the file"),
    ("a = [,1]", "1:6: expected a value, found ,"),
    ("a = {b = 1\nc = 2}", "1:11: expected , or }, found the end of the line"),
    ("[a\nb = 1", "1:3: expected ], found the end of the line"),
    ("[=]", "1:2: expected a key, found ="),
    ("a = \"open\nb = 1", "1:5: unterminated string: close it with the quotes it starts with"),
    ("a = '''\nopen", "1:5: unterminated string: close it with the quotes it starts with"),
    ("a = \"\\dir\"", "1:6: invalid escape. For a backslash, write \\\\ or use 'single quotes'"),
    ("a = \"x\\u0000y\"", "1:7: invalid Unicode code point"),
    ("a = 1 # x\nb 2", "2:3: expected =, found 2"),
    ("a = 1 b = 2", "1:7: expected the end of the line, found b"),
    ("a = 1\n[a.b]\n", "2:2: \"a\" is already defined as something else. Keep one of the two"),
    ("a = 1979-05-27 x", "1:16: expected the end of the line, found x"),
    ("a = yes", "1:5: expected a value, found a word. Put text in quotes: \"yes\""),
    ("a = TRUE", "1:5: expected a value, found a word. Write true"),
    ("a = é", "1:5: expected a value, found é"),
    ("a =\u{1}", "1:4: expected a value, found a control character"),
    ("a = 1\na = 2\n", "2:1: \"a\" is already set in line 1. Remove one"),
  ])
  func `A syntax error has its line and column.`(text: String, problem: String) {
    #expect(picture(text) == "t.toml:\(problem)")
  }

  @Test func `Input that no configuration needs is refused with its position.`() {
    #expect(picture("a = 1\nb\0 = 2") == "t.toml:2:2: not UTF-8 text")
    #expect(
      picture("[" + Array(repeating: "a", count: 100_000).joined(separator: ".") + "]")
        == "t.toml:1:131: key with more than 64 parts")
    #expect(
      picture("a = " + String(repeating: "[", count: 100_000))
        == "t.toml:1:69: nested more than 64 levels deep")
    #expect(
      picture(String(repeating: "#", count: TOMLDocument.largest + 1))
        == "t.toml: is larger than the limit of 1048576 bytes")
  }

  @Test func `Text that is not UTF-8 is refused at its first invalid byte.`() {
    #expect(throws: ConfigError([ConfigDiagnostic(at: .position(position(2, 6)), "not UTF-8 text")])) {
      try TOMLDocument(Array("é = 1\nb = \"".utf8) + [0xFF, 0x22], file: "t.toml")
    }
  }

  private func position(_ line: Int, _ column: Int) -> FilePosition {
    FilePosition(file: "t.toml", line: line, column: column)
  }
}
