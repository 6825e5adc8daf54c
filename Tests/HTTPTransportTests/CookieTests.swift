import HTTPValues
import Search
import TestSupport
import Testing
import TransportTesting

@testable import HTTPTransport

@Suite(.takesTurns) struct CookieTests {
  /// The cookies that a jar sends to an address after `http://127.0.0.1/a/b` set these fields, in the year 2026.
  private func cookies(_ set: [String], at url: String, own: String? = nil, now: Double = 0) throws -> String?
  {
    let jar = CookieJar()
    let start = 1_790_000_000.0
    let asked = HTTPRequest(url: try WebURL("http://127.0.0.1/a/b"))
    for field in set {
      let response = HTTPResponse(
        status: 200, headers: [try HTTPField(name: "Set-Cookie", value: field)], body: [], url: asked.url)
      jar.keep(from: response, to: asked, now: start)
    }
    var next = HTTPRequest(url: try WebURL(url), home: asked.home)
    if let own { next.headers.append(try HTTPField(name: "cookie", value: own)) }
    return jar.added(to: next, now: start + now).headers.first("Cookie")
  }

  @Test(
    arguments: [
      (["s=1"], "/a/c", "s=1"), (["s=1", "t=2; Path=/"], "/a/", "s=1; t=2"),
      (["s=1"], "/b", nil), (["s=1; Path=/x"], "/a/", nil), (["s=1; Path=/a"], "/ab", nil),
      (["s=1; path=/a"], "/a/b/c", "s=1"), (["s=1; Path=/", "s=2; Path=/"], "/", "s=2"),
      (["s=1", "s=; Max-Age=0"], "/a/", nil), (["s=1; Max-Age=60"], "/a/", "s=1"),
      (["s=1", "s=x; Expires=Thu, 01-Jan-1970 00:00:00 GMT"], "/a/", nil),
      (["s=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT; HttpOnly; SameSite=Lax"], "/a/", "s=1"),
      (["s=1; Domain=127.0.0.1"], "/a/", "s=1"), (["s=1; Domain=evil.example"], "/a/", nil),
      (["s=1; Domain=0.0.1"], "/a/", nil), (["=1", "no", ""], "/a/", nil), (["s=a=b=c"], "/a/", "s=a=b=c"),
      ([" s = 1 ; Path=/ "], "/", "s=1"), (["s=" + String(repeating: "x", count: 5_000)], "/a/", nil),
    ] as [([String], String, String?)])
  func `[D46] A cookie is sent back where it applies.`(set: [String], path: String, expected: String?)
    throws
  {
    #expect(try cookies(set, at: "http://127.0.0.1" + path) == expected)
  }

  @Test func `[D46] A cookie is limited to the origin of the source, and it expires.`() throws {
    #expect(try cookies(["s=1; Path=/"], at: "http://127.0.0.1:81/") == nil)
    #expect(try cookies(["s=1; Path=/"], at: "https://127.0.0.1/") == nil)
    #expect(try cookies(["s=1; Max-Age=60"], at: "http://127.0.0.1/a/", now: 61) == nil)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1/", "s=1"), ("http://a.example/", nil), ("https://a.example/", "s=1"),
    ] as [(String, String?)])
  func `A Secure cookie is not accepted over plain http, except from this machine.`(
    url: String, expected: String?
  ) throws {
    let jar = CookieJar()
    let request = HTTPRequest(url: try WebURL(url))
    let field = try HTTPField(name: "Set-Cookie", value: "s=1; Secure")
    jar.keep(
      from: HTTPResponse(status: 200, headers: [field], body: [], url: request.url), to: request, now: 0)
    #expect(jar.added(to: request, now: 0).headers.first("Cookie") == expected)
  }

  @Test func `[D46] A cookie of the source itself comes first and takes precedence.`() throws {
    let own = "s=own; u=3"
    #expect(try cookies(["s=1", "t=2"], at: "http://127.0.0.1/a/", own: own) == "s=own; u=3; t=2")
  }

  @Test func `[D46] Of too many cookies, only the latest ones are sent back.`() throws {
    let set = (0..<60).map { "c\($0)=\($0)" }
    let kept = try #require(try cookies(set, at: "http://127.0.0.1/a/")).split(separator: "; ")
    #expect(kept.count == 50 && kept.contains("c59=59") && !kept.contains("c9=9"))
  }

  @Test func `[D46] Cookies are kept within a run, including redirects, but not beyond it.`() async throws {
    let server = try await RawServer.start { number, _ in
      number == 0
        ? [.send("HTTP/1.1 302 Found\nSet-Cookie: s=1\nLocation: /list?checked\nContent-Length: 0\n\n")]
        : [.ok("\(number)")]
    }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/list")
    for _ in 0..<2 {
      try await withTransport { transport in
        #expect(await transport.outcome(of: request).failure == nil)
        #expect(await transport.outcome(of: request).failure == nil)
      }
    }
    let cookies = server.requests.map { request in
      request.split(separator: "\n").first { $0.lowercased().hasPrefix("cookie:") }.map { $0.dropFirst(8) }
    }
    #expect(cookies == [nil, "s=1", "s=1", nil, nil])
  }

  @Test func `[D46] Another host gets no cookie and sets none.`() async throws {
    let other = try await RawServer.start { _, _ in [.ok("other", "Set-Cookie: o=1; Path=/")] }
    let server = try await RawServer.start { number, _ in
      number == 0
        ? [.ok("", "Set-Cookie: s=1; Path=/")] : [.redirect(302, to: "http://127.0.0.1:\(other.port)/x")]
    }
    let request = try HTTPRequest(
      get: "http://127.0.0.1:\(server.port)/", allowedHosts: ["127.0.0.1:\(other.port)"])
    try await withTransport { transport in
      for _ in 0..<3 { #expect(await transport.outcome(of: request).failure == nil) }
    }
    #expect(server.requests.map { $0.contains("Cookie: s=1\n") } == [false, true, true])
    #expect(!other.requests.joined().lowercased().contains("cookie"))
  }
}
