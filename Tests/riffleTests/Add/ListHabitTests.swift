import Config
import Detection
import HTTPTransport
import HTTPValues
import JSON
import TestSupport
import Testing

@testable import App
@testable import Search

/// From the address of its first page alone, a list of each habit becomes a source that reads it exactly, or one that
/// says it is not sure.
@Suite struct ListHabitTests {
  static let pages: [ListHabit] = [
    ListHabit(way: .page("page"), size: "per_page", rows: "", total: "header:X-Total-Count"),
    ListHabit(way: .page("page"), size: "per_page", rows: ""),
    ListHabit(way: .page("page"), size: "per_page", rows: "items", total: "total_count"),
    ListHabit(way: .page("page"), size: "limit", total: "total", echo: "page"),
    ListHabit(
      way: .page("page"), size: "limit", rows: "results", pages: "meta.total_pages", echo: "meta.page"),
    ListHabit(way: .page("page"), size: "limit", rows: "results", total: "meta.total"),
    ListHabit(way: .page("page"), size: "limit", rows: "results"),
    ListHabit(
      way: .page("page"), size: "size", rows: "content", total: "totalElements", pages: "totalPages",
      echo: "number"),
    ListHabit(
      way: .page("page", first: 0), size: "size", rows: "content", total: "totalElements",
      pages: "totalPages", echo: "number"),
    ListHabit(way: .page("page", first: 0), size: "limit", rows: "data"),
    ListHabit(way: .page("page", first: 0), size: "limit", rows: "data", total: "count"),
    ListHabit(way: .page("page", first: 0), rows: "items", total: "total"),
    ListHabit(way: .page("page")),
    ListHabit(way: .page("page"), rows: "items", more: "has_more"),
    ListHabit(way: .page("page[number]"), size: "page[size]", total: "meta.record_count"),
    ListHabit(way: .page("page[number]"), size: "page[size]", pages: "meta.page_count"),
    ListHabit(way: .page("page[number]"), size: "page[size]"),
    ListHabit(way: .page("page_number"), size: "page_size", total: "total_records"),
    ListHabit(
      way: .page("page_number"), size: "page_size", rows: "users", pages: "page_count", echo: "page_number"),
    ListHabit(way: .page("page"), size: "page_size", rows: "results", total: "count"),
    ListHabit(way: .page("page"), size: "perPage", total: "pagination.total"),
    ListHabit(way: .page("page"), size: "per-page", rows: "", total: "header:X-Pagination-Total-Count"),
    ListHabit(way: .page("pageNumber", first: 0), size: "pageSize", rows: "items", total: "totalCount"),
    ListHabit(
      way: .page("pageNumber"), size: "pageSize", rows: "items", total: "totalCount", echo: "pageNumber"),
    ListHabit(way: .page("page_index"), size: "items_per_page", rows: "list", total: "total_items"),
    ListHabit(way: .page("Page"), size: "MaxNumberOfResults", rows: "Results", total: "TotalCount"),
    ListHabit(way: .page("page"), size: "count", rows: "tickets", total: "total"),
    ListHabit(way: .page("page"), size: "results", total: "info.total"),
    ListHabit(way: .page("pageNo"), size: "pageSize", rows: "result.list", total: "result.totalCount"),
    ListHabit(way: .page("page"), size: "per_page", rows: "", end: .status(404)),
    ListHabit(way: .page("page"), size: "limit", rows: "data", total: "total", end: .status(404)),
    ListHabit(way: .page("page"), size: "limit", rows: "data", end: .status(400)),
    ListHabit(way: .page("page"), size: "limit", rows: "data", end: .lastAgain),
    ListHabit(way: .page("page"), size: "limit", rows: "data", end: .firstAgain),
    ListHabit(way: .page("page"), size: "per_page", rows: "", isScalar: true),
    ListHabit(way: .page("page"), size: "per_page", rows: "names", total: "total", isScalar: true),
    ListHabit(way: .page("page"), size: "per_page", nextNumber: "meta.next_page"),
    ListHabit(way: .page("current_page"), size: "limit", nextNumber: "meta.next_page"),
    ListHabit(way: .page("p"), size: "n", rows: "items", total: "total"),
    ListHabit(
      way: .page("page"), size: "per_page", rows: "customers", total: "total_entries",
      noise:
        "\"facets\": [{\"name\": \"x\", \"count\": 4}, {\"name\": \"y\", \"count\": 3}], \"suggestions\": [{\"text\": \"a\"}]"
    ),
    ListHabit(
      way: .page("page"), size: "limit", rows: "products", total: "total",
      noise:
        "\"filters\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}], \"errors\": [], \"links\": [{\"rel\": \"self\", \"href\": \"https://api.example.org/\"}]"
    ),
    ListHabit(
      way: .page("page"), size: "limit", rows: "matches", total: "total",
      noise: "\"items\": [{\"id\": 1, \"name\": \"ad\"}, {\"id\": 2, \"name\": \"ad 2\"}]"),
  ]

