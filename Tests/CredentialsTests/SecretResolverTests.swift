import ConfigTesting
import HTTPValues
import Search
import Testing
import Text

@testable import Config
@testable import Credentials

@Suite struct SecretResolverTests {
  /// The credential of a source with this `[auth]`, as text, or the reason there is none.
  private func resolution(
    _ auth: String, url: String = "https://api.example.org/x", options: String = "",
    chosen: [String: String] = [:],
    environment: [String: String] = [:], isInFolder: Bool = true, isTrustedAnyway: Bool = false,
    run: @escaping @Sendable ([String]) async throws -> String = { _ in
      throw Failure(words: "no such program")
    }
  ) async throws -> String {
    var files = MemoryFiles(["/run/token": "from-file\r\nsecond line\n", "/home/ann/.token": "  padded \n"])
    let path = isInFolder ? "/home/ann/sources/mine.toml" : "./mine.toml"
    files.files[path] = MemoryFiles.File(
      text: "schema = 1\nid = \"mine\"\nrequest.url = \"\(url)\"\n\(options)\n[auth]\n\(auth)")
    files.folders["/home/ann/sources"] = FileStatus(owner: 1000, permissions: 0o700)
    let catalog = Catalog(builtIns: [], folder: "/home/ann/sources", files: files.access, user: 1000)
    let resolver = SecretResolver(
      environment: environment.merging(["HOME": "/home/ann"]) { $1 }, files: files.access, run: run)
    let entry = try catalog.entry(named: isInFolder ? "mine" : "./mine.toml")
    do {
      let credentials = try await resolver.credentials(
        for: entry, options: chosen, isTrustedAnyway: isTrustedAnyway)
      let named = credentials.secrets.sorted { $0.key < $1.key }
        .map { "\($0) = \($1.secret.reveal()) from \($1.provenance)" }
      let placed = credentials.authorization.map {
        "\($0.place) \($0.secret.reveal()) from \($0.provenance)"
      }
      let words = [placed].compactMap(\.self) + named
      return words.isEmpty ? credentials.absence ?? "none" : words.joined(separator: "; ")
    } catch { return "\(error)" }
  }

  private struct Failure: Error, CustomStringConvertible {
    let words: String
    var description: String { words }
  }

