import Testing

@testable import JSON

@Suite struct IndentedLinesTests {
  private func lines(_ text: String, limit: Int = .max) throws -> [String] {
    let document = try JSONDocument(Array(text.utf8))
    return document.indentedLines(of: document.rootNode, limit: limit)
  }

  @Test func `Each member and element has its own line, indented by two more spaces.`() throws {
    let text = #"{"a":1,"b":[true,{"c":null}],"d":{},"e":[ ],"f":"x: {\"y\", [z]}\\"}"#
    #expect(
      try lines(text).joined(separator: "\n") == #"""
        {
          "a": 1,
          "b": [
            true,
            {
              "c": null
            }
          ],
          "d": {},
          "e": [],
          "f": "x: {\"y\", [z]}\\"
        }
        """#)
  }

  @Test(arguments: [("12.50", ["12.50"]), ("\"日本\"", ["\"日本\""]), ("[]", ["[]"]), (" { } ", ["{}"])])
  func `A plain or empty value is one line.`(text: String, expected: [String]) throws {
    #expect(try lines(text) == expected)
  }

  @Test(arguments: [
    (#""\u65e5\u672c""#, #""日本""#), (#""a\/b \ud83d\ude00 \u00e9""#, #""a/b 😀 é""#),
    (#""\u0022 \u005c \n \u000a \u001B""#, #""\" \\ \n \n \u001b""#),
    (#"{"\u540d":"\t"}"#, #"{|  "名": "\t"|}"#),
  ]) func `[D13] Texts are shown decoded, and only characters that must be escaped are.`(
    text: String, expected: String
  )
    throws
  {
    #expect(try lines(text).joined(separator: "|") == expected)
  }

  @Test func `No more lines are made than the limit allows.`() throws {
    #expect(try lines("[1,2,3,4]", limit: 3) == ["[", "  1,", "  2,"])
  }

  @Test func `Only the value itself is shown.`() throws {
    let document = try JSONDocument(Array(#"[{"a":1},{"b":[2]}]"#.utf8))
    let second = try #require(document.element(of: document.rootNode, at: 1))
    #expect(document.indentedLines(of: second) == ["{", "  \"b\": [", "    2", "  ]", "}"])
  }
}