  static let offsets: [ListHabit] = [
    ListHabit(way: .offset("offset"), size: "limit", rows: "results", total: "count"),
    ListHabit(way: .offset("offset"), size: "limit", total: "total", echo: "offset"),
    ListHabit(way: .offset("offset"), size: "limit", rows: ""),
    ListHabit(way: .offset("offset"), size: "limit", rows: "items"),
    ListHabit(way: .offset("offset"), rows: "list", total: "total"),
    ListHabit(way: .offset("offset"), size: "count", rows: "members", total: "total_items"),
    ListHabit(way: .offset("skip"), size: "limit", rows: "products", total: "total", echo: "skip"),
    ListHabit(way: .offset("skip"), size: "limit", rows: "products"),
    ListHabit(way: .offset("skip"), size: "take", rows: "items", total: "totalCount"),
    ListHabit(way: .offset("$skip"), size: "$top", rows: "value", total: "@odata·count"),
    ListHabit(way: .offset("$skip"), size: "$top", rows: "value"),
    ListHabit(way: .offset("_skip"), size: "_limit", rows: "", total: "header:X-Total-Count"),
    ListHabit(way: .offset("_start"), size: "_limit", rows: "", total: "header:X-Total-Count"),
    ListHabit(way: .offset("from"), size: "limit", rows: "records", total: "total"),
    ListHabit(way: .offset("from"), size: "size", rows: "hits.hits", total: "hits.total.value"),
    ListHabit(
      way: .offset("start"), size: "rows", rows: "response.docs", total: "response.numFound",
      echo: "response.start"),
    ListHabit(way: .offset("start"), size: "limit", rows: "items", more: "hasMore"),
    ListHabit(
      way: .offset("startIndex", first: 1), size: "count", rows: "Resources", total: "totalResults",
      echo: "startIndex"),
    ListHabit(way: .offset("startIndex"), size: "numRecords", rows: "records", total: "total"),
    ListHabit(way: .offset("startAt"), size: "maxResults", rows: "issues", total: "total", echo: "startAt"),
    ListHabit(way: .offset("Offset"), size: "Limit", rows: "Data", total: "Total"),
    ListHabit(way: .offset("offset"), size: "limit", rows: "data", more: "pagination.has_more"),
    ListHabit(way: .offset("offset"), size: "limit", rows: "data", total: "paging.matched"),
    ListHabit(way: .offset("page[offset]"), size: "page[limit]", total: "meta.count"),
  ]

