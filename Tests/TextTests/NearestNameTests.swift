import Testing
import Text

@Suite struct NearestNameTests {
  private let settings = [
    "source", "live", "limit", "page_size", "debounce", "concurrency", "max_wait", "timeout", "retries",
    "color",
  ]

  @Test(arguments: [
    ("colour", ["color"]),
    ("tiemout", ["timeout"]),
    ("Page-Size", ["page_size"]),
    ("limits", ["limit"]),
    ("conc", ["concurrency"]),
    ("lve", ["live"]),
    ("retires", ["retries"]),
    ("zebra", []),
    ("", []),
    ("li", []),
    ("max_wait", ["max_wait"]),
  ])
  func `A mistyped name finds the intended one`(typed: String, names: [String]) {
    #expect(NearestName.nearest(to: typed, among: settings) == names)
  }

  @Test func `The nearest names come first, ties in the given order, at most three`() {
    let names = ["gitlib", "gitlab", "github", "gitea", "githu", "githubb"]
    #expect(NearestName.nearest(to: "githib", among: names) == ["gitlib", "github", "gitlab"])
  }

  @Test func `A huge name matches none and costs little`() {
    let huge = String(repeating: "a", count: 1_000_000)
    #expect(NearestName.nearest(to: huge, among: settings).isEmpty)
    #expect(NearestName.nearest(to: "limit", among: [huge, "limit"]) == ["limit"])
  }
}
