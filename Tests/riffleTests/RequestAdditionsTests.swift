import ArgumentParser
import Config
import Search
import Testing

@testable import riffle

/// What the command line adds to a request, and the request as a curl command.
@Suite struct RequestAdditionsTests {
  private static let catalogue = Catalogue(
    builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0, input: SearchInput())

  /// The first request of a search, as `--dry-run` prints it.
  private func curl(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
    let options = try RequestOptions.parse(words)
    let additions = try RequestAdditions(options, environment: environment)
    let named = try Self.catalogue.entry(named: #require(options.source)).source
    let source = additions.applied(to: named)
    var credentials = source.shellCredentials(in: environment)
    credentials.secrets.merge(additions.shellSecrets) { $1 }
    let page = PageRequest(
      query: try options.query(for: source), position: source.pagination.style.first, generation: 0)
    let request = try source.request(
      for: page, in: RunContext(pageSize: 2, credentials: credentials, version: "1"))
    return CurlCommand(request: request).text
  }

  @Test func `A request is printed so that a shell can send it, secrets as what reads them.`() throws {
    #expect(
      try curl(["github", "it's c++"], ["GH_TOKEN": "very-secret-token"]) == #"""
        curl 'https://api.github.com/search/repositories?q=it%27s%20c%2B%2B&page=1&per_page=2' \
          -H 'Accept: application/vnd.github+json' \
          -H 'User-Agent: riffle/1' \
          -H 'X-GitHub-Api-Version: 2022-11-28' \
          -H "Authorization: Bearer $GH_TOKEN" \
          --compressed

        """#)
    #expect(
      try curl(["stackoverflow", "x"], ["STACKEXCHANGE_KEY": "very-secret-key"]).hasPrefix(
        #"curl 'https://api.stackexchange.com/2.3/search/advanced?q=x&site=stackoverflow&order=desc&sort=relevance&page=1&pagesize=2&'"key=$STACKEXCHANGE_KEY""#
      ))
  }

  @Test func `A parameter or header takes the place of the source's, braces and all.`() throws {
    let text = try curl([
      "github", "x", "--param", "q={y}", "--param", "extra=1", "-H", "accept: text/{plain}",
    ])
    #expect(text.contains("/search/repositories?q=%7By%7D&extra=1&page=1"))
    #expect(text.contains("-H 'accept: text/{plain}'"))
    #expect(!text.contains("vnd.github"))
  }

  @Test func `A header read from a variable is a secret, and replaces the source's own credential.`() throws {
    let text = try curl(
      ["github", "x", "-H", "Authorization: token $MINE"],
      ["MINE": "sesame-open", "GH_TOKEN": "other-secret"])
    #expect(text.contains(#"-H "Authorization: token $MINE""#))
    #expect(!text.contains("sesame") && !text.contains("GH_TOKEN"))
    #expect(try curl(["github", "x", "-H", "X-Api-Key: written-out"]).contains(#"-H "X-Api-Key: $SECRET""#))
  }

  @Test(arguments: [
    ("no colon", "write it as 'Name: value'"), ("Host: x", "riffle sets this header itself"),
    ("X: $NOPE", "the environment variable NOPE is not set"), ("Bad Name: x", "is not the name of a header"),
  ]) func `What is no header is told.`(header: String, message: String) {
    #expect(throws: Complaint.self) { try curl(["github", "x", "-H", header]) }
    do { _ = try curl(["github", "x", "-H", header]) } catch {
      #expect((error as? Complaint)?.message.contains(message) == true, "\(error)")
    }
  }
}
