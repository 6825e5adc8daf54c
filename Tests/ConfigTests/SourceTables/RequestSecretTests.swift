import Config
import HTTPValues
import Testing

@testable import Search

/// Secrets in requests are kept separate from the address and headers that are shown.
@Suite struct RequestSecretTests {
  private static let source = """
    [request]
    url = "https://api.example.org/x"
    params = { q = "{query}", key = "{secret:key?}" }
    headers = { X-Key = "Token {secret:token}, {page_size}" }
    [secrets.key]
    from = "env:KEY"
    optional = true
    [secrets.token]
    from = "env:TOKEN"
    [pagination]
    type = "link"
    next = "next"
    hosts = ["cdn.example.org"]
    size.default = 30
    """

  private func sent(_ secrets: [String: String], to next: String? = nil) throws -> String {
    var picture = RequestPicture(source: Self.source, credentials: .named(secrets))
    if let next { picture.position = Position(ordinal: 1, value: .link(try WebURL(next))) }
    return try picture.text
  }

  @Test func `A secret is kept separate from the request, with its place.`() throws {
    #expect(
      try sent(["key": "k3y", "token": "t0ken"]) == """
        GET https://api.example.org/x?q=swift
        + query("key") k3y from env:KEY
        + header("X-Key") Token t0ken, 30 from env:TOKEN
        """)
  }

  @Test func `A missing secret leaves out the field that contains it.`() throws {
    #expect(try sent([:]) == "GET https://api.example.org/x?q=swift")
  }

  @Test func `A next link that repeats a secret is shown without it.`() throws {
    #expect(
      try sent(["key": "k3y"], to: "https://api.example.org/x?key=k3y&page=2") == """
        GET https://api.example.org/x?page=2
        + query("key") k3y from env:KEY
        """)
    #expect(
      try sent(["key": "k3y"], to: "https://api.example.org/x?key=other") == """
        GET https://api.example.org/x?key=other
        + query("key") k3y from env:KEY
        """)
  }

  @Test func `No other host gets a secret, or a header that may contain one.`() throws {
    #expect(
      try sent(["key": "k3y", "token": "t0ken"], to: "https://cdn.example.org/x?key=k3y&page=2")
        == "GET https://cdn.example.org/x?page=2")
  }

  @Test func `A secret next to text that no header can contain is not shown either.`() throws {
    var picture = RequestPicture(
      source: """
        request = { url = "https://a.example", headers = { X = "{secret:k} {query}" } }
        secrets.k.from = "env:K"
        """, query: "a\nb", credentials: .named(["k": "s3cr3t"]))
    picture.pageSize = nil
    #expect(
      try picture.text
        == "source mine: the value of header X contains a control character, such as a line break"
    )
  }
}
