import HTTPTransport
import HTTPValues
import Search
import Testing

/// Tests the redirect decision without a network.
struct RedirectsTests {
  /// The decision on one redirect: the next request's address, or the refusal.
  private func picture(
    _ url: String, _ status: Int, _ location: String, method: HTTPMethod = .get, isSafe: Bool = true,
    allowedHosts: [String] = []
  ) throws -> String {
    let request = HTTPRequest(
      method: method, url: try WebURL(url), isSafe: isSafe, allowedHosts: allowedHosts)
    var redirects = Redirects(of: request)
    switch redirects.decision(status: status, locations: [location], to: request) {
    case .deliver: return "deliver"
    case .follow(let next): return "\(next.method.rawValue) \(next.url)"
    case .refuse(let refusal): return "\(refusal)"
    }
  }

  @Test(arguments: [200, 201, 300, 304, 305, 306, 309, 400])
  func `A response with any other status is returned.`(status: Int) throws {
    #expect(try picture("http://a.example/", status, "/x") == "deliver")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `GET and HEAD are repeated unchanged.`(status: Int) throws {
    #expect(try picture("http://a.example/b/c?d", status, "../x?y=1") == "GET http://a.example/x?y=1")
    #expect(
      try picture("http://a.example/", status, "?page=2", method: .head) == "HEAD http://a.example/?page=2")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `A safe POST is repeated only on 307 and 308, and an unsafe one never.`(status: Int) throws {
    let expected = status >= 307 ? "POST http://a.example/x" : "\(RedirectError.unsafeMethod)"
    #expect(try picture("http://a.example/", status, "/x", method: .post) == expected)
    let refused = try picture("http://a.example/", status, "/x", method: .post, isSafe: false)
    #expect(refused == "\(RedirectError.unsafeMethod)")
  }

  @Test(arguments: [
    ("https://a.example/", "https://A.Example:443/x", "GET https://a.example:443/x"),
    ("https://a.example/", "//a.example/x#y", "GET https://a.example/x"),
    ("http://a.example/", "https://a.example/x", "GET https://a.example/x"),
    ("http://a.example:8080/", "https://a.example:8080/x", "GET https://a.example:8080/x"),
    ("http://127.0.0.1:1/", "http://127.0.0.1:1/x", "GET http://127.0.0.1:1/x"),
    ("http://a.example:8080/", "https://a.example/x", "otherOrigin(\"https://a.example\")"),
    ("http://a.example/", "https://a.example:8443/x", "otherOrigin(\"https://a.example:8443\")"),
    ("http://a.example/", "http://a.example:81/x", "otherOrigin(\"http://a.example:81\")"),
    ("https://a.example/", "https://b.example/x", "otherOrigin(\"https://b.example\")"),
    ("https://a.example/", "https://a.example.b.example/x", "otherOrigin(\"https://a.example.b.example\")"),
    ("https://a.example/", "http://a.example/x", "downgrade(\"http://a.example\")"),
    ("https://a.example/", "https://u:p@a.example/x", "userinfo"),
    ("https://a.example/", "https://a.example@b.example/x", "userinfo"),
    ("http://127.0.0.1:1/", "http://localhost:1/x", "otherOrigin(\"http://localhost:1\")"),
  ])
  func `Redirects are followed only to the same origin or to its host over TLS.`(
    url: String, location: String, expected: String
  ) throws {
    let refusals: [String: RedirectError] = ["userinfo": .target(.userinfo)]
    let picture = try picture(url, 302, location)
    #expect(picture == refusals[expected].map { "\($0)" } ?? Self.words(expected))
  }

  /// The text of the refusal `otherOrigin("x")`.
  private static func words(_ text: String) -> String {
    let parts = text.split(separator: "\"").map(String.init)
    return switch parts[0] {
    case "otherOrigin(": "\(RedirectError.target(.otherOrigin(parts[1])))"
    case "downgrade(": "\(RedirectError.target(.downgrade(parts[1])))"
    default: text
    }
  }

