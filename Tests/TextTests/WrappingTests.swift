import Testing
import Text

@Suite struct WrappingTests {
  @Test(arguments: [
    ("", 5, ""), ("one two three", 7, "one two/three"), ("one two three", 3, "one/two/thr/ee"),
    ("日本語テキスト", 5, "日本/語テ/キス/ト"), ("exactly", 7, "exactly"), ("a  b", 1, "a/ /b"), ("日", 1, "日"),
  ]) func `A text breaks at spaces, and in a word only where it must.`(
    text: String, columns: Int, lines: String
  ) {
    let wrapped = Sanitized(text).wrapped(to: columns, .clusters)
    #expect(wrapped.map(\.string).joined(separator: "/") == lines)
  }

  @Test func `The last line that is allowed says that more follows.`() {
    let wrapped = Sanitized("one two three").wrapped(to: 5, most: 2, .clusters)
    #expect(wrapped.map(\.string) == ["one", "two …"])
  }
}