  static let tokens: [ListHabit] = [
    ListHabit(way: .token("cursor", at: "pagination.cursor"), size: "limit"),
    ListHabit(way: .token("cursor", at: "meta.next_cursor"), size: "limit"),
    ListHabit(way: .token("cursor", at: "cursor"), size: "limit", rows: "items"),
    ListHabit(way: .token("cursor", at: "next_cursor"), rows: "results"),
    ListHabit(way: .token("cursor", at: "nextCursor"), size: "limit", rows: "items"),
    ListHabit(
      way: .token("cursor", at: "response_metadata.next_cursor", .withEquals), size: "limit", rows: "channels"
    ),
    ListHabit(way: .token("offset", at: "offset", .like("itr/rec")), size: "pageSize", rows: "records"),
    ListHabit(way: .token("offset", at: "next_offset", .number), size: "limit"),
    ListHabit(way: .token("start", at: "additional_data.pagination.next_start", .number), size: "limit"),
    ListHabit(way: .token("pageToken", at: "nextPageToken"), size: "maxResults", rows: "items"),
    ListHabit(way: .token("page_token", at: "next_page_token"), size: "page_size", rows: "meetings"),
    ListHabit(way: .token("next_page_token", at: "next_page_token"), size: "page_size", rows: "meetings"),
    ListHabit(way: .token("page_token", at: "next_cursor"), size: "limit", rows: "events"),
    ListHabit(way: .token("next_cursor", at: "paging.next_cursor"), size: "limit"),
    ListHabit(way: .token("marker", at: "next_marker"), size: "limit", rows: "entries"),
    ListHabit(way: .token("marker", at: "marker"), size: "limit", rows: "entries"),
    ListHabit(way: .token("after", at: "paging.next.after"), size: "limit", rows: "results"),
    ListHabit(way: .token("after", at: "paging.cursors.after"), size: "limit"),
    ListHabit(way: .token("after", at: "pagination_meta.after"), size: "page_size", rows: "incidents"),
    ListHabit(way: .token("starting_after", at: "pages.next.starting_after"), size: "per_page"),
    ListHabit(
      way: .token("nextToken", at: "payload.pagination.nextToken"), size: "limit", rows: "payload.items"),
    ListHabit(
      way: .token("NextToken", at: "payload.NextToken"), size: "MaxResultsPerPage", rows: "payload.Orders"),
    ListHabit(
      way: .token("stream_position", at: "next_stream_position", .number), size: "limit", rows: "entries"),
    ListHabit(way: .token("search_after", at: "pagination.search_after"), size: "limit"),
    ListHabit(way: .token("scrollId", at: "scrollId"), size: "size", rows: "hits"),
    ListHabit(way: .token("lastId", at: "lastId"), size: "limit", rows: "list"),
    ListHabit(way: .token("continuationToken", at: "continuationToken", .withSpaces), rows: "items"),
    ListHabit(way: .token("continuation", at: "header:X-Continuation-Token"), size: "limit", rows: "items"),
    ListHabit(way: .token("cursor", at: "header:X-Next-Cursor"), size: "limit", rows: ""),
    ListHabit(way: .token("_next", at: "next"), size: "_size", rows: "rows"),
    ListHabit(way: .token("page_info", at: "next_page_info"), size: "limit", rows: "orders"),
    ListHabit(
      way: .token("nextPageKey", at: "nextPageKey"), size: "pageSize", rows: "entities", total: "totalCount"),
    ListHabit(
      way: .token("cursorMark", at: "nextCursorMark"), size: "pageSize", rows: "result", total: "hitCount"),
    ListHabit(way: .token("pagetoken", at: "page_token"), size: "limit", rows: "list"),
    ListHabit(way: .token("bookmark", at: "bookmark"), size: "page_size", rows: "items"),
    ListHabit(way: .token("$skiptoken", at: "skipToken"), rows: "value"),
  ]

  static let links: [ListHabit] = [
    ListHabit(way: .link(at: "header:Link"), size: "per_page", rows: ""),
    ListHabit(way: .link(at: "next"), rows: "results", total: "count"),
    ListHabit(way: .link(at: "links.next"), size: "page[size]"),
    ListHabit(way: .link(at: "links.next", .path)),
    ListHabit(way: .link(at: "_pagination.next", .query), rows: "items"),
    ListHabit(way: .link(at: "next_page"), size: "per_page", rows: "tickets", total: "count"),
    ListHabit(way: .link(at: "_links.next.href"), rows: "_embedded.items"),
    ListHabit(way: .link(at: "pages.next"), rows: "list"),
    ListHabit(way: .link(at: "pagination.nextPageUrl"), rows: "items"),
    ListHabit(way: .link(at: "paging.next"), rows: "data"),
    ListHabit(way: .link(at: "_metadata.next", .path), rows: "objects"),
    ListHabit(way: .link(at: "meta.next_page_url"), rows: "data"),
    ListHabit(way: .link(at: "@odata·nextLink"), rows: "value"),
    ListHabit(way: .link(at: "nextPage", .name), rows: "items"),
    ListHabit(way: .link(at: "next", .name), rows: "items"),
    ListHabit(way: .link(at: "nextRecordsUrl", .path), rows: "records", total: "totalSize"),
  ]

