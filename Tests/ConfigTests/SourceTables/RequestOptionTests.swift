import Config
import Search
import Testing

/// Values of options in the address, checked when they are chosen.
@Suite struct RequestOptionTests {
  private static let wiki = """
    [request]
    url = "https://{lang}.wiki.example/w/api.php"
    [options.lang]
    values = ["en", "ja"]
    charset = "a-z-"
    max_length = 6
    """
  private static let table = """
    [request]
    url = "{base}/{database}/{table}.json"
    [options.base]
    default = "https://data.example/sub/"
    [options.database]
    default = "main"
    [options.table]
    """
  private static let sorted = """
    [request]
    url = "https://api.example.org/"
    params.sort = "{sort?}"
    [options.sort]
    values = ["", "stars", "updated"]
    """

  @Test(
    arguments: [
      (wiki, [:], "GET https://en.wiki.example/w/api.php"),
      (wiki, ["lang": "zh-yue"], "GET https://zh-yue.wiki.example/w/api.php"),
      (
        wiki, ["lang": "evil.org/"],
        "option lang of source mine cannot be \"evil.org/\". Use only the characters a-z-"
      ),
      (
        wiki, ["lang": "simplest"],
        "option lang of source mine is longer than 6 characters. Choose a shorter value"
      ),
      (
        wiki, ["lang": ""],
        "source mine has an invalid URL \"https://.wiki.example/w/api.php\": \".wiki.example\" is not a host name or address. Correct request.url or the option in it"
      ),
      (table, [:], "source mine requires option table. Add --set table=…"),
      (table, ["table": "a/b ?#"], "GET https://data.example/sub/main/a%2Fb%20%3F%23.json"),
      (table, ["table": ""], "{table} is empty, but required in the path of source mine. Add --set table=…"),
      (
        table, ["table": "t", "database": ".."],
        "{database} and {table} would put . or .. into the path of source mine. Choose another value"
      ),
      (
        table, ["table": "t", "database": "."],
        "{database} and {table} would put . or .. into the path of source mine. Choose another value"
      ),
      (table, ["table": "t", "base": "http://localhost:8001"], "GET http://localhost:8001/main/t.json"),
      (
        table, ["table": "t", "base": "https://me:s3cret@data.example"],
        "option base of source mine is not a base URL: it contains a user name or password. Write it like https://example.org"
      ),
      (
        table, ["table": "t", "base": "https://data.example?x="],
        "option base of source mine is not a base URL: it contains a query or fragment. Write it like https://example.org"
      ),
      (
        table, ["table": "t", "base": "https://data.example/#"],
        "option base of source mine is not a base URL: it contains a query or fragment. Write it like https://example.org"
      ),
      (
        table, ["table": "t", "base": "file:///etc"],
        "option base of source mine is not a base URL: only http and https are supported, not \"file\". Write it like https://example.org"
      ),
      (sorted, ["sort": ""], "GET https://api.example.org/"),
      (sorted, ["sort": "stars"], "GET https://api.example.org/?sort=stars"),
      (sorted, ["sort": "star"], "option sort of source mine cannot be \"star\". Did you mean \"stars\"?"),
      (
        sorted, ["sort": "xyz"],
        "option sort of source mine cannot be \"xyz\". Choose one of \"\", stars, updated"
      ),
    ] as [(String, [String: String], String)])
  func `A value is inserted only where it is harmless, and is otherwise rejected by name.`(
    source: String, options: [String: String], expected: String
  ) throws {
    #expect(try RequestPicture(source: source, options: options).text == expected)
  }

  @Test(arguments: [
    ("a/b", "GET https://api.example.org/a/b"), ("a?b#c", "GET https://api.example.org/a%3Fb%23c"),
    ("a/../b", "{query} would put . or .. into the path of source mine. Choose another value"),
    ("a?/..", "{query} would put . or .. into the path of source mine. Choose another value"),
    ("..%2f", "GET https://api.example.org/..%252f"),
    ("", "{query} is empty, but required in the path of source mine. Type a query"),
  ])
  func `A path that keeps its slashes cannot lead to another path.`(query: String, expected: String) throws {
    #expect(
      try RequestPicture(source: "request.url = \"https://api.example.org/{+query}\"", query: query).text
        == expected)
  }

  @Test func `An option has a title, a kind and a key.`() throws {
    let source = try source(
      """
      schema = 1
      id = "mine"
      request.url = "https://a.example"
      [options.year]
      title = "Year"
      values = [2023, 2024]
      default = 2024
      key = "y"
      """)
    #expect(
      source.options == [
        SourceOption(
          name: "year", title: "Year", kind: .number, values: ["2023", "2024"], defaultValue: "2024", key: "y"
        )
      ])
  }
}
