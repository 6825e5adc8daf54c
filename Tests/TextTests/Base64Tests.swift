import Testing
import Text

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("\u{3ff}\u{fb}~", "z7/Du34="),
  ]) func `Base64 follows RFC 4648.`(text: String, expected: String) {
    #expect(Base64.encoded(text) == expected)
  }
}
