import JSON
import Testing

/// The value of a JSON text.
func json(_ text: String) throws -> JSONValue {
  try JSONDocument(Array(text.utf8)).root
}

@Suite struct JSONDocumentTests {
  @Test func `Every kind of value is read.`() throws {
    let value = try json(#"{"a": [1, -2.5e3, "x", true, false, null], "b": {}}"#)
    let list = try #require(value["a"])
    #expect(list.elements.map(\.kind) == [.number, .number, .string, .bool, .bool, .null])
    #expect(list.elements.map(\.text) == ["1", "-2.5e3", "x", "true", "false", nil])
    #expect(list.elements.map(\.bool) == [nil, nil, nil, true, false, nil])
    #expect(list.elements.map(\.isNull) == [false, false, false, false, false, true])
    #expect(value["b"]?.kind == .object)
    #expect(value["b"]?.text == nil)
    #expect(value["b"]?.string == nil)
  }

  @Test(arguments: [
    "0", "-0", "1.10", "1E400", "123456789012345678901234567890", "0.1000000000000000055511151231257827",
  ])
  func `A number of any size keeps its text.`(number: String) throws {
    #expect(try json(number).numberText == number)
    #expect(try json("[\(number)]")[0]?.text == number)
    #expect(try json(number).string == nil)
  }

  @Test func `Members keep their order, and the last of several with the same name wins.`() throws {
    let value = try json(#"{"b": 1, "a": 2, "b": 3, "\u0062": 4}"#)
    #expect(value.members.map(\.name) == ["b", "a"])
    #expect(value.members.map(\.value.text) == ["4", "2"])
    #expect(value["b"]?.text == "4")
    #expect(value.count == 4)
  }

  @Test func `Names are compared by their bytes, not by their appearance.`() throws {
    let value = try json("{\"e\u{301}\": 1, \"\u{E9}\": 2}")
    #expect(value["e\u{301}"]?.text == "1")
    #expect(value["\u{E9}"]?.text == "2")
    #expect(value.members.count == 2)
  }

  @Test(arguments: ["", "a", "ab", "abc", "abcd", "abcde", "abcdefghi", "name\"quoted\"", "日本語"])
  func `A member is found by a name of any length.`(name: String) throws {
    let value = try json("{\"abcdefgh_\": 0, \(JSONText.quoted(name)): 1, \"zz\": {\"\(name.count)\": 2}}")
    #expect(value[name]?.text == "1")
    #expect(value[name + "_"] == nil)
  }

  @Test func `A member or element that does not exist is nil.`() throws {
    let value = try json(#"{"a": [1], "s": "x"}"#)
    #expect(value["b"]?.node == nil)
    #expect(value["a"]?["b"] == nil)
    #expect(value["s"]?[0] == nil)
    #expect(value[0] == nil)
    #expect(value["s"]?.count == 0)
    #expect(value["s"]?.elements.isEmpty == true)
    #expect(value["s"]?.members.isEmpty == true)
  }

  @Test func `Elements are indexed from either end.`() throws {
    let list = try json("[[0, [1]], {\"a\": [2]}, 3]")
    #expect(list.count == 3)
    #expect(list[2]?.text == "3")
    #expect(list[-1]?.text == "3")
    #expect(list[-2]?["a"]?[0]?.text == "2")
    #expect(list[0]?[-1]?[0]?.text == "1")
    #expect(list[3] == nil)
    #expect(list[-4] == nil)
    #expect(list[Int.min] == nil)
    #expect(list[Int.max] == nil)
  }

  @Test(arguments: [
    (#""plain""#, "plain"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u3042""#, "Aéあ"),
    (#""x\ud83d\ude00y""#, "x😀y"),
    (#""\ud83d""#, "\u{FFFD}"),
    (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"),
    (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\u0000""#, "\0"),
    (#""日本語\n😀""#, "日本語\n😀"),
  ])
  func `Escapes in a string are decoded.`(text: String, expected: String) throws {
    #expect(try json(text).string == expected)
    #expect(try json("{\(text): 1}").members.map(\.name) == [expected])
  }

  @Test func `A byte order mark is skipped but counted in offsets.`() throws {
    let value = try json("\u{FEFF} [10]")
    #expect(value[0]?.text == "10")
    #expect(value[0]?.byteRange == 5..<7)
  }

  @Test func `A value has its byte range in the text.`() throws {
    let text = #"{"a": "x\"y", "b": [1, {}] }"#
    let value = try json(text)
    let parts = ["a", "b"].compactMap { value[$0]?.byteRange }
    #expect(
      parts.map { String(decoding: value.document.bytes[$0], as: UTF8.self) } == [#""x\"y""#, "[1, {}]"])
    #expect(value.byteRange == 0..<text.utf8.count)
  }

  @Test func `Bytes that are not UTF-8 are recorded and read as U+FFFD.`() throws {
    let document = try JSONDocument(
      Array("[\"good é\", \"".utf8) + [0x61, 0xFF, 0x62, 0xE3, 0x81] + Array("\"]".utf8))
    #expect(document.firstMalformedByte == 14)
    #expect(document.root.elements.map(\.string) == ["good é", "a\u{FFFD}b\u{FFFD}"])
    #expect(try json("[\"é\"]").document.firstMalformedByte == nil)
  }

  @Test func `A name with malformed bytes is found by its repaired text.`() throws {
    let document = try JSONDocument([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
    #expect(document.root["\u{FFFD}"]?.text == "1")
    #expect(document.root.members.map(\.name) == ["\u{FFFD}"])
  }

  @Test func `The text of a value is available as UTF-8 bytes.`() throws {
    let value = try json(#"{"a\n": "x\ty", "n": 1.0, "l": [ 1 ], "z": null}"#)
    let document = value.document
    let texts = document.members(of: document.rootNode).map { name, value in
      [name, value].map { node in document.withUTF8(of: node) { String(decoding: $0, as: UTF8.self) } }
    }
    #expect(texts == [["a\n", "x\ty"], ["n", "1.0"], ["l", "[ 1 ]"], ["z", "null"]])
  }

  @Test func `The value of a member has a name; an element and the root have none.`() throws {
    let document = try json(#"{"a": [1], "b": 2}"#).document
    let members = Array(document.members(of: document.rootNode))
    #expect(members.map { document.name(of: $0.value) } == members.map(\.name))
    let element = try #require(document.elements(of: members[0].value).first { _ in true })
    #expect(document.name(of: element) == nil)
    #expect(document.name(of: document.rootNode) == nil)
  }

  @Test func `Nesting of 64 levels is accepted, and the limit can be set.`() throws {
    let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try json(text).count == 1)
    #expect(try JSONDocument(Array("[[]]".utf8), maxDepth: 2).root.count == 1)
    #expect(throws: JSONError.self) { try JSONDocument(Array("[[]]".utf8), maxDepth: 1) }
  }
}

extension JSONDocumentTests {
  @Test func `A text with a value every two bytes is read like any other.`() throws {
    let value = try json("[" + String(repeating: "1,", count: 10_000) + "2]")
    #expect(value.elements.count == 10_001)
    #expect(value.elements.last?.text == "2")
  }

  @Test(arguments: [
    (#"{"city": "Reykjav\u00edk", "n": 1.50}"#, #"{"city": "Reykjavík", "n": 1.50}"#),
    (#"["\ud83d\ude00", "\\u00ed", "a\u0022b"]"#, #"["😀", "\\u00ed", "a\"b"]"#),
    (#"{"url": "http:\/\/a"}"#, #"{"url": "http://a"}"#), (#"{"a": "b"}"#, #"{"a": "b"}"#),
    (#""cut \u00e9 of"#, #""cut é of""#),
  ]) func `[H12] Readable JSON has characters in place of their escapes.`(json: String, readable: String) {
    #expect(JSONText.readable(json) == readable)
  }
}
