import JSON
import Output
import Search
import Testing

@Suite struct MarkupTests {
  @Test func `Markdown escapes its own syntax and is never truncated.`() throws {
    let picture = """
      | Name        | Note      |
      | ----------- | --------- |
      | swift/swift | plain     |
      | 日本語 🏗️   | e\u{301}migre\u{301} 👩‍👩‍👧 |
      | a,b "c" \\| d | tab and<br>line \\\\ end |
      | \\<b\\>\\&amp;\\</b\\> \\*x\\* \\_y\\_ a_b | ␛\\[31mred␇evil� |

      """
    #expect(
      try written(
        "markdown", Samples.plain, Samples.awkward, columns: "name,note",
        on: OutputOptions(isTerminal: true, width: 20))
        == picture.replacing("tab and<br>line", with: "tab and line"))
    #expect(
      try written("markdown", Samples.plain, Samples.awkward, columns: "name,note")
        == picture.replacing("␛\\[31mred␇evil�", with: "\u{1B}\\[31mred\u{7}\u{202E}evil\u{9B}"))
  }

  @Test(
    "Text in Markdown is displayed as the original text.",
    arguments: [
      ("https://example.org/a_b*c~d?x=1&copy=2", "<https://example.org/a_b*c~d?x=1&copy=2>"),
      ("https://example.org/a|b www.x.y", #"https\://example.org/a\|b www\.x.y"#),
      ("see https://example.org/a_b?x=1&y=2", "see https://example.org/a_b?x=1&y=2"),
      ("AT&T &amp; &#x41; &;", #"AT&T \&amp; \&#x41; &;"#),
      ("__init__ snake_case", #"\__init_\_ snake_case"#),
      ("[a](b) `c` ~~d~~ $e$", #"\[a\](b) \`c\` \~\~d\~\~ \$e\$"#),
      ("a\r\nb\nc\u{2028}d", "a<br>b<br>c<br>d"),
      ("|\u{301} <\u{301}", "\\|\u{301} \\<\u{301}"),
    ])
  func markdown(text: String, picture: String) throws {
    let line = try written(
      "markdown", "[{\"t\": \(JSONText.quoted(text))}]", of: source([column("t", "t")]),
      on: OutputOptions(hasHeader: false))
    #expect(line == "| \(picture) |\n")
  }

  @Test func `HTML is a complete table with its syntax escaped.`() throws {
    #expect(
      try written(
        "html", Samples.awkward, columns: "name,stars,note", on: OutputOptions(isTerminal: true, width: 20))
          == """
          <table>
          <thead>
          <tr><th>Name</th><th style="text-align: right">Stars</th><th>Note</th></tr>
          </thead>
          <tbody>
          <tr><td>a,b &quot;c&quot; | d</td><td style="text-align: right"></td><td>tab and line \\ end</td></tr>
          <tr><td>&lt;b&gt;&amp;amp;&lt;/b&gt; *x* _y_ a_b</td><td style="text-align: right">1.0k</td>\
          <td>␛[31mred␇evil�</td></tr>
          </tbody>
          </table>

          """)
  }

  @Test func `In a pipe, HTML keeps line breaks and shows them.`() throws {
    let text = try written("html", Samples.awkward, columns: "note", on: OutputOptions(hasHeader: false))
    #expect(
      text == """
        <table>
        <tbody>
        <tr><td>tab\tand<br>
        line \\ end</td></tr>
        <tr><td>\u{1B}[31mred\u{7}\u{202E}evil\u{9B}</td></tr>
        </tbody>
        </table>

        """)
  }

  @Test func `Syntax characters with a combining accent are escaped too.`() throws {
    let text = try written("html", #"[{"note": "<\u0301&\u0301\r\n\u0301"}]"#, columns: "note")
    #expect(Array(text.utf8).contains(Array("<td>&lt;\u{301}&amp;\u{301}<br>\r\n\u{301}</td>".utf8)))
  }

  @Test func `Without rows, HTML is a table with an empty body.`() throws {
    #expect(
      try written("html", columns: "name") == """
        <table>
        <thead>
        <tr><th>Name</th></tr>
        </thead>
        <tbody>
        </tbody>
        </table>

        """)
  }
}
