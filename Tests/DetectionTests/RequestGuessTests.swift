import Detection
import HTTPValues
import Search
import Testing

/// How an address is split into a URL and parameters.
@Suite struct RequestGuessTests {
  private func picture(_ url: String) throws -> [String] {
    let guess = try RequestGuess(WebURL(url))
    return [guess.url] + guess.parameters.map { "\($0.name)=\($0.value)" }
  }

  @Test(arguments: [
    ("https://x.org/s?q=tea&per_page=20&page=3&sort=stars", ["https://x.org/s", "q={query}", "sort=stars"]),
    ("https://x.org/s?text=tea&s=1&from=20&size=5", ["https://x.org/s", "text=tea", "s={query}"]),
    (
      "https://x.org/s?page%5Bsize%5D=2&page%5Bnumber%5D=1&filter[search]=a",
      ["https://x.org/s", "filter[search]={query}"]
    ),
    ("https://x.org/s?tag=a&tag=b&flag&q=", ["https://x.org/s?tag=a&tag=b&flag", "q={query}"]),
    ("https://x.org/s?fields={id,name}", ["https://x.org/s", "fields={{id,name}}"]),
    ("https://x.org/s?from=2024-01-01&limit=all", ["https://x.org/s", "from=2024-01-01", "limit=all"]),
    ("https://x.org/s?after=2024-01-01&cursor=abc", ["https://x.org/s", "after=2024-01-01"]),
    ("https://x.org", ["https://x.org/"]),
  ]) func `Positions and page sizes are removed, the search text becomes the query, and the rest stays.`(
    url: String, expected: [String]
  ) throws {
    #expect(try picture(url) == expected)
  }

  @Test(arguments: [
    ("last=team1/app-0001", ["last=team1/app-0001"]), ("after=2024-01-01", ["after=2024-01-01"]),
    ("page=home", ["page=home"]), ("last=24h", []), ("from=2024-01-01", []),
    ("cursor=abc&page=2&offset=rec1", []),
  ])
  func `[S2] A fixed parameter that may be a position is named.`(query: String, expected: [String]) throws {
    #expect(try RequestGuess(WebURL("https://x.org/s?\(query)")).fixedPositions == expected)
  }

  @Test func `[S2] A parameter that the next page changes is a position.`() throws {
    let guess = try SourceGuess(
      response(
        #"{"repositories": ["a", "b"]}"#, at: "https://x.org/v2/_catalog?n=2&kind=x&last=team1/app-0001",
        headers: [("Link", "</v2/_catalog?last=b&n=2&kind=x>; rel=\"next\"")]))
    #expect(guess.request.parameters.map { "\($0.name)=\($0.value)" } == ["kind=x"])
    #expect(guess.request.fixedPositions == [])
  }

  @Test func `A page token is not a credential.`() throws {
    #expect(try picture("https://x.org/s?pageToken=1&next_token=2&q=a") == ["https://x.org/s", "q={query}"])
  }

  @Test(arguments: [
    ("https://api.github.com/search/repositories", ["github", "github-repositories", "github-2"]),
    ("https://hn.algolia.com/api/v1/search", ["hn-algolia", "hn-algolia-search", "hn-algolia-2"]),
    ("https://www.example.co.uk/", ["example", "example-2", "example-3"]),
    ("http://127.0.0.1:8000/pages", ["127-0-0-1", "127-0-0-1-pages", "127-0-0-1-2"]),
    ("http://[::1]/", ["1", "1-2", "1-3"]),
    ("http://_/", ["source", "source-2", "source-3"]),
  ]) func `A source is named after its host.`(url: String, expected: [String]) throws {
    let names = SourceName.suggestions(for: try WebURL(url))
    #expect(Array(names.prefix(3)) == expected)
    #expect(names.allSatisfy(SourceName.isValid))
  }
}
