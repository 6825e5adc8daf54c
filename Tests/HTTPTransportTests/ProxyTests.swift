import HTTPValues
import Search
import TestSupport
import Testing
import TransportTesting

@testable import HTTPTransport

@Suite(.takesTurns) struct ProxyTests {
  /// `kind host port user password` of the proxy to a URL, `direct`, or the error.
  private func picture(_ environment: [String: String], to url: String) throws -> String {
    let origin = try WebURL(url).origin
    do throws(ProxyVariableError) {
      guard let server = try ProxyVariables(environment).server(for: origin) else { return "direct" }
      let login = server.login.map { [$0.user, $0.password.reveal()] } ?? []
      return (["\(server.kind)", server.host, "\(server.port)"] + login).joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      ([:], "https://a.example/", "direct"),
      (["HTTPS_PROXY": "http://p:8080"], "https://a.example/", "http p 8080"),
      (["HTTPS_PROXY": "http://p:8080"], "http://a.example/", "direct"),
      (["https_proxy": "http://low:1", "HTTPS_PROXY": "http://up:2"], "https://a.example/", "http low 1"),
      (["https_proxy": "", "HTTPS_PROXY": "http://up:2"], "https://a.example/", "http up 2"),
      (["http_proxy": "p"], "http://a.example/", "http p 1080"),
      (["HTTP_PROXY": "p:3128/"], "http://a.example/", "http p 3128"),
      (["HTTP_PROXY": "p:3128", "REQUEST_METHOD": "GET"], "http://a.example/", "direct"),
      (["ALL_PROXY": "socks5h://s"], "https://a.example/", "socks5 s 1080"),
      (["http_proxy": "http://u%40x:p%3Aq:r@p:1"], "http://a.example/", "http p 1 u@x p:q:r"),
      (["http_proxy": "http://[::1]:3128"], "http://a.example/", "http ::1 3128"),
      (["http_proxy": "http://[fe80::2]"], "http://a.example/", "http fe80::2 1080"),
      (["http_proxy": "p:1", "all_proxy": "p:2", "no_proxy": "a.example"], "http://a.example/", "direct"),
      (["http_proxy": "p:1", "https_proxy": "p:1"], "http://localhost:8080/", "direct"),
      (["http_proxy": "p:1"], "http://127.3.2.1/", "direct"),
      (["http_proxy": "p:1"], "http://[::1]/", "direct"),
      (
        ["https_proxy": "https://u:secret@p:1"], "https://a.example/",
        "cannot use the proxy in https_proxy: only http:// and socks5:// proxies are supported. "
          + "Set https_proxy=http://HOST:PORT, or unset it"
      ),
      (
        ["https_proxy": "u:s3cret@p:1://x"], "https://a.example/",
        "cannot use the proxy in https_proxy: only http:// and socks5:// proxies are supported. "
          + "Set https_proxy=http://HOST:PORT, or unset it"
      ),
      (
        ["http_proxy": "http://:1"], "http://a.example/",
        "cannot use the proxy in http_proxy: it has no host. Set http_proxy=http://HOST:PORT, or unset it"
      ),
      (
        ["http_proxy": "http://p:0"], "http://a.example/",
        "cannot use the proxy in http_proxy: its port is not a number from 1 to 65535. "
          + "Set http_proxy=http://HOST:PORT, or unset it"
      ),
    ] as [([String: String], String, String)])
  func `The proxy variables are read as curl reads them.`(
    environment: [String: String], url: String, expected: String
  ) throws {
    #expect(try picture(environment, to: url) == expected)
  }

