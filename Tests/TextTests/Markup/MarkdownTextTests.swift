import Testing

@testable import Text

@Suite struct MarkdownTextTests {
  @Test func `A document is rendered as plain text.`() {
    #expect(
      MarkdownText.plain(
        """
        # Riffle ##
        A **fast** pager, see [the *docs*](https://example.org/a_(b) "title")
        and ![a picture](x.png).

        Install
        -------
        - one `code` \\*
          * two
        1. three
        > quoted ~~gone~~

        ***

        ```swift
        let a = **b**
        # no heading
        ```
        | a | b |
        |---|:-:|
        | 1 | 2 |
        <!-- a comment
        over lines --> after
        <details>more</details> &amp; <https://example.org> [x][1]
        """) == """
          Riffle
          A fast pager, see the docs
          and a picture.

          Install
          • one code *
            • two
          1. three
          quoted gone

          let a = **b**
          # no heading
          | a | b |
          | 1 | 2 |
          after
          more & https://example.org x
          """)
  }

  @Test(arguments: [
    ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
    ("f(*args, **kwargs)", "f(*args, **kwargs)"),
    ("***both*** **bold *in* it** _it_ __b__", "both bold in it it b"), ("**bold *in***", "bold in"),
    ("*a", "*a"), ("a*", "a*"),
    ("~~a~~ ~b~ ~/c", "a ~b~ ~/c"), ("`a*b*` `` `x` `` `open", "a*b* `x` `open"), ("``a`b``", "a`b"),
    ("[a](b", "[a](b"), ("[a] (b)", "[a] (b)"), ("a](b)", "a](b)"), ("[![alt](img)](url)", "alt"),
    ("- [ ] todo", "• [ ] todo"),
    ("[[a](b)](c)", "a"), ("\\[a](b)", "[a](b)"), ("a\\", "a\\"), ("a < b <c", "a < b <c"), ("<br>x", "\nx"),
    ("#tag", "#tag"), ("#", ""), ("####### x", "####### x"), ("# a #b", "a #b"), ("###", ""),
    ("a\r\nb\r\n", "a\nb"),
    ("```\nx", "x"), ("``` a ` b", "``` a ` b"), ("\n\n\na\n\n\n\nb\n\n", "a\n\nb"), ("- - -", ""),
    ("+1", "+1"),
    ("日本*語*", "日本語"), ("**日本**", "日本"), ("&copy;&#x1b;", "©\u{1B}"), ("", ""), ("<!-- open", ""),
    (">>> a", "a"),
    ("<a@b.example>", "a@b.example"),
  ])
  func `Markup is removed, and text that only resembles markup stays.`(markdown: String, text: String) {
    #expect(MarkdownText.plain(markdown) == text)
  }

  /// Each of these would take minutes if unclosed constructs were searched for repeatedly.
  @Test(arguments: [
    "[", "](", "[](", "[x](a)", "![", "*", "*a", "*a _b", "_a_", "`", "` `` ", "<", "<a", "<a '", "<!--", "(",
    "[][", "> ", "# ", "\\",
    "~~", "**a** ", "\n", "```\n", "- ", "&", "<a>",
  ])
  func `Hostile text of 100,000 bytes is read in one pass.`(part: String) {
    let text = String(repeating: part, count: 100_000 / part.utf8.count)
    #expect(MarkdownText.plain(text).utf8.count <= 300_000)
  }
}
