import DemoTesting
import TestSupport
import Testing

/// A route of the embedded server, the column with the code point or name, and what marks the end of its list.
struct Style: Sendable, CustomTestStringConvertible {
  let path: String
  let column: String
  let end: String
  /// The number of requests that a list of `rows` rows takes in pages of `size`.
  let requests: @Sendable (_ rows: Int, _ size: Int) -> Int

  init(
    _ path: String, _ column: String = "code_point", end: String,
    requests: @escaping @Sendable (_ rows: Int, _ size: Int) -> Int = Style.pages
  ) {
    self.path = path
    self.column = column
    self.end = end
    self.requests = requests
  }

  var testDescription: String { "\(path): \(end)" }

  static func pages(_ rows: Int, _ size: Int) -> Int { (rows + size - 1) / size }

  static let all = [
    Style("/pages", end: "the Link field of the last page has no next"),
    Style("/pages/zero", end: "the service says how many pages there are"),
    Style("/offset", end: "next is null on the last page"),
    Style("/cursor", end: "the cursor of the last page is null"),
    Style("/cursor/header", end: "the last page has no cursor field"),
    Style("/keyset", end: "a flag says that no more follows"),
    Style("/keyset/inclusive", end: "a flag; each page but the first repeats a row") { rows, size in
      1 + Style.pages(rows - size, size - 1)
    },
    Style("/search-after", "_id", end: "only a page without a row has none to go on after") { rows, size in
      Style.pages(rows, size) + 1
    },
    Style("/link", end: "the last page has no Link field"),
    Style("/link/body", end: "next is null on the last page"),
    Style("/link/relative", end: "next is null on the last page"),
    Style("/link/query", end: "next is null on the last page"),
    Style("/merge", end: "the last page has no object to continue with"),
    Style("/graphql", end: "pageInfo says that no more follows"),
    Style("/rows/map", end: "all rows of the total have come"),
    Style("/rows/columns", end: "the cursor of the last page is null"),
    Style("/rows/scalars", "value", end: "nothing but an empty page tells") { rows, size in
      Style.pages(rows, size) + 1
    },
    Style("/none", end: "there is one page") { _, _ in 1 },
  ]
}

/// Tests every pagination style: the program reads the embedded server to the end, with the source document that the
/// server shows for the route.
@Suite(.takesTurns, .serialized) struct StyleProgramTests {
  private static let library = LibrarySearch("LEFTWARDS")
  /// Small, so that there are many pages.
  private static let pageSize = 20

  @Test(arguments: Style.all)
  func `Paging to the end gives every row once, in order, with the expected number of requests.`(
    style: Style
  ) async throws {
    let server = try await TestServer.start()
    let result = try await withFile("route.toml", DemoRoute(path: style.path).document(server)) { file in
      let search = ["search", file, "leftwards", "--all", "--page-size", "\(Self.pageSize)"]
      return try await Program.run(search + ["-f", "csv", "--no-header", "-c", style.column])
    }
    let requests = server.requestLog
    try await server.stop()
    let all = style.column == "value" ? Self.library.names : Self.library.codePoints
    #expect(all.count > 6 * Self.pageSize)
    let expected = style.path == "/none" ? all.prefix(Self.pageSize) : all[...]
    #expect(result.output == expected.map { "\($0)\n" }.joined())
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(requests.count == style.requests(all.count, Self.pageSize), "\(requests)")
    let isInBody = ["/search-after", "/graphql"].contains(style.path)
    #expect(isInBody || Set(requests).count == requests.count, "none is asked twice: \(requests)")
  }

  @Test func `Every route of the server is tested.`() {
    #expect(Style.all.map(\.path).sorted() == DemoRoute.paths.sorted())
  }
}
