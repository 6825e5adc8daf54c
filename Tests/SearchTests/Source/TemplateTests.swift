import Testing

@testable import Search

@Suite struct TemplateTests {
  private let values = ["query": "a/b c", "sort": "", "size": "30"]

  /// A template and what it becomes; nil: dropped whole.
  @Test(
    arguments: [
      ("{query}", "a/b c"), ("x{size}y", "x30y"), ("{sort?}", nil), ("by {sort?}", nil), ("{sort}", ""),
      ("{{literal}}", "{literal}"), ("", ""), ("{+query}", "a/b c"),
    ] as [(String, String?)]) func `Values are put in, and an empty optional one drops the whole text.`(
      text: String, expected: String?
    ) throws
  {
    #expect(try Template(text).filled { values[$0] } == expected)
  }

  @Test(arguments: [
    ("{query", "a { without } in \"{query\"; a literal brace is written {{ or }}"),
    ("query}", "a } without { in \"query}\"; a literal brace is written {{ or }}"),
    ("{a b}", "\"{a b}\" is no placeholder in \"{a b}\"; a literal brace is written {{ or }}"),
    ("{}", "\"{}\" is no placeholder in \"{}\"; a literal brace is written {{ or }}"),
  ]) func `A brace that opens no placeholder is an error.`(text: String, message: String) {
    #expect {
      try Template(text)
    } throws: { error in
      "\(error)" == message
    }
  }

  @Test func `A path keeps its slashes only where it says so.`() throws {
    func path(_ text: String) throws -> String? {
      try Template(text).filled({ values[$0] }) { value, placeholder in
        placeholder.keepsSlashes ? PercentEncoding.encodedPath(value) : PercentEncoding.encoded(value)
      }
    }
    #expect(try path("/x/{query}") == "/x/a%2Fb%20c")
    #expect(try path("/x/{+query}") == "/x/a/b%20c")
  }
}
