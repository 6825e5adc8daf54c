import TestSupport
import Testing
import Text

@Suite struct EscapedJSONTests {
  @Test(arguments: [
    (#"{"a":"plain","n":9007199254740993}"#, #"{"a":"plain","n":9007199254740993}"#),
    ("{\"a\":\"\u{7F}\u{9B}31m\"}", #"{"a":"\u007f\u009b31m"}"#),
    ("[\"user\u{202E}txt\", \"\u{200B}\"]", #"["user\u202etxt", "\u200b"]"#),
    ("[\"\u{E0041}\"]", #"["\udb40\udc41"]"#),
    ("[\n\t1,\r\n2]\n", "[\n 1, \n2]\n"),
    ("[\"日本 👨‍👩‍👧 ❤\u{FE0F}\"]", "[\"日本 👨‍👩‍👧 ❤\u{FE0F}\"]"),
    ("[\"a\u{200D}b 👨\u{200D}\"]", #"["a\u200db 👨\u200d"]"#),
    ("[\"\u{1B}[2J\"]", #"["\u001b[2J"]"#),
  ])
  func `Characters that could control a terminal are written as escapes`(json: String, safe: String) {
    #expect(String(decoding: Sanitized.escapedJSON(json.utf8), as: UTF8.self) == safe)
  }

  @Test func `The escaped text has the same value as the original`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let raw = RandomText.text(from: RandomText.harmless + RandomText.hostile, upTo: 10, &generator)
      let inString = raw.unicodeScalars.filter { $0.value >= 0x20 }
      let json = "\"" + String(String.UnicodeScalarView(inString)) + "\""
      #expect(unescaped(Sanitized.escapedJSON(json.utf8)).unicodeScalars.elementsEqual(json.unicodeScalars))
    }
  }

  @Test func `The ninth mark on one base is escaped`() {
    let marks = String(repeating: "\u{301}", count: 10)
    #expect(
      String(decoding: Sanitized.escapedJSON("e\(marks)".utf8), as: UTF8.self)
        == "e" + String(repeating: "\u{301}", count: 8) + #"\u0301\u0301"#)
  }

  /// Decodes `\uXXXX` escapes. A surrogate pair is one scalar.
  private func unescaped(_ bytes: [UInt8]) -> String {
    var units: [UInt16] = []
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.popFirst() == "u" {
        units.append(UInt16(String(rest.prefix(4)), radix: 16) ?? 0)
        rest.removeFirst(4)
      } else {
        units += Array(String(scalar).utf16)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