  @Test(arguments: [
    ("", "a.example", false), ("*", "a.example", true), ("a.example", "a.example", true),
    ("A.Example.", "a.example", true), ("example", "a.example", true), (".example", "a.example", true),
    (".a.example", "a.example", true), ("b.example, a.example", "a.example", true),
    ("x a.example", "a.example", true),
    ("ample", "a.example", false), ("a.example", "b.a.example.", true), ("a.example", "aa.example", false),
    (".", "a.example", false), (",,", "a.example", false),
    ("10.0.0.1", "10.0.0.1", true), ("0.0.1", "10.0.0.1", false), ("10.0.0.0/8", "10.200.0.1", true),
    ("10.0.0.0/8", "11.0.0.1", false), ("192.168.4.0/22", "192.168.7.255", true),
    ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "1.2.3.4", true),
    ("10.0.0.0/33", "10.0.0.0", false),
    ("10.0.0.0/x", "10.0.0.0", false), ("10.0.0.0/8", "fd00::1", false),
    ("fd00::/8", "[fd12::1]", true), ("[fd12::1]", "[fd12::1]", true), ("[fd00::]/8", "[fd12::1]", true),
    ("fd12:0:0::1", "[fd12::1]", true), ("::1", "[fd12::1]", false),
    // Unlike a resolver, curl takes only four decimal numbers.
    ("0x7f.1", "127.0.0.1", false), ("10.1", "10.0.0.1", false), ("010.0.0.1", "8.0.0.1", false),
  ])
  func `no_proxy holds names, addresses and networks.`(text: String, host: String, isHeld: Bool) {
    #expect(ProxyExceptions(text).hold(host) == isHeld)
  }

  @Test func `Requests go through the proxy by CONNECT, except those to this machine.`() async throws {
    let proxy = try await RawServer.start { _, _ in [.send("HTTP/1.1 200 OK\n\n")] }
    let server = try await RawServer.start { _, _ in [.ok("direct")] }
    var limits = TransportLimits()
    limits.total = .seconds(10)
    let environment = ["http_proxy": "http://user:pass@127.0.0.1:\(proxy.port)"]
    try await withTransport(limits: limits, environment: environment) { transport in
      let direct = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
      #expect(await transport.outcome(of: direct).picture == "200 direct")
      #expect(proxy.requests.isEmpty)
      let task = Task { await transport.outcome(of: try HTTPRequest(get: "http://a.example/x")) }
      try await once { proxy.requests.count >= 2 }
      task.cancel()
      _ = try await task.value
    }
    #expect(proxy.requests.first?.hasPrefix("CONNECT a.example:80 HTTP/1.1\n") == true)
    #expect(
      proxy.requests.first?.lowercased().contains("\nproxy-authorization: basic dxnlcjpwyxnz\n") == true)
    #expect(proxy.requests.last?.hasPrefix("GET /x HTTP/1.1\n") == true)
    #expect(proxy.requests.last?.lowercased().contains("proxy") == false)
  }

  /// The message for a request through a proxy that gives these answers; PROXY replaces its address.
  private func message(_ answers: [[RawServer.Action]]) async throws -> String {
    let proxy = try await RawServer.start { number, _ in answers[min(number, answers.count - 1)] }
    let url = "http://user:s3cret@127.0.0.1:\(proxy.port)"
    let failure = try await withTransport(environment: ["http_proxy": url]) {
      await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure
    }
    let error = PageError(try #require(failure), isSafe: true)
    return error.fullMessage
      .replacing("127.0.0.1:\(proxy.port)", with: "PROXY")
  }

  @Test(
    arguments: [
      (
        "407 Proxy Authentication Required\nContent-Length: 0",
        "proxy PROXY returned 407 Proxy Authentication Required: cannot connect to http://a.example. "
          + "Add USER:PASSWORD@ before the host in the proxy variable"
      ),
      (
        "403 Forbidden\nContent-Length: 0",
        "proxy PROXY returned 403 Forbidden: cannot connect to http://a.example"
      ),
      ("503 Busy\n", "proxy PROXY returned 503 Service Unavailable: cannot connect to http://a.example"),
      ("302 Found\nLocation: /login", "proxy PROXY returned 302: cannot connect to http://a.example"),
    ])
  func `[D46] A proxy that refuses is named with its status.`(
    answer: String, expected: String
  ) async throws {
    #expect(try await message([[.send("HTTP/1.1 \(answer)\n\n"), .close]]) == expected)
  }

  @Test func `The status of a proxy's refusal is asked for with the login.`() async throws {
    let proxy = try await RawServer.start { _, request in
      let isKnown = request.lowercased().contains("proxy-authorization: basic dxnlcjpzm2nyzxq=\n")
      return [.send("HTTP/1.1 \(isKnown ? "403 Forbidden" : "407 Who")\nContent-Length: 0\n\n"), .close]
    }
    let environment = ["http_proxy": "http://user:s3cret@127.0.0.1:\(proxy.port)"]
    let failure = try await withTransport(environment: environment) {
      await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure
    }
    #expect(failure?.kind == .refusedByProxy(status: 403))
  }

  @Test(
    arguments: [
      ([[.send("HTTP/1.1 403 No\n\n"), .close], [.close]], "proxy PROXY: invalid response to CONNECT"),
      (
        [[.send("HTTP/1.1 403 No\n\n"), .close], [.send("x\n")]], "proxy PROXY: invalid response to CONNECT"
      ),
      (
        [[.send("HTTP/1.1 403 No\n\n"), .close], [.send("HTTP/1.1 200 OK\n\n")]],
        "proxy PROXY: invalid response to CONNECT"
      ),
      ([[.close]], "proxy PROXY closed the connection without a response"),
      // The tunnel is open, so this failure is the service's.
      (
        [[.send("HTTP/1.1 200 OK\n\n")], [.close]],
        "http://a.example closed the connection without a response"
      ),
    ] as [([[RawServer.Action]], String)])
  func `[D46] A proxy that fails in another way is named.`(
    answers: [[RawServer.Action]], expected: String
  ) async throws {
    #expect(try await message(answers) == expected)
  }

  @Test(
    arguments: [
      (
        [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]],
        "cannot connect to http://a.example: connection refused (SOCKS response 5)"
      ),
      (
        [[5, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]],
        "cannot connect to http://a.example: not allowed (SOCKS response 2)"
      ),
      ([[5, 255]], "it requires a login"), ([[5, 2]], "it requires a login"),
      ([[4, 0]], "it is not a SOCKS 5 proxy"),
    ] as [([[UInt8]], String)])
  func `[D46] A SOCKS proxy is named with its response.`(answers: [[UInt8]], expected: String) async throws {
    let proxy = try await RawServer.start(conversation: answers) { _, _ in [] }
    let failure = try await withTransport(environment: ["all_proxy": "socks5://127.0.0.1:\(proxy.port)"]) {
      await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure
    }
    let error = PageError(try #require(failure), isSafe: true)
    #expect(error.message == "proxy 127.0.0.1:\(proxy.port): \(expected)")
  }

  @Test func `A proxy that cannot be reached is named without its login.`() async throws {
    let proxy = try await RawServer.start { _, _ in [] }
    try await proxy.stop()
    let environment = [
      "http_proxy": "http://user:s3cret@127.0.0.1:\(proxy.port)",
      "https_proxy": "http://user:s3cret@\(String(repeating: "x", count: 64)).example:1",
    ]
    let failures = try await withTransport(environment: environment) { transport in
      [
        await transport.outcome(of: try HTTPRequest(get: "http://a.example/")).failure,
        await transport.outcome(of: try HTTPRequest(get: "https://a.example/")).failure,
      ]
    }
    #expect(failures[0] == TransportError(.refused, origin: "proxy 127.0.0.1:\(proxy.port)"))
    #expect(failures[1]?.kind == .hostNotFound)
    #expect(failures[1]?.origin.hasPrefix("proxy xxx") == true)
    #expect(!"\(failures)".contains("s3cret"))
  }

  @Test(arguments: [
    ("HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n", "127.0.0.1:"),
    ("nonsense\n\n", ""), ("", ""),
  ])
  func `A failure of a proxy is reported without its login.`(response: String, detail: String) async throws {
    let proxy = try await RawServer.start { _, _ in response.isEmpty ? [.close] : [.send(response), .close] }
    let failure = try await withTransport(
      environment: ["http_proxy": "http://user:s3cret@127.0.0.1:\(proxy.port)"]
    ) { await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure }
    let shown = try #require(failure)
    #expect(shown.detail.hasPrefix(detail))
    #expect(!"\(shown) \(PageError(shown, isSafe: true))".contains("s3cret"))
    #expect(!"\(shown)".contains("user"))
  }

  @Test func `A proxy variable that cannot be used is an error that does not contain its value.`()
    async throws
  {
    let environment = ["http_proxy": "https://user:s3cret@p:1"]
    let failure = try await withTransport(environment: environment) {
      await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure
    }
    #expect(failure?.detail.hasPrefix("cannot use the proxy in http_proxy: ") == true)
    #expect(failure?.detail.contains("s3cret") == false)
  }
}