  @Test(arguments: [
    "ftp://a.example/", "javascript:alert(1)", "http://", "https://[::1/", "http://a.example:99999/",
  ])
  func `A URL that cannot be parsed is rejected.`(location: String) throws {
    let request = HTTPRequest(url: try WebURL("http://a.example/"))
    var redirects = Redirects(of: request)
    guard case .refuse(.unreadable) = redirects.decision(status: 302, locations: [location], to: request)
    else {
      Issue.record("\(location) was not refused as unreadable")
      return
    }
  }

  @Test func `A redirect without a Location is refused, and the first of several is used.`() throws {
    let request = HTTPRequest(url: try WebURL("http://a.example/"))
    var redirects = Redirects(of: request)
    #expect(redirects.decision(status: 302, locations: [], to: request) == .refuse(.noLocation))
    let decision = redirects.decision(status: 302, locations: ["/first", "//b.example/"], to: request)
    guard case .follow(let next) = decision else { throw RedirectRefused() }
    #expect(next.url.path == "/first")
  }

  @Test(arguments: [
    (["b.example"], "https://b.example/x", "follow"),
    (["B.Example"], "https://b.example/x", "follow"),
    (["b.example:8443"], "https://b.example:8443/x", "follow"),
    (["b.example"], "https://b.example:8443/x", "otherOrigin"),
    (["b.example"], "http://b.example/x", "downgrade"),
    (["b.example"], "https://u@b.example/x", "userinfo"),
    (["b.example"], "https://c.b.example/x", "otherOrigin"),
    (["127.0.0.1"], "https://127.0.0.1/x", "privateAddress"),
    (["169.254.169.254"], "https://169.254.169.254/x", "privateAddress"),
    (["[::1]"], "https://[::1]/x", "privateAddress"),
    (["0.0.0.0"], "https://0.0.0.0/x", "privateAddress"),
    (["10.0.0.1"], "https://10.0.0.1/x", "privateAddress"),
    // Listing the host would not help, so that is not advised.
    ([], "https://10.0.0.1/x", "privateAddress"),
    (["b.example"], "https://169.254.169.254/x", "privateAddress"),
  ])
  func `Redirects to listed hosts are followed, but not to private ones from a public origin.`(
    hosts: [String], location: String, expected: String
  ) throws {
    let request = HTTPRequest(url: try WebURL("https://a.example/"), allowedHosts: hosts)
    var redirects = Redirects(of: request)
    let kind =
      switch redirects.decision(status: 302, locations: [location], to: request) {
      case .deliver: "deliver"
      case .follow: "follow"
      case .refuse(.target(.otherOrigin)): "otherOrigin"
      case .refuse(.target(.downgrade)): "downgrade"
      case .refuse(.target(.privateAddress)): "privateAddress"
      case .refuse(.target(.userinfo)): "userinfo"
      case .refuse(let refusal): "\(refusal)"
      }
    #expect(kind == expected)
  }

