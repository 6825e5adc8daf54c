import JSON
import Testing

@Suite struct JSONCompactTests {
  private func compact(_ text: String) throws -> String {
    let document = try json(text).document
    return String(decoding: document.compactBytes(of: document.rootNode), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{ "a":  1.50, "b" : "\u0041 x" }"#, #"{ "a":  1.50, "b" : "\u0041 x" }"#),
    ("  [1, 2]\n", "[1, 2]"),
    ("{\n  \"a b\": [\n    1,\r\n\t2\n  ],\n  \"c\": \" \\n \"\n}", #"{"a b":[1,2],"c":" \n "}"#),
    ("[\r{\"a\": \"\"}\r]", #"[{"a":""}]"#),
    ("\"x y\"", "\"x y\""),
    ("\n-1e5\n", "-1e5"),
  ])
  func `Bytes are unchanged, except that white space is removed if there is a line break.`(
    text: String, expected: String
  ) throws {
    #expect(try compact(text) == expected)
  }

  @Test func `Each row is compacted independently of what surrounds it.`() throws {
    let document = try json("[\n  {\"a\": 1},\n  {\n\"b\":\n2}, \"x\\\"\\n\", [ 3 ]\n]").document
    let rows = document.elements(of: document.rootNode).map { document.compactBytes(of: $0) }
    let lines = rows.map { String(decoding: $0, as: UTF8.self) }
    #expect(lines == [#"{"a": 1}"#, #"{"b":2}"#, #""x\"\n""#, "[ 3 ]"])
  }

  @Test func `Malformed bytes become U+FFFD.`() throws {
    let bytes: [UInt8] = Array("[ \"a".utf8) + [0xFF] + Array("\",\n 1]".utf8)
    let document = try JSONDocument(bytes)
    let node = try #require(document.element(of: document.rootNode, at: 0))
    #expect(
      String(decoding: document.compactBytes(of: document.rootNode), as: UTF8.self) == "[\"a\u{FFFD}\",1]")
    #expect(String(decoding: document.compactBytes(of: node), as: UTF8.self) == "\"a\u{FFFD}\"")
  }
}
