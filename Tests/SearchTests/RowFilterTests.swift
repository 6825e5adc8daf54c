import Search
import Testing

/// Which rows a typed filter matches.
@Suite struct RowFilterTests {
  private static let columns = ["name", "language", "about"]
  private static let rows = [
    ["swift-nio", "Swift", "Event-driven network framework"],
    ["rust-tui", "Rust", "a terminal http://example.org/ui"],
    ["Swiftly", "Shell", "Straße 日本語 \"quoted\""],
  ]

  @Test(arguments: [
    ("", "0 1 2"), ("swift", "0 2"), ("Swift", "0 2"), ("SWIFT", ""), ("swift network", "0"),
    ("-swift", "1"), ("swift -network", "2"), ("language:swift", "0"), ("-language:swift", "1 2"),
    ("name:Swift", "2"), ("\"driven network\"", "0"), ("\"network driven\"", ""),
    ("http://example", "1"), ("nosuch:swift", ""), ("日本", "2"), ("STRASSE", ""), ("straße", "2"),
    ("-", "0 1 2"), ("\"", "0 1 2"), ("\"unclosed phra", ""), ("about:\"a terminal\"", "1"),
    ("- swift", "0 2"), ("event-driven", "0"), ("name:", "0 1 2"),
  ]) func `A filter matches the rows that satisfy all of its words.`(text: String, chosen: String) {
    let matcher = RowMatcher(RowFilter(text), columns: Self.columns, visible: [0, 1, 2])
    let found = Self.rows.indices.filter { matcher.admits(Self.rows[$0]) }
    #expect(found.map(String.init).joined(separator: " ") == chosen)
  }
}