  @Test func `A private origin may redirect to listed hosts of its own class.`() throws {
    let hosts = ["10.0.0.2", "127.0.0.1"]
    #expect(
      try picture("http://10.0.0.1/", 302, "http://10.0.0.2/x", allowedHosts: hosts)
        == "GET http://10.0.0.2/x")
    #expect(
      try picture("http://10.0.0.1/", 302, "http://127.0.0.1/x", allowedHosts: hosts)
        == "\(RedirectError.target(.privateAddress("127.0.0.1")))")
  }

  @Test func `Redirects on another host have the rules of the configured origin.`() throws {
    let home = try WebURL("https://a.example/").origin
    let request = HTTPRequest(
      url: try WebURL("https://b.example/x"), allowedHosts: ["b.example", "10.0.0.1"], home: home)
    var lines: [String] = []
    for location in ["/y", "https://a.example/", "https://10.0.0.1/", "https://c.example/"] {
      var redirects = Redirects(of: request)
      switch redirects.decision(status: 302, locations: [location], to: request) {
      case .deliver: lines.append("deliver")
      case .follow(let next): lines.append("\(next.url)")
      case .refuse(let refusal): lines.append("\(refusal)")
      }
    }
    #expect(
      lines == [
        "https://b.example/y", "https://a.example/",
        "sent a redirect that leads to a private address, 10.0.0.1, which is not allowed",
        "sent a redirect that leads to another origin, https://c.example",
      ])
  }

  @Test func `A request that was upgraded to https is not downgraded.`() throws {
    let request = HTTPRequest(url: try WebURL("http://a.example/"))
    var redirects = Redirects(of: request)
    guard
      case .follow(let next) = redirects.decision(
        status: 301, locations: ["https://a.example/"], to: request)
    else { throw RedirectRefused() }
    #expect(
      redirects.decision(status: 302, locations: ["http://a.example/"], to: next)
        == .refuse(.target(.downgrade("http://a.example"))))
  }

  @Test func `Five redirects are followed, and the sixth is refused.`() throws {
    var request = HTTPRequest(url: try WebURL("http://a.example/0"))
    var redirects = Redirects(of: request)
    for number in 1...5 {
      guard case .follow(let next) = redirects.decision(status: 302, locations: ["/\(number)"], to: request)
      else { throw RedirectRefused() }
      request = next
    }
    #expect(request.url.path == "/5")
    #expect(redirects.decision(status: 302, locations: ["/6"], to: request) == .refuse(.tooMany(limit: 5)))
  }

  @Test
  func `Another origin gets no credential and only harmless fields, as does the first one afterwards.`()
    throws
  {
    let credential = PlacedCredential(place: .query("key"), secret: Secret("s3cret"), provenance: "KEY")
    var request = HTTPRequest(
      url: try WebURL("https://a.example/"),
      headers: [try HTTPField(name: "X-Api-Key", value: "k"), try HTTPField(name: "accept", value: "*/*")],
      body: [1], confidentialBody: Secret("s3cret"),
      credentials: [
        credential, PlacedCredential(place: .field("k"), secret: Secret("s3cret"), provenance: "KEY"),
      ],
      allowedHosts: ["b.example"])
    var redirects = Redirects(of: request)
    for (location, hasCredential, fields) in [
      ("/same?key=other", true, ["X-Api-Key", "accept"]),
      ("https://b.example/x?key=s3cret&q=1", false, ["accept"]),
      ("https://a.example/back", false, ["accept"]),
    ] {
      guard case .follow(let next) = redirects.decision(status: 302, locations: [location], to: request)
      else { throw RedirectRefused() }
      request = next
      #expect(request.credentials.isEmpty != hasCredential)
      #expect(request.sentBody == (hasCredential ? Array("s3cret".utf8) : [1]))
      #expect(request.headers.map(\.name) == fields)
      #expect(!request.url.description.contains("s3cret"))
    }
  }

  @Test(arguments: [
    ("http://a.example/", "http://a.example/x", true), ("http://a.example/", "https://a.example/x", true),
    ("http://a.example/", "http://a.example:8080/x", false),
    ("https://a.example/", "https://a.example:8443/x", false),
    ("https://a.example/", "https://b.example/x", false),
  ])
  func `[D54] A field that may be personal is sent only to the origin of the source.`(
    url: String, location: String, isKept: Bool
  ) throws {
    let request = HTTPRequest(
      url: try WebURL(url), headers: [try HTTPField(name: "X-Tenant", value: "t")],
      allowedHosts: ["a.example:8080", "a.example:8443", "b.example"])
    var redirects = Redirects(of: request)
    guard case .follow(let next) = redirects.decision(status: 302, locations: [location], to: request)
    else { throw RedirectRefused() }
    #expect(next.headers.isEmpty != isKept)
  }

  private struct RedirectRefused: Error {}
}