  @Test func `The first place that has a secret wins, the environment before the others.`() async throws {
    let auth = "type = \"bearer\"\nfrom = [\"cmd:get token\", \"file:/run/token\", \"env:A\", \"env:B\"]"
    #expect(
      try await resolution(auth, environment: ["A": "", "B": "b"])
        == "header(\"Authorization\") Bearer b from env:B")
    #expect(
      try await resolution(auth, run: { "\($0[1])-\($0[0])\nmore" })
        == "header(\"Authorization\") Bearer token-get from cmd:get token")
    #expect(try await resolution(auth) == "header(\"Authorization\") Bearer from-file from file:/run/token")
  }

  @Test(
    arguments: [
      ("type = \"bearer\"", "Bearer abc123", "begins with \"Bearer\", which riffle adds. Remove it"),
      ("type = \"bearer\"", "bearer abc123", "begins with \"bearer\", which riffle adds. Remove it"),
      ("type = \"bearer\"", "\"abc123\"", "is in quotes. Remove them"),
      ("type = \"query\"\nparam = \"k\"", "'abc123'", "is in quotes. Remove them"),
      (
        "type = \"header\"\nheader = \"X-Key\"\nprefix = \"Token \"", "token abc123",
        "begins with \"token\", which riffle adds. Remove it"
      ),
      ("type = \"header\"\nheader = \"Authorization\"", "Bearer abc123", nil),
      ("type = \"bearer\"", "bearerabc123", nil), ("type = \"bearer\"", "\"abc123", nil),
      ("type = \"basic\"\nuser = \"ann\"", "\"abc123\"", "is in quotes. Remove them"),
      (
        "type = \"basic\"\nuser = \"ann\"", "Bearer abc123",
        "begins with \"Bearer\", which is for a token. Remove it"
      ),
      (
        "type = \"basic\"\nas = \"user\"", "Basic YW5uOng=",
        "begins with \"Basic\", which riffle adds. Remove it"
      ),
      ("type = \"basic\"\nuser = \"ann\"", "Bearerabc", nil),
    ] as [(String, String, String?)])
  func `[U33] A token in quotes, or with the word that riffle adds, is reported without the token.`(
    scheme: String, token: String, problem: String?
  ) async throws {
    let result = try await resolution("\(scheme)\nfrom = \"env:A\"", environment: ["A": token])
    if let problem {
      #expect(result == "the credential from env:A for source mine \(problem)")
    } else {
      #expect(result.hasSuffix("from env:A"), "\(result)")
    }
  }

  @Test(
    arguments: [
      (
        "headers.Authorization = \"Bearer {secret:a}\"", "bearer abc",
        "begins with \"bearer\", which riffle adds. Remove it"
      ),
      (
        "headers.Cookie = \"id={secret:a}; x=1\"", "id=abc",
        "begins with \"id=\", which riffle adds. Remove it"
      ),
      ("headers.Authorization = \"{secret:a}\"", "Bearer abc", nil),
      ("params.k = \"v{secret:a}\"", "v1", nil),
      ("params.k = \"{secret:a}\"", "'abc'", "is in quotes. Remove them"),
      ("body.k = \"{secret:a}\"", "\"abc\"", "is in quotes. Remove them"),
    ] as [(String, String, String?)])
  func `[U33] The same mistakes in a named secret are reported.`(
    place: String, value: String, problem: String?
  ) async throws {
    let named = "type = \"none\"\n[secrets.a]\nfrom = \"env:A\""
    let result = try await resolution(named, options: "request.\(place)", environment: ["A": value])
    #expect(
      result == problem.map { "the credential from env:A for source mine \($0)" } ?? "a = \(value) from env:A"
    )
  }

  @Test func `A secret is sent in the header or parameter that the source names.`() async throws {
    #expect(
      try await resolution(
        "type = \"header\"\nheader = \"X-Key\"\nprefix = \"Key \"\nfrom = \"file:~/.token\"")
        == "header(\"X-Key\") Key padded from file:~/.token")
    #expect(
      try await resolution("type = \"query\"\nparam = \"key\"\nfrom = \"env:A\"", environment: ["A": "a"])
        == "query(\"key\") a from env:A")
  }

  @Test func `A missing secret is an error that names the places searched, unless it is optional.`()
    async throws
  {
    let auth = "type = \"bearer\"\nfrom = [\"env:A\", \"file:/none\", \"cmd:get token\"]"
    #expect(
      try await resolution(auth) == """
        source mine needs a credential for https://api.example.org, but none was found: \
        A is not set, file /none does not exist, no such program. To provide it, set A
        """)
    #expect(try await resolution(auth + "\noptional = true") == "none")
    #expect(try await resolution("type = \"none\"") == "none")
  }

  @Test func `An untrusted source may not look up any secret, unless the user allows it.`() async throws {
    let auth = "type = \"bearer\"\nfrom = [\"env:A\", \"cmd:get token\"]\noptional = true"
    #expect(
      try await resolution(auth, environment: ["A": "a"], isInFolder: false) == """
        source mine would send env:A, cmd:get token to https://api.example.org, but ./mine.toml is not in \
        your sources directory. To allow it for this run, add --trust
        """)
    #expect(
      try await resolution(auth, environment: ["A": "a"], isInFolder: false, isTrustedAnyway: true)
        == "header(\"Authorization\") Bearer a from env:A")
  }

  @Test func `A secret is never sent unencrypted, except on this machine.`() async throws {
    let auth = "type = \"bearer\"\nfrom = \"env:A\""
    #expect(
      try await resolution(auth, url: "http://api.example.org/x", environment: ["A": "a"]) == """
        source mine would send env:A to http://api.example.org unencrypted. Use https, or remove [auth]
        """)
    for url in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:9/x"] {
      #expect(
        try await resolution(auth, url: url, environment: ["A": "a"])
          == "header(\"Authorization\") Bearer a from env:A")
    }
  }

  @Test func `A secret is not sent to another origin chosen by an option.`() async throws {
    let auth = "type = \"bearer\"\nfrom = \"env:A\""
    let options = "[options.base]\ndefault = \"https://api.example.org\""
    #expect(
      try await resolution(
        auth, url: "{base}/x", options: options, chosen: ["base": "https://evil.example"],
        environment: ["A": "a"])
          == """
          source mine sends env:A to https://api.example.org only, not to https://evil.example. \
          Write a separate source for that origin, or list its host in auth.hosts
          """)
    #expect(
      try await resolution(
        auth + "\noptional = true", url: "{base}/x", options: options,
        chosen: ["base": "https://evil.example"], environment: ["A": "a"])
          == """
          source mine sends env:A to https://api.example.org only, not to https://evil.example. \
          Write a separate source for that origin, or list its host in auth.hosts
          """)
    #expect(
      try await resolution(
        auth, url: "{base}/x", options: options, chosen: ["base": "https://API.example.org:443"],
        environment: ["A": "a"]) == "header(\"Authorization\") Bearer a from env:A")
  }

  @Test func `A secret that no header can contain is refused without being shown.`() async throws {
    #expect(
      try await resolution("type = \"bearer\"\nfrom = \"env:A\"", environment: ["A": "s3cr3t\u{7}"]) == """
        the credential from env:A for source mine contains characters that cannot be sent. Put only the credential \
        on the first line
        """)
  }

  @Test
  func `[D45] A secret with non-ASCII characters is accepted where it is encoded, and refused in a header.`()
    async throws
  {
    let unusable = """
      the credential from env:A for source mine contains characters that cannot be sent. Put only the credential on \
      the first line
      """
    let environment = ["A": "s3crét日本", "U": "jörg"]
    #expect(
      try await resolution("type = \"query\"\nparam = \"key\"\nfrom = \"env:A\"", environment: environment)
        == "query(\"key\") s3crét日本 from env:A")
    #expect(
      try await resolution(
        "type = \"basic\"\nuser_from = \"env:U\"\nfrom = \"env:A\"", environment: environment)
        == "header(\"Authorization\") Basic asO2cmc6czNjcsOpdOaXpeacrA== from env:A")
    #expect(
      try await resolution("type = \"bearer\"\nfrom = \"env:A\"", environment: environment) == unusable)
    let named = "type = \"none\"\n[secrets.a]\nfrom = \"env:A\""
    #expect(
      try await resolution(named, options: "request.params.k = \"{secret:a}\"", environment: environment)
        == "a = s3crét日本 from env:A")
    #expect(
      try await resolution(named, options: "request.body.k = \"{secret:a}\"", environment: environment)
        == "a = s3crét日本 from env:A")
    #expect(
      try await resolution(named, options: "request.headers.X-K = \"{secret:a}\"", environment: environment)
        == unusable)
    #expect(
      try await resolution(
        "type = \"query\"\nparam = \"key\"\nfrom = \"env:A\"", environment: ["A": "a\u{1}b"])
        == unusable)
  }

  @Test func `User name and password are looked up separately and sent together.`() async throws {
    let auth = "type = \"basic\"\nuser_from = \"env:U\"\nfrom = [\"env:P\", \"file:/run/token\"]"
    #expect(
      try await resolution(auth, environment: ["U": "ann", "P": "s3crét"])
        == "header(\"Authorization\") Basic YW5uOnMzY3LDqXQ= from env:P")
    #expect(
      try await resolution("type = \"basic\"\nfrom = \"env:P\"", environment: ["P": "pat"])
        == "header(\"Authorization\") Basic OnBhdA== from env:P")
    #expect(
      try await resolution(auth) == """
        source mine needs a credential for https://api.example.org, but none was found: \
        U is not set. To provide it, set U
        """)
    #expect(
      try await resolution(auth, environment: ["U": "a:b", "P": "x"]) == """
        the credential from env:U for source mine contains characters that cannot be sent. Put only the credential \
        on the first line
        """)
  }

  @Test(arguments: [
    ("as = \"user\"", "key:"),
    ("as = \"user\"\npassword = \"api_token\"", "key:api_token"),
    ("as = \"user\"\npassword = \"\"", "key:"),
    ("as = \"password\"\nuser = \"api\"", "api:key"),
    ("user = \"ann@example.org/token\"", "ann@example.org/token:key"),
    ("user = \"\"", ":key"),
  ])
  func `An API key is sent as the user name or as the password, with a fixed string as the other.`(
    keys: String, pair: String
  ) async throws {
    #expect(
      try await resolution("type = \"basic\"\nfrom = \"env:A\"\n\(keys)", environment: ["A": "key"])
        == "header(\"Authorization\") Basic \(Base64.encoded(pair)) from env:A")
  }

  @Test func `Named secrets are looked up like the others, and each may be optional.`() async throws {
    let auth =
      "type = \"none\"\n[secrets.a]\nfrom = \"env:A\"\n[secrets.b]\nfrom = \"env:B\"\noptional = true"
    #expect(
      try await resolution(auth, environment: ["A": "1", "B": "2"]) == "a = 1 from env:A; b = 2 from env:B")
    #expect(try await resolution(auth, environment: ["A": "1"]) == "a = 1 from env:A")
    #expect(
      try await resolution(auth, environment: ["B": "2"]) == """
        source mine needs a credential for https://api.example.org, but none was found: \
        A is not set. To provide it, set A
        """)
    #expect(
      try await resolution(auth, environment: ["A": "a"], isInFolder: false).hasPrefix(
        "source mine would send env:A, env:B to https://api.example.org"))
  }

  /// The value of `{base}`, used as scheme and host, and whether the secret is sent.
  @Test(
    arguments: [
      ("default = \"https://a.example\"", "", nil, "sent"),
      ("default = \"https://a.example\"", "", "https://b.example", "not to https://b.example"),
      ("default = \"https://a.example\"", "hosts = [\"b.example\"]", "https://b.example", "sent"),
      (
        "default = \"https://a.example\"", "hosts = [\"b.example\"]", "https://b.example:8443",
        "not to https://b.example:8443"
      ),
      ("default = \"https://a.example\"", "hosts = [\"b.example\"]", "http://b.example", "unencrypted"),
      ("values = [\"https://a.example\", \"https://b.example\"]", "", "https://b.example", "sent"),
      ("", "", "https://b.example", "only to the server in your settings"),
      ("", "hosts = [\"b.example\"]", "https://b.example", "sent"),
    ] as [(String, String, String?, String)])
  func `A secret is sent only where the document says, whatever the options.`(
    option: String, hosts: String, chosen: String?, expected: String
  ) async throws {
    let result = try await resolution(
      "type = \"bearer\"\nfrom = \"env:A\"\n\(hosts)", url: "{base}/x", options: "[options.base]\n\(option)",
      chosen: chosen.map { ["base": $0] } ?? [:], environment: ["A": "sent"])
    #expect(result.contains(expected), "\(result)")
  }
}
