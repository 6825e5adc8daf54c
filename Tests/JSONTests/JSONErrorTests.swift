import JSON
import Testing

@Suite struct JSONErrorTests {
  @Test func `A text with too many values is refused, however small they are.`() {
    let text = "[" + String(repeating: "0,", count: 4_000_001) + "0]"
    #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
  }

  @Test(arguments: [
    ("", "line 1, column 1 (byte 0): unexpected end of input"),
    ("  ", "line 1, column 3 (byte 2): unexpected end of input after   "),
    ("{", #"line 1, column 2 (byte 1): unexpected end of input after {"#),
    ("[1,]", #"line 1, column 4 (byte 3): expected a value, found "]" near [1,]"#),
    ("[1 2]", #"line 1, column 4 (byte 3): expected "," or "]", found "2" near [1 2]"#),
    (#"{"a" 1}"#, #"line 1, column 6 (byte 5): expected ":" after a name, found "1" near {"a" 1}"#),
    (#"{"a":1,}"#, #"line 1, column 8 (byte 7): expected a name in quotes, found "}" near {"a":1,}"#),
    (#"{"a":1]"#, #"line 1, column 7 (byte 6): expected "," or "}", found "]" near {"a":1]"#),
    ("{a:1}", #"line 1, column 2 (byte 1): expected a name in quotes or "}", found "a" near {a:1}"#),
    (
      "[\"日\",\n \"本\", 'x']",
      #"line 2, column 7 (byte 16): expected a value, found "'" near ["日",  "本", 'x']"#
    ),
    ("01", #"line 1, column 2 (byte 1): expected nothing after the value, found "1" near 01"#),
    ("1.", "line 1, column 3 (byte 2): unexpected end of input after 1."),
    ("-x", #"line 1, column 2 (byte 1): expected a digit, found "x" near -x"#),
    ("1e+", "line 1, column 4 (byte 3): unexpected end of input after 1e+"),
    ("+1", #"line 1, column 1 (byte 0): expected a value, found "+" near +1"#),
    ("nul", #"line 1, column 4 (byte 3): unexpected end of input after nul"#),
    ("[trUe]", #"line 1, column 4 (byte 3): expected "true", found "U" near [trUe]"#),
    ("NaN", #"line 1, column 1 (byte 0): expected a value, found "N" near NaN"#),
    (#""abc"#, #"line 1, column 5 (byte 4): unexpected end of input after "abc"#),
    (
      #""a\x""#,
      #"line 1, column 4 (byte 3): expected one of "\/bfnrtu after a backslash, found "x" near "a\x""#
    ),
    (
      #""\u12g4""#,
      #"line 1, column 6 (byte 5): expected four hexadecimal digits after \u, found "g" near "\u12g4""#
    ),
    (
      "\"a\nb\"",
      "line 1, column 3 (byte 2): expected control characters in a string to be escaped, "
        + "found a control character (code 10) near \"a b\""
    ),
    ("{}x", #"line 1, column 3 (byte 2): expected nothing after the value, found "x" near {}x"#),
    ("[あ]", #"line 1, column 2 (byte 1): expected a value, found "あ" near [あ]"#),
    ("[\0]", "line 1, column 2 (byte 1): expected a value, found a control character (code 0) near [ ]"),
    ("\"a\": 1", #"line 1, column 4 (byte 3): expected nothing after the value, found ":" near "a": 1"#),
  ])
  func `An error contains its position, the expected input and the input found.`(
    text: String, message: String
  ) {
    let error = #expect(throws: JSONError.self) { try json(text) }
    #expect(error?.description == message)
  }

  @Test func `The excerpt is short and never splits a character.`() {
    let text =
      "[\"" + String(repeating: "あ", count: 100) + "\" x \"" + String(repeating: "い", count: 100) + "\"]"
    let error = #expect(throws: JSONError.self) { try json(text) }
    #expect(error?.excerpt == "…あああああああ\" x \"いいいいい…")
    let hostile = #expect(throws: JSONError.self) {
      try JSONDocument([0x5B] + [UInt8](repeating: 0x80, count: 100_000))
    }
    #expect(hostile?.found == "a byte that is not UTF-8")
    #expect((hostile?.excerpt.unicodeScalars.count ?? 0) < 50)
  }

  @Test func `A hundred thousand open brackets are an error, not a crash.`() {
    for bracket in ["[", #"{"a":"#] {
      let error = #expect(throws: JSONError.self) { try json(String(repeating: bracket, count: 100_000)) }
      #expect(error?.offset == 64 * bracket.utf8.count)
      #expect(error?.expected == "at most 64 levels of nesting")
      #expect(error?.isTruncated == false)
    }
  }

  @Test func `A text cut off anywhere is reported as truncated, not as malformed.`() {
    let text = Array(#" {"a": [1.5e+7, "x\n\u00e9日", true, false, null, {}], "b": -0} "#.utf8)
    for length in 0..<(text.count - 2) {
      let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text[..<length])) }
      #expect(error?.isTruncated == true, "\(length)")
      #expect(error?.offset == length)
    }
    let wrong = #expect(throws: JSONError.self) { try json("[1}") }
    #expect(wrong?.isTruncated == false)
  }

  @Test(arguments: [
    ("<html>", true), ("\u{FEFF}\n <!doctype html>", true), ("oops <b>", false), ("", false), ("{", false),
  ])
  func `A text that begins with a tag is recognized as markup.`(text: String, isMarkup: Bool) {
    let error = #expect(throws: JSONError.self) { try json(text) }
    #expect(error?.isMarkup == isMarkup)
  }
}
