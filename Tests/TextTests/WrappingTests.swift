import Testing
import Text

@Suite struct WrappingTests {
  @Test(arguments: [
    ("", 5, ""), ("one two three", 7, "one two/three"), ("one two three", 3, "one/two/thr/ee"),
    ("日本語テキスト", 5, "日本/語テ/キス/ト"), ("exactly", 7, "exactly"), ("a  b", 1, "a/ /b"), ("日", 1, "日"),
  ]) func `A text breaks at spaces, and inside a word only if necessary.`(
    text: String, columns: Int, lines: String
  ) {
    let wrapped = Sanitized(text).wrapped(to: columns, .clusters)
    #expect(wrapped.map(\.string).joined(separator: "/") == lines)
  }

  @Test func `No line is too wide, even with characters that take up no column.`() {
    // Found by the fuzzer: a space after invisible characters.
    let bytes: [UInt8] = [
      0xCC, 0xA6, 0xCC, 0x80, 0x80, 0x3E, 0xD7, 0x24, 0x08, 0xA6, 0xCC, 0x80, 0x80, 0x3E, 0xD7, 0x24, 0x48,
      0x94, 0xCC, 0x80, 0x0A, 0xCC, 0x80, 0x0A, 0x0A, 0x80, 0xCC, 0x0A, 0xCC, 0x80, 0x0A, 0xD7, 0x24, 0x08,
      0xA6, 0xC3, 0xE0, 0xA6, 0x82, 0x08, 0xA6, 0xC3, 0xE0, 0xA6, 0x82, 0x82,
    ]
    for model in [WidthModel.clusters, .codePoints] {
      for line in Sanitized(utf8: bytes).wrapped(to: 9, model) { #expect(line.width(model) <= 9) }
    }
  }

  @Test func `A cluster of many columns after a space does not make a line too wide.`() {
    // Found by the fuzzer: leading jamo form one character, but each takes two columns when code points are
    // counted.
    let wrapped = Sanitized("a 1234567ᅞᅞᅅ|").wrapped(to: 9, .codePoints)
    #expect(wrapped.map(\.string) == ["a", "1234567", "ᅞᅞᅅ|"])
    let tooWide = Sanitized("a ᅞᅞᅞᅞᅅb").wrapped(to: 9, .codePoints)
    #expect(tooWide.map(\.string) == ["a", "ᅞᅞᅞᅞᅅ", "b"])
  }

  @Test func `The last line allowed shows that more text follows.`() {
    let wrapped = Sanitized("one two three").wrapped(to: 5, most: 2, .clusters)
    #expect(wrapped.map(\.string) == ["one", "two …"])
  }
}
