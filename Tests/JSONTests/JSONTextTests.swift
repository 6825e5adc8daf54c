import JSON
import Testing

@Suite struct JSONTextTests {
  @Test(arguments: [
    ("", #""""#),
    ("plain", #""plain""#),
    ("a\"b\\c/d", #""a\"b\\c/d""#),
    ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
    ("\u{0}\u{1F}\u{7F}\u{2028}", "\"\\u0000\\u001f\u{7F}\u{2028}\""),
    ("日本語 😀", #""日本語 😀""#),
    ("\"\"", #""\"\"""#),
  ])
  func `A text is quoted with only the escapes that JSON requires.`(text: String, quoted: String) {
    #expect(JSONText.quoted(text) == quoted)
  }

  @Test func `Every scalar survives quoting and parsing.`() throws {
    for value in UInt32(0)...0x10FFFF where value < 0x3100 || value % 997 == 0 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)b"
      let read = try json(JSONText.quoted(text)).string
      #expect(read?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }
  }
}
