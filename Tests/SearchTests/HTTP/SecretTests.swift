import Testing

@testable import Search

@Suite struct SecretTests {
  @Test func `A secret has no description.`() {
    let secret = Secret("Bearer abcdefgh-1234")
    #expect("\(secret)" == "<secret>")
    #expect(String(reflecting: secret) == "<secret>")
  }

  @Test(arguments: [
    ("Bad credentials Bearer abcdefgh/1234", "Bad credentials <secret>"),
    ("token abcdefgh/1234 refused", "token <secret> refused"), ("?key=abcdefgh%2F1234", "?key=<secret>"),
    ("nothing here", "nothing here"),
  ]) func `A text that repeats it is redacted by value.`(text: String, expected: String) {
    #expect(Secret("Bearer abcdefgh/1234").redacted(in: text) == expected)
  }

  @Test func `A short secret is left, since its text may occur anywhere.`() {
    #expect(Secret("Bearer a").redacted(in: "a bad day") == "a bad day")
  }
}
