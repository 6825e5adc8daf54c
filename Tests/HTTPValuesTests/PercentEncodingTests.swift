import HTTPValues
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("c++ & 日本語", "c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E"), ("Az09-._~", "Az09-._~"),
    ("a/b?c#d%20", "a%2Fb%3Fc%23d%2520"), ("\r\n\0", "%0D%0A%00"), ("", ""),
  ])
  func `All bytes except unreserved ones are encoded, and decoding restores them.`(
    text: String, encoded: String
  ) {
    #expect(PercentEncoding.encoded(text) == encoded)
    #expect(PercentEncoding.decoded(encoded) == text)
    #expect(PercentEncoding.decoded(encoded, plusIsSpace: true) == text)
  }

  @Test func `In a path, slashes are kept.`() {
    #expect(PercentEncoding.encodedPath("owner/na me?") == "owner/na%20me%3F")
  }

  @Test(arguments: [
    ("100%", "100%"), ("%zz%4", "%zz%4"), ("a+b", "a+b"), ("%ff", "\u{FFFD}"), ("%E6%97%a5", "日"),
    ("%%20", "% "),
  ])
  func `Decoding keeps text that is not encoded.`(text: String, decoded: String) {
    #expect(PercentEncoding.decoded(text) == decoded)
  }

  @Test func `In a form, a plus sign is a space.`() {
    #expect(PercentEncoding.decoded("a+b%2B", plusIsSpace: true) == "a b+")
  }
}
