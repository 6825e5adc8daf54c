/// Lists that are endless, inconsistent, have gaps or lead elsewhere; each trap for every route.
enum PagingTraps {
  static let all = loops + duplicates + holes + crossLinks

  private static func traps(_ fault: String, _ paths: [String], _ picture: String) -> [Trap] {
    paths.map { Trap(path: $0, query: "fault=\(fault)", picture: picture) }
  }

  /// Routes that take the next request from the response and whose rows have a key.
  private static let following = [
    "/cursor", "/cursor/header", "/link", "/link/body", "/link/relative", "/link/query", "/merge", "/graphql",
    "/rows/columns",
  ]

  /// The first page is repeated forever.
  private static let loops =
    traps(
      "loop", following + ["/keyset", "/search-after", "/keyset/inclusive"],
      """
      rows 1 2 3 4
      requests 2, status 3
      4 duplicate rows dropped
      stopped after 4 rows: the service returned page 1 again
      """)
    // A request that differs from the previous one is tried once more.
    + traps(
      "loop", ["/pages", "/offset", "/rows/map"],
      """
      rows 1 2 3 4
      requests 3, status 3
      8 duplicate rows dropped
      stopped after 4 rows: the service is repeating pages
      """)
    + traps(
      "loop", ["/pages/zero"],
      """
      rows 1 2 3 4
      requests 3, status 0
      8 duplicate rows dropped
      rows may be missing: the service reports 10 rows but returned 4
      """)
    // Rows without a key are compared page by page.
    + traps(
      "loop", ["/rows/scalars"],
      """
      rows 1 2 3 4
      requests 3, status 0
      the service is repeating pages
      8 duplicate rows dropped
      """)
    + traps(
      "loop", ["/none"],
      """
      rows 1 2 3 4
      requests 1, status 0
      """)

  /// Each page begins with the last three rows of the one before.
  private static let duplicates =
    traps(
      "duplicates", following + ["/pages", "/pages/zero", "/keyset", "/keyset/inclusive"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 3, status 0
      6 duplicate rows dropped
      """)
    // The offset advances by the rows received, so it runs ahead.
    + traps(
      "duplicates", ["/offset"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 3, status 0
      3 duplicate rows dropped
      """)
    // After the last row the route returns the last three again.
    + traps(
      "duplicates", ["/search-after"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 4, status 0
      the service is repeating pages
      9 duplicate rows dropped
      """)
    // The total is reached once that many different rows have been received.
    + traps(
      "duplicates", ["/rows/map"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 3, status 0
      6 duplicate rows dropped
      """)
    + traps(
      "duplicates", ["/rows/scalars"],
      """
      rows 1 2 3 4 2 3 4 5 6 7 8 6 7 8 9 10 10
      requests 5, status 0
      """)

  /// Every second page is empty.
  private static let holes =
    traps(
      "empty", following + ["/pages"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 5, status 0
      """)
    // The number of pages lets paging continue, but it does not include the empty pages.
    + traps(
      "empty", ["/pages/zero"],
      """
      rows 1 2 3 4 5 6 7 8
      requests 3, status 0
      rows may be missing: the service reports 10 rows but returned 8
      """)
    // The total shows that rows follow the empty page; after the last row of a page, only the page shows it.
    + traps(
      "empty", ["/offset"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 5, status 0
      """)
    + traps(
      "empty", ["/rows/map"],
      """
      rows 1 2 3 4 5 6 7 8
      requests 4, status 0
      rows may be missing: the service reports 10 rows but returned 8
      """)
    + traps(
      "empty", ["/search-after"],
      """
      rows 1 2 3 4
      requests 2, status 0
      rows may be missing: the service reports 10 rows but returned 4
      """)
    + traps(
      "empty", ["/keyset"],
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: pagination.next of source demo-keyset is missing, although the response says that there are \
      more rows
      """)
    + traps(
      "empty", ["/rows/scalars"],
      """
      rows 1 2 3 4
      requests 2, status 0
      """)

  /// Absolute addresses of a next page lead to the same server by its other name, which is another origin.
  private static let crossLinks =
    ["link", "link-body"].flatMap { id in
      traps(
        "crosslink", ["/" + id.replacing("-", with: "/")],
        """
        rows 1 2 3 4
        requests 1, status 3
        stopped after 4 rows: pagination.next of source demo-\(id) returned a link that leads to another origin, \
        http://localhost:PORT. If that is the same service behind a proxy, set \
        pagination.next_origin = "source"
        """)
    }
    // These routes do not follow a link, or their links have no origin.
    + traps(
      "crosslink", ["/pages", "/offset", "/link/relative", "/link/query"],
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests 3, status 0
      """)
}
