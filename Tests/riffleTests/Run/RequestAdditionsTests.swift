import ArgumentParser
import Config
import DemoTesting
import Glibc
import HTTPValues
import TestSupport
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Tests the additions of the command line to a request, and the request as a curl command.
@Suite(.takesTurns) struct RequestAdditionsTests {
  private static let catalog = Catalog(
    builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0, input: SearchInput())

  /// The first request of a search, as `--dry-run` prints it.
  private func curl(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
    let options = try RequestOptions.parse(words)
    let additions = try RequestAdditions(options, environment: environment)
    let named = try Self.catalog.entry(named: #require(options.source)).source
    let source = try additions.applied(to: named)
    let secrets = ShellCredentials(of: source, additions.shellWords, in: environment, nonce: 7)
    let page = PageRequest(
      query: try options.query(for: named), position: source.pagination.style.first, generation: 0)
    let request = try source.request(
      for: page, in: RunContext(pageSize: 2, credentials: secrets.credentials, version: "1"))
    return CurlPrinter(request: request, secrets: secrets).text
  }

  @Test func `A request is printed as a shell command that reads the secrets from their origins.`() throws {
    #expect(
      try curl(["github", "it's c++"], ["GH_TOKEN": "very-secret-token"]) == #"""
        curl 'https://api.github.com/search/repositories?q=it%27s%20c%2B%2B&page=1&per_page=2' \
          -H 'Accept: application/vnd.github+json' \
          -H 'User-Agent: riffle/1' \
          -H 'X-GitHub-Api-Version: 2022-11-28' \
          -H 'Authorization: Bearer '"$GH_TOKEN" \
          --compressed

        """#)
    #expect(
      try curl(["stackoverflow", "x"], ["STACKEXCHANGE_KEY": "very-secret-key"]).hasPrefix(
        #"""
        curl 'https://api.stackexchange.com/2.3/search/advanced?q=x&site=stackoverflow&order=desc&sort=relevance&page=1&pagesize=2' \
          --get \
          --data-urlencode 'key='"$STACKEXCHANGE_KEY" \

        """#))
  }

  @Test func `A parameter or header replaces the source's own and is taken literally, including braces.`()
    throws
  {
    let text = try curl([
      "github", "x", "--param", "q={y}", "--param", "extra=1", "-H", "accept: text/{plain}",
    ])
    #expect(text.contains("/search/repositories?q=%7By%7D&extra=1&page=1"))
    #expect(text.contains("-H 'accept: text/{plain}'"))
    #expect(!text.contains("vnd.github"))
  }

  @Test func `A header read from a variable is a secret and replaces the source's own credential.`() throws {
    let text = try curl(
      ["github", "x", "-H", "Authorization: token $MINE"],
      ["MINE": "sesame-open", "GH_TOKEN": "other-secret"])
    #expect(text.contains(#"-H 'Authorization: token '"$MINE""#))
    #expect(!text.contains("sesame") && !text.contains("GH_TOKEN"))
    #expect(
      try curl(["github", "x", "-H", "X-Api-Key: written-out"]).contains(#"-H 'X-Api-Key: '"$SECRET""#))
  }

  @Test(arguments: [
    (AuthScheme.header, ["header": "X-Key"], ["-H", "x-key: own"], true),
    (.header, ["header": "X-Key"], ["-H", "Authorization: own", "--param", "X-Key=own"], false),
    (.basic, [:], ["-H", "authorization: own"], true), (.basic, [:], ["-H", "X-Key: own"], false),
    (.query, ["param": "key"], ["--param", "key=own"], true),
    (.query, ["param": "key"], ["-H", "key: own"], false),
  ]) func `A header or parameter with a credential's name replaces the credential.`(
    scheme: AuthScheme, texts: [String: String], words: [String], isReplaced: Bool
  ) throws {
    var source = try Self.catalog.entry(named: "github").source
    source.authorization = Authorization(scheme, texts, from: ["from": [.environment("KEY")]])
    let additions = try RequestAdditions(RequestOptions.parse(["github"] + words), environment: [:])
    #expect((try additions.applied(to: source).authorization == nil) == isReplaced)
  }

  @Test func `An empty environment variable is not a credential.`() throws {
    let source = try Self.catalog.entry(named: "github").source
    #expect(source.credentialNames(in: ["GH_TOKEN": ""]).isEmpty)
    #expect(source.credentialNames(in: ["GH_TOKEN": "token"]) == [.authorization])
  }

  @Test func `A parameter replaces a credential with the same name.`() throws {
    let text = try curl(["stackoverflow", "x", "--param", "key=own"], ["STACKEXCHANGE_KEY": "secret-key"])
    #expect(text.contains(#"--data-urlencode 'key='"$SECRET""#) && !text.contains("STACKEXCHANGE_KEY"))
  }

  @Test(arguments: [
    (
      ["github", "x", "--param", "page=3"],
      "cannot set --param \"page\": source github sets it for each page. Use --from-page to start at another page"
    ),
    (
      ["github", "x", "--param", "per_page=3"],
      "cannot set --param \"per_page\": it is the page size. Use --page-size"
    ),
    (
      ["crossref", "x", "--param", "cursor=a"],
      "cannot set --param \"cursor\": source crossref sets it for each page"
    ),
  ]) func `A parameter that the pagination would replace is refused.`(words: [String], message: String) {
    #expect(throws: CommandError(message, .usage)) { try curl(words) }
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func `curl itself form-encodes a credential in the address.`(method: HTTPMethod) async throws {
    guard access("/usr/bin/curl", X_OK) == 0 else { return }
    let server = try await TestServer.start()
    let key = "a&b=c+d%20e f#/?é'\"$"
    var source = try Self.catalog.entry(named: "github").source
    source.authorization = source.authorization.map {
      Authorization(.query, ["param": "api key"], from: $0.origins)
    }
    let secrets = ShellCredentials(of: source, in: ["GH_TOKEN": "is set"], nonce: 7)
    let request = HTTPRequest(
      method: method, url: try WebURL("\(server.baseURL)/characters?q=x%26y"),
      body: method == .post ? Array("{}".utf8) : [],
      credentials: [secrets.credentials.authorization].compactMap(\.self))
    let result = try await Program.shell(
      "GH_TOKEN=$(echo \(Base64.encoded(key)) | base64 -d); \(CurlPrinter(request: request, secrets: secrets).text)"
    )
    #expect(result.status == 0, "\(result.errors)")
    let sent = try #require(server.requestLog.last?.split(separator: "?").last)
    try await server.stop()
    let parts = sent.split(separator: "&").map { PercentEncoding.decoded($0, plusIsSpace: true) }
    #expect(parts == ["q=x&y", "api key=\(key)"])
  }

  @Test(arguments: [
    ("no colon", "expected 'Name: value'"), ("Host: x", "cannot be set: riffle sets this header itself"),
    ("X: $NOPE", "environment variable NOPE is not set"), ("Bad Name: x", "is not a valid header name"),
  ]) func `An invalid header is reported.`(header: String, message: String) {
    #expect(throws: CommandError.self) { try curl(["github", "x", "-H", header]) }
    do { _ = try curl(["github", "x", "-H", header]) } catch {
      #expect((error as? CommandError)?.message.contains(message) == true, "\(error)")
    }
  }
}