  static let lastRows: [ListHabit] = [
    ListHabit(way: .lastRow("starting_after"), size: "limit", more: "has_more"),
    ListHabit(way: .lastRow("startingAfter"), size: "limit", rows: "", more: nil),
    ListHabit(way: .lastRow("startingAfter"), size: "limit", more: "hasMore"),
    ListHabit(way: .lastRow("page[after]"), size: "page[size]"),
    ListHabit(way: .lastRow("after"), size: "limit", rows: "items", more: "has_more"),
    ListHabit(way: .lastRow("start-after"), size: "limit", rows: "items", more: "more"),
    ListHabit(way: .lastRow("after_id"), size: "limit", rows: "items", more: "has_more"),
    ListHabit(way: .lastRow("since_id"), size: "limit", rows: ""),
  ]

  static let singles: [ListHabit] = [
    ListHabit(way: .single, rows: ""), ListHabit(way: .single, rows: "data", total: "total"),
    ListHabit(way: .single, rows: "countries", isScalar: true),
  ]

  @Test(arguments: [
    ("pages", pages, 0.97), ("offsets", offsets, 0.97), ("tokens", tokens, 0.97), ("links", links, 0.97),
    ("keys of rows", lastRows, 0.93), ("single pages", singles, 0.97),
  ])
  func `A list is read exactly by the source that its first page leads to.`(
    name: String, habits: [ListHabit], least: Double
  ) async throws {
    let (score, wrong, lines) = try await HabitJudge.judged(habits)
    print("\(name): \(Int((score * 1_000).rounded()))‰ right")
    #expect(score >= least, "\(lines.joined(separator: "\n"))")
    #expect(wrong == [])
  }

  /// A habit whose parts are drawn independently, so that many are odd.
  static func anyHabit(_ seed: UInt64) -> ListHabit {
    var random = SeededGenerator(seed: seed)
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    let pages = ["page", "p", "pageNumber", "page[number]", "page_no", "Page", "seite"]
    let offsets = ["offset", "skip", "start", "from", "startIndex", "$skip", "first"]
    let places = [
      "next", "cursor", "meta.next_cursor", "paging.after", "nextPageToken", "header:X-Next-Cursor",
      "position",
    ]
    let names = ["cursor", "after", "next", "page_token", "token", "from", "page", "offset"]
    let way: ListHabit.Way =
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: .page(one(pages), first: one([0, 1, 1]))
      case 2: .offset(one(offsets), first: one([0, 0, 1]))
      case 3, 4: .token(one(names), at: one(places), one([.opaque, .number, .withEquals, .withSpaces]))
      case 5: .lastRow(one(["starting_after", "after", "since", "max_id"]))
      default:
        .link(
          at: one(["next", "links.next", "header:Link", "paging.next"]),
          one([.absolute, .path, .query, .name]))
      }
    var habit = ListHabit(way: way)
    habit.size = one([nil, "limit", "per_page", "size", "count", "$top", "page[size]", "n"])
    habit.rows = one(["", "data", "items", "result.rows", "things", "response.docs"])
    habit.total = one([nil, "header:X-Total-Count"])
    if !habit.rows.isEmpty {
      habit.total = one([nil, nil, "total", "meta.count", "paging.total_count", "header:X-Total"])
      habit.pages = one([nil, nil, nil, "total_pages", "meta.pages"])
      habit.more = one([nil, nil, nil, "has_more", "paging.hasNext"])
      habit.echo = one([nil, nil, "page", "offset", "meta.current_page", "start"])
      habit.noise = one([
        "", "", "\"facets\": [{\"id\": 1}, {\"id\": 2}]", "\"items\": [{\"id\": 5}]",
        "\"limit\": 10, \"offset\": 0",
      ])
    }
    habit.end = one([.empty, .empty, .status(404), .status(400), .lastAgain, .firstAgain])
    return habit
  }

  @Test func `No confident guess is wrong, however unusual a list is.`() async throws {
    let habits = Seeds.first(25).map(Self.anyHabit)
    let (score, wrong, misses) = try await HabitJudge.judged(habits)
    print("any: \(Int((score * 1_000).rounded()))‰ right\n\(misses.joined(separator: "\n"))")
    #expect(wrong == [])
  }
}
