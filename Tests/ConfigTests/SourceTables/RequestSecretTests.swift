import Config
import HTTPValues
import Testing

@testable import Search

/// Tests that secrets in requests are separate from the URL and headers that are shown.
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

  private func sent(_ body: String, _ secrets: [String: String], at url: String = "https://a.example")
    throws -> String
  {
    let source = """
      [request]
      url = "\(url)"
      safe = true
      \(body)
      [secrets.key]
      from = "env:KEY"
      """
    return try RequestPicture(source: source, pageSize: nil, credentials: .named(secrets)).text
  }

  @Test func `A body is stored without its secrets and sent with them.`() throws {
    #expect(
      try sent(
        """
        body.find = "{query}"
        body.login = { user = "ann", password = "{secret:key}", keys = ["k-{secret:key}"] }
        """, ["key": "a\"b\\é"]) == #"""
          POST https://a.example/
          Content-Type: application/json
          + member("password") a"b\é from env:KEY
          + member("keys") k-a"b\é from env:KEY

          {"find":"swift","login":{"user":"ann"}}
          + {"find":"swift","login":{"user":"ann","password":"a\"b\\é","keys":["k-a\"b\\é"]}}
          """#)
  }

  @Test func `A form is stored without its secrets and sent with them.`() throws {
    #expect(
      try sent(
        """
        body_type = "form"
        body = { find = "{query}", login = { password = "{secret:key}" } }
        """, ["key": "a b&c"]) == """
          POST https://a.example/
          Content-Type: application/x-www-form-urlencoded
          + field("login[password]") a b&c from env:KEY

          find=swift
          + find=swift&login%5Bpassword%5D=a+b%26c
          """)
  }

  @Test func `The variables of a GraphQL document may contain a secret.`() throws {
    #expect(
      try sent(
        """
        graphql = "query($k: String) { x(k: $k) }"
        variables = { k = "{secret:key}" }
        """, ["key": "k3y"]) == """
          POST https://a.example/
          Content-Type: application/json
          + member("k") k3y from env:KEY

          {"query":"query($k: String) { x(k: $k) }"}
          + {"query":"query($k: String) { x(k: $k) }","variables":{"k":"k3y"}}
          """)
  }

  @Test func `A missing secret leaves out the member that contains it.`() throws {
    for type in ["json", "form"] {
      let whole = try sent(
        "body_type = \"\(type)\"\nbody = { q = \"{query}\", key = \"k {secret:key?}\" }", [:])
      #expect(whole == (try sent("body_type = \"\(type)\"\nbody = { q = \"{query}\" }", [:])))
    }
  }

  @Test(arguments: [
    ("https://a.example/x", "https://a.example/x", true), ("http://127.0.0.1/x", "http://127.0.0.1/x", true),
    ("http://a.example/x", "http://a.example/x", false),
    ("https://a.example/x", "https://b.example/x", false),
  ])
  func `Another host, or an unencrypted one, gets the body without its secrets.`(
    url: String, next: String, isWhole: Bool
  ) throws {
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(url)"
      body = { q = "{query}", key = "{secret:key}" }
      [secrets.key]
      from = "env:KEY"
      [pagination]
      type = "link"
      next = "next"
      hosts = ["b.example"]
      """
    let request = try SourceDecoder.source(TOMLDocument(source, file: "mine.toml")).request(
      for: PageRequest(
        query: Query("swift"), position: Position(ordinal: 1, value: .link(try WebURL(next))), generation: 1),
      in: RunContext(credentials: .named(["key": "k3y"])))
    #expect(
      String(decoding: request.sentBody, as: UTF8.self)
        == (isWhole ? #"{"q":"swift","key":"k3y"}"# : #"{"q":"swift"}"#))
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
