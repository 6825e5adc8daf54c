import HTTPValues
import Search
import Testing
import Text

@Suite struct RedactorTests {
  private func redacted(_ text: String, _ secret: Secret) -> String { Redactor([secret]).redacted(text) }

  /// A text in which a service echoes a secret, and the text that is shown.
  @Test(arguments: [
    ("Bad credentials Bearer abcdefgh/1234", "Bad credentials <secret>"),
    ("token abcdefgh/1234 refused", "token <secret> refused"),
    ("?key=abcdefgh%2F1234&q", "?key=<secret>&q"), ("abcdefgh%2f1234", "<secret>"),
    ("YWJjZGVmZ2gvMTIzNA==", "<secret>"), ("YWJjZGVmZ2gvMTIzNA", "<secret>"),
    ("YWJjZGVmZ2gvMTIzNA%3D%3D", "<secret>"), ("abcdefgh/1234\u{301}", "<secret>\u{301}"),
    ("nothing here", "nothing here"),
  ]) func `A secret echoed in a text is redacted by value, in every spelling.`(
    text: String, expected: String
  ) {
    #expect(redacted(text, Secret(literal: "Bearer ") + Secret("abcdefgh/1234")) == expected)
  }

  /// The secret is `abcdefgh/1234+<é>`.
  @Test(arguments: [
    (#"{"k":"\u0061bcdefgh\/1234\u002b\u003cé\u003e"}"#, #"{"k":"<secret>"}"#),
    (
      #"\u0061\u0062\u0063\u0064\u0065\u0066\u0067\u0068\u002F\u0031\u0032\u0033\u0034\u002B\u003C\u00E9\u003E."#,
      "<secret>."
    ),
    ("%61bcdefgh/%31234%2b%3Cé>!", "<secret>!"),
    ("abcdefgh&#x2F;1234&#43;&lt;é&gt; in HTML", "<secret> in HTML"),
    (
      #""to":"https:\/\/h.org\/?k=abcdefgh%2F1234%2B%3C\u00e9%3E&a=\/""#,
      #""to":"https:\/\/h.org\/?k=<secret>&a=\/""#
    ),
    (#"\\u0061bcdefgh\\/1234+<é>"#, "<secret>"), ("%2561bcdefgh%252F1234+<é>", "<secret>"),
    (#"abcdefgh\/1234+<é> \u0061bcdefgh/1234+<é> %"#, "<secret> <secret> %"),
    (#"it ends in \u0061bc\u0064efgh…"#, "it ends in <secret>…"),
    ("…fgh%2F1234&#43;&lt;é&gt;!", "…<secret>!"),
    (#"100% \ &amp; \u00 %zz &#; \u0061bc"#, #"100% \ &amp; \u00 %zz &#; \u0061bc"#),
  ]) func `Escapes, and escapes of escapes, do not hide a secret.`(text: String, expected: String) {
    #expect(redacted(text, Secret("abcdefgh/1234+<é>")) == expected)
  }

  @Test(arguments: ["", "a", "ab", "ann:", "GET /?key="], ["", "\n", ":ann"])
  func `Base64 of a text that contains a secret does not reveal it.`(before: String, after: String) throws {
    let text = Base64.encoded(before + "s3cret??s3cret>>" + after)
    for spelling in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
      let redacted = redacted("it was \(spelling)", Secret("s3cret??s3cret>>"))
      let rest = redacted.replacing("<secret>", with: "").dropFirst(7)
      #expect(redacted.contains("<secret>"))
      // The rest is the Base64 of the surrounding text, and a partial byte at either end.
      #expect(rest.count <= Base64.encoded(before + after).count + 4, "\(redacted)")
    }
  }

  @Test(arguments: [
    ("it ends in abcdefgh/…", "it ends in <secret>…"), ("…efgh/1234 begins it", "…<secret> begins it"),
    ("…bcdefgh/12…", "…<secret>…"), ("…4 abcd…", "…4 <secret>…"), ("…%2F1234&q=1…", "…<secret>&q=1…"),
    ("near: …YWJjZGV…", "near: …<secret>…"), ("abc…", "abc…"), ("abcdef, …", "abcdef, …"),
    ("…", "…"), ("abcdefgh/1234…", "<secret>…"),
  ]) func `In a truncated text, the remaining part of a secret is redacted.`(text: String, expected: String) {
    #expect(redacted(text, Secret("abcdefgh/1234")) == expected)
  }

  @Test(arguments: [
    ("Basic YW5uOnMzY3JldC1zM2NyZXQ=", "<secret>"), ("ann:s3cret-s3cret", "<secret>"),
    ("s3cret-s3cret", "<secret>"), ("ann", "ann"),
  ]) func `User name and password are redacted together and separately.`(text: String, expected: String) {
    let secret = Authorization(.basic, from: [:])
      .credential(of: ["user_from": Secret("ann"), "from": Secret("s3cret-s3cret")])
    #expect(secret.reveal() == "Basic YW5uOnMzY3JldC1zM2NyZXQ=")
    #expect(redacted(text, secret) == expected)
  }

  @Test func `A short secret is not redacted, since its text may occur anywhere.`() {
    #expect(redacted("a bad day", Secret(literal: "Bearer ") + Secret("a")) == "a bad day")
  }

  @Test(arguments: [
    (PlacedCredential.Place.query("key"), "/x?key=a%26b&q=a%26b", "/x?key=<secret>&q=a%26b"),
    (.header("X-Key"), "x-key: a&b, X-Key: a&b; a&b", "x-key: <secret>, X-Key: <secret>; a&b"),
    (.field("a[k]"), "a%5Bk%5D=a%26b&q=a%26b", "a%5Bk%5D=<secret>&q=a%26b"),
    (
      .member("k\""), #"{"k\"":"a&b", "k\"": "a&b", "q": "a&b"}"#,
      #"{"k\"":"<secret>", "k\"": "<secret>", "q": "a&b"}"#
    ),
  ]) func `A short secret is redacted where it is used as a credential.`(
    place: PlacedCredential.Place, text: String, expected: String
  ) {
    let credential = PlacedCredential(place: place, secret: Secret("a&b"), provenance: "env:A")
    #expect(Redactor([], [credential]).redacted(text) == expected)
  }

  @Test(arguments: ["a+long+p%C3%A4ss", "a+long+p%c3%a4ss", "a%20long%20p%C3%A4ss", #"a long p\u00e4ss"#])
  func `A secret is redacted as a form or JSON spells it.`(text: String) {
    #expect(redacted("was \(text).", Secret("a long päss")) == "was <secret>.")
  }

  @Test func `All secrets are redacted at once, also where they overlap.`() {
    let redactor = Redactor([Secret("abcdefghij"), Secret("ghijklmnop"), Secret("another-one")])
    #expect(redactor.redacted("abcdefghijklmnop, another-one") == "<secret>, <secret>")
  }
}
