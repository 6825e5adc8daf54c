import Testing

@testable import Search

@Suite struct SecretTests {
  @Test func `A secret has no description.`() {
    let secret = Secret("Bearer abcdefgh-1234")
    #expect("\(secret)" == "<secret>")
    #expect(String(reflecting: secret) == "<secret>")
  }

  /// A text in which a service repeats a secret, and what is shown of it.
  @Test(arguments: [
    ("Bad credentials Bearer abcdefgh/1234", "Bad credentials <secret>"),
    ("token abcdefgh/1234 refused", "token <secret> refused"),
    ("?key=abcdefgh%2F1234&q", "?key=<secret>&q"), ("abcdefgh%2f1234", "<secret>"),
    ("YWJjZGVmZ2gvMTIzNA==", "<secret>"), ("YWJjZGVmZ2gvMTIzNA", "<secret>"),
    ("YWJjZGVmZ2gvMTIzNA%3D%3D", "<secret>"), ("abcdefgh/1234\u{301}", "<secret>\u{301}"),
    ("nothing here", "nothing here"),
  ]) func `A text that repeats it is redacted by value, however it is spelled.`(
    text: String, expected: String
  ) {
    #expect(Secret("abcdefgh/1234").prefixed(by: "Bearer ").redacted(in: text) == expected)
  }

  @Test(arguments: [
    ("it ends in abcdefgh/…", "it ends in <secret>…"), ("…efgh/1234 begins it", "…<secret> begins it"),
    ("…bcdefgh/12…", "…<secret>…"), ("…4 abcd…", "…4 <secret>…"), ("…%2F1234&q=1…", "…<secret>&q=1…"),
    ("near: …YWJjZGV…", "near: …<secret>…"), ("abc…", "abc…"), ("abcdef, …", "abcdef, …"),
    ("…", "…"), ("abcdefgh/1234…", "<secret>…"),
  ]) func `A text that was cut is redacted of the part that is left.`(text: String, expected: String) {
    #expect(Secret("abcdefgh/1234").redacted(in: text) == expected)
  }

  @Test(arguments: [
    ("Basic YW5uOnMzY3JldC1zM2NyZXQ=", "<secret>"), ("ann:s3cret-s3cret", "<secret>"),
    ("s3cret-s3cret", "<secret>"), ("ann", "ann"),
  ]) func `User name and password are redacted together and apart.`(text: String, expected: String) {
    let secret = Secret.basic(user: Secret("ann"), password: Secret("s3cret-s3cret"))
    #expect(secret.reveal() == "Basic YW5uOnMzY3JldC1zM2NyZXQ=")
    #expect(secret.redacted(in: text) == expected)
  }

  @Test func `A short secret is left, since its text may occur anywhere.`() {
    #expect(Secret("a").prefixed(by: "Bearer ").redacted(in: "a bad day") == "a bad day")
  }

  @Test(arguments: [
    (PlacedCredential.Place.query("key"), "/x?key=a%26b&q=a%26b", "/x?key=<secret>&q=a%26b"),
    (.header("X-Key"), "x-key: a&b, X-Key: a&b; a&b", "x-key: <secret>, X-Key: <secret>; a&b"),
  ]) func `Where a short secret stands as a credential, it is redacted.`(
    place: PlacedCredential.Place, text: String, expected: String
  ) {
    let credential = PlacedCredential(place: place, secret: Secret("a&b"), provenance: "env:A")
    #expect(credential.redacted(in: text) == expected)
  }
}
