import Foundation
import TestSupport
import Testing

/// Faults that users reported of other programs that page through APIs, each as a small service: the rows that can be
/// had arrive, and rows are never missing with status 0 and silence.
@Suite(.takesTurns, .serialized) struct ReportedFaultTests {
  @Test(arguments: ReportedFault.ends + ReportedFault.rows + ReportedFault.headers + ReportedFault.addresses)
  func `Rows that other programs lose are written or reported as missing.`(fault: ReportedFault)
    async throws
  {
    let outcome = try await fault.outcome()
    #expect(outcome == fault.picture)
  }
}

struct ReportedFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// `[pagination]`.
  let pagination: String
  /// `[rows]`, after `path = "items"`; another path replaces it.
  var rows = ""
  var rest = ""
  var arguments: [String] = []
  /// The answer to a request for a page, from 1.
  let answer: @Sendable (Int, ScriptedServer.Request) -> ScriptedServer.Answer
  /// The ids of the rows, the number of requests, the status, and the messages.
  let picture: String

  func outcome() async throws -> String {
    let server = try ScriptedServer { answer(max(1, $0.number("page")), $0) }
    defer { server.stop() }
    let document = Self.source(server.baseURL, pagination, rows: rows, rest)
    let result = try await withFile("src.toml", document) { file in
      try await Program.run(
        [
          "search", file, "-f", "csv", "-c", "id", "--no-header", "--concurrency", "1", "--retries", "1",
        ]
          + (arguments.contains("-n") ? [] : ["--all"]) + arguments)
    }
    let ids = result.output.split(separator: "\n").compactMap { Int($0) }
    let said = result.errors.replacing(server.baseURL, with: "SERVICE").replacing("riffle: ", with: "")
    return "\(Self.ranges(ids)) · \(server.requests.count) requests, status \(result.status)\n\(said)"
  }

  static func source(_ base: String, _ pagination: String, rows: String = "", _ rest: String = "") -> String {
    """
    schema = 1
    id = "src"
    [request]
    url = "\(base)/l"
    [pagination]
    \(pagination)
    [rows]
    \(rows.contains("path =") ? "" : "path = \"items\"")
    \(rows)
    \(rest)
    """
  }

  private static func ranges(_ ids: [Int]) -> String {
    var parts: [ClosedRange<Int>] = []
    for id in ids {
      if let last = parts.last, last.upperBound == id - 1 {
        parts[parts.count - 1] = last.lowerBound...id
      } else {
        parts.append(id...id)
      }
    }
    return parts.isEmpty ? "–" : parts.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ")
  }

  static func rows(_ range: Range<Int>) -> String {
    range.isEmpty ? "" : range.map { "{\"id\": \($0), \"name\": \"row \($0)\"}" }.joined(separator: ", ")
  }

  /// The page with this number of 80 rows by ten, with every sign there is.
  private static func page(_ number: Int, of last: Int = 8, holes: Set<Int> = []) -> String {
    let rows = number > last || holes.contains(number) ? "" : rows(number * 10 - 9..<number * 10 + 1)
    let next = number < last
    return """
      {"ok": true, "total": 80, "pages": \(last), "items": [\(rows)], "more": \(next),
       "next_cursor": \(next ? "\"\(number + 1)\"" : "null"), "next": \(next ? "\"/l?page=\(number + 1)\"" : "null")}
      """
  }

  private static let size = "size = { param = \"n\", default = 10, max = 10 }"
  private static let paged = "type = \"page\"\nparam = \"page\"\n\(size)"
  private static let cursor = "type = \"cursor\"\nparam = \"page\"\nnext = \"next_cursor\""
  private static let link = "type = \"link\"\nnext = \"next\""

  /// The end of the list is believed on weak evidence.
  static let ends: [ReportedFault] = [
    ReportedFault(
      testDescription: "an error in place of page 3 (cli/cli#6013)", pagination: paged,
      answer: { number, _ in .json(number == 3 ? #"{"ok": false, "error": "ratelimited"}"# : page(number)) },
      picture: """
        1-20 · 3 requests, status 3
        stopped after 20 rows: page 3 failed: SERVICE/l reported an error: ratelimited
        run the same command with --from-page 3 to continue

        """),
    ReportedFault(
      testDescription: "null rows beside an error", pagination: link,
      answer: { number, _ in
        .json(number == 3 ? #"{"items": null, "error": "database timeout"}"# : page(number))
      },
      picture: """
        1-20 · 3 requests, status 3
        stopped after 20 rows: page 3 failed: SERVICE/l reported an error: database timeout
        to make a run resumable, use --output FILE

        """),
    ReportedFault(
      testDescription: "an error as the first page", pagination: "type = \"none\"",
      answer: { _, _ in .json(#"{"ok": false, "error": "invalid_auth"}"#) },
      picture: """
        – · 1 requests, status 1
        page 1 failed: SERVICE/l reported an error: invalid_auth

        """),
    ReportedFault(
      testDescription: "rows filtered after paging (apify/apify-client-python#964)", pagination: paged,
      rows: "total = \"total\"", answer: { number, _ in .json(page(number, holes: [1, 3])) },
      picture: """
        11-20 31-80 · 9 requests, status 0
        rows may be missing: the service reports 80 rows but returned 60

        """),
    ReportedFault(
      testDescription: "the same, where it must be whole", pagination: paged, rows: "total = \"total\"",
      arguments: ["--fail-incomplete", "-q"], answer: { number, _ in .json(page(number, holes: [3])) },
      picture: """
        1-20 31-80 · 9 requests, status 3
        rows may be missing: the service reports 80 rows but returned 70

        """),
    ReportedFault(
      testDescription: "a keyset that is null in the last row (elastic/elasticsearch#66242)",
      pagination: "type = \"cursor\"\nparam = \"page\"\nnext = \"items[-1].at\"",
      answer: { number, _ in
        let rows = (number..<number + 10).map {
          "{\"id\": \($0), \"at\": \($0 == 20 ? "null" : "\($0 + 1)")}"
        }
        return .json("{\"items\": [\(rows.joined(separator: ", "))]}")
      },
      picture: """
        1-20 · 2 requests, status 3
        stopped after 20 rows: pagination.next of source src is missing in the last row of the page

        """),
    ReportedFault(
      testDescription: "the first pages are empty (openai/openai-node#2561)", pagination: cursor,
      answer: { number, _ in .json(page(number, holes: [1, 2, 3, 4, 5, 6])) },
      picture: "61-80 · 8 requests, status 0\n"),
    ReportedFault(
      testDescription: "a total of just the page (langchain-ai/langgraphjs#1556)", pagination: paged,
      rows: "total = \"count\"",
      answer: { number, _ in
        let rows = rows(number * 10 - 9..<max(number * 10 - 9, min(number * 10, 45) + 1))
        let count = number < 5 ? 10 : number == 5 ? 5 : 0
        return .json("{\"count\": \(count), \"items\": [\(number > 5 ? "" : rows)]}")
      }, picture: "1-45 · 6 requests, status 0\n"),
    ReportedFault(
      testDescription: "no pages beside rows (Polymarket/ts-sdk#235)", pagination: paged + "\npages = \"n\"",
      answer: { number, _ in
        .json("{\"n\": 0, \"items\": [\(number > 3 ? "" : rows(number * 10 - 9..<number * 10 + 1))]}")
      }, picture: "1-30 · 4 requests, status 0\n"),
    ReportedFault(
      testDescription: "a total that is never reached (stripe/stripe-python#671)", pagination: paged,
      rows: "total = \"total\"", answer: { number, _ in .json(page(number, holes: [6, 7, 8])) },
      picture: """
        1-50 · 8 requests, status 0
        rows may be missing: the service reports 80 rows but returned 50

        """),
    ReportedFault(
      testDescription: "a message in place of the page after the last", pagination: paged,
      answer: { number, _ in
        .json(number < 3 ? page(number) : #"{"message": "No more results", "status": "ok"}"#)
      },
      picture: """
        1-20 · 3 requests, status 3
        stopped after 20 rows: page 3 failed: SERVICE/l reported an error: No more results
        run the same command with --from-page 3 to continue

        """),
    ReportedFault(
      testDescription: "the same, declared", pagination: paged, rows: "missing = \"empty\"",
      answer: { number, _ in
        .json(number < 3 ? page(number) : #"{"message": "No more results", "status": "ok"}"#)
      }, picture: "1-20 · 3 requests, status 0\n"),
    ReportedFault(
      testDescription: "the service says that its response is incomplete", pagination: cursor,
      rows: "incomplete = [\"timed_out\", \"_shards.failed\"]",
      answer: { number, _ in
        .json(
          page(number, of: 3).replacing(
            "\"ok\": true", with: "\"timed_out\": false, \"_shards\": {\"failed\": 1}"))
      },
      picture: """
        1-30 · 3 requests, status 0
        rows may be missing: the service says that its response is incomplete

        """),
    ReportedFault(
      testDescription: "the same, of the first rows", pagination: cursor, rows: "incomplete = \"timed_out\"",
      arguments: ["-n", "5", "-q"],
      answer: { number, _ in .json(page(number, of: 3).replacing("\"ok\": true", with: "\"timed_out\": true"))
      },
      picture: """
        1-5 · 1 requests, status 0
        rows may be missing: the service says that its response is incomplete

        """),
    ReportedFault(
      testDescription: "GraphQL errors beside a null list", pagination: cursor,
      rows: "path = \"data.search.nodes\"",
      answer: { number, _ in
        number == 3
          ? .json(#"{"data": {"search": null}, "errors": [{"message": "Something went wrong"}]}"#)
          : .json(
            "{\"data\": {\"search\": {\"nodes\": [\(rows(number * 10 - 9..<number * 10 + 1))]}}, \"next_cursor\": \"\(number + 1)\"}"
          )
      },
      picture: """
        1-20 · 3 requests, status 3
        stopped after 20 rows: page 3 failed: SERVICE/l reported an error: Something went wrong
        to make a run resumable, use --output FILE

        """),
  ]

  /// Doubles without proof, and shapes of rows.
  static let rows: [ReportedFault] = [
    ReportedFault(
      testDescription: "ids of two kinds on one page", pagination: paged,
      answer: { number, _ in
        let rows = (0..<5).flatMap { index in
          ["movie", "person"].map { "{\"id\": \(number * 5 + index), \"kind\": \"\($0)\"}" }
        }
        return .json("{\"items\": [\(number > 2 ? "" : rows.joined(separator: ", "))]}")
      },
      picture: """
        5-5 5-6 6-7 7-8 8-9 9-10 10-11 11-12 12-13 13-14 14-14 · 3 requests, status 0
        different rows have the same id, so duplicates are kept. Set rows.id to a path with unique values

        """),
    ReportedFault(
      testDescription: "a cursor that leads back (dlt-hub/dlt#2012)", pagination: cursor,
      answer: { number, _ in
        .json(page(number, of: 9).replacing("\"next_cursor\": \"6\"", with: "\"next_cursor\": \"1\""))
      },
      picture: """
        1-50 · 6 requests, status 3
        10 duplicate rows dropped
        stopped after 50 rows: the service returned page 1 again

        """),
    ReportedFault(
      testDescription: "one object in place of a list of one", pagination: paged,
      answer: { number, _ in
        .json("{\"items\": \(number == 2 ? rows(11..<12) : "[\(number == 1 ? rows(1..<11) : "")]")}")
      },
      picture: """
        1-11 · 3 requests, status 0
        page 2 has one object instead of a list. riffle treats it as the only row

        """),
    ReportedFault(
      testDescription: "the same, declared", pagination: paged, rows: "shape = \"object or list\"",
      answer: { number, _ in
        .json("{\"items\": \(number == 2 ? rows(11..<12) : "[\(number == 1 ? rows(1..<11) : "")]")}")
      }, picture: "1-11 · 3 requests, status 0\n"),
    ReportedFault(
      testDescription: "false in place of an empty list", pagination: paged,
      answer: { number, _ in .json(number < 3 ? page(number) : "{\"items\": false}") },
      picture: "1-20 · 3 requests, status 0\n"),
    ReportedFault(
      testDescription: "a prefix before JSON (google/gitiles#22)", pagination: paged,
      answer: { number, _ in .json(")]}'\n" + page(number, of: 2)) }, picture: "1-20 · 3 requests, status 0\n"
    ),
  ]

  /// Faults in header fields.
  static let headers: [ReportedFault] = [
    ReportedFault(
      testDescription: "416 behind the last row (PostgREST/postgrest#2824)",
      pagination: "type = \"offset\"\nparam = \"offset\"\n\(size)", rows: "path = \"$\"",
      answer: { _, request in
        let start = request.number("offset")
        return start >= 20
          ? .status(416, "{}", ("Content-Range", "*/20"))
          : .status(206, "[\(rows(start..<start + 10))]", ("Content-Range", "\(start)-\(start + 9)/20"))
      },
      picture: """
        0-19 · 3 requests, status 0
        the service ended this list with status 416

        """),
    ReportedFault(
      testDescription: "a total behind the slash of Content-Range",
      pagination: "type = \"offset\"\nparam = \"offset\"\n\(size)",
      rows: "path = \"$\"\ntotal = \"header:Content-Range\"",
      answer: { _, request in
        let start = request.number("offset")
        return .status(206, "[\(rows(start..<start + 10))]", ("Content-Range", "\(start)-\(start + 9)/20"))
      }, picture: "0-19 · 2 requests, status 0\n"),
    ReportedFault(
      testDescription: "a wait with decimals (urllib3/urllib3#2861)", pagination: paged,
      answer: { number, request in
        request.number == 1 ? .status(429, "{}", ("Retry-After", "0.2")) : .json(page(number, of: 2))
      }, picture: "1-20 · 4 requests, status 0\n"),
  ]

  /// A next address is all or nothing.
  static let addresses: [ReportedFault] = [
    ReportedFault(
      testDescription: "the address of an inner host (baserow#2286)",
      pagination: link + "\nnext_origin = \"source\"",
      answer: { number, _ in
        .json(page(number, of: 3).replacing("\"/l?", with: "\"http://app.internal:8000/l?"))
      }, picture: "1-30 · 3 requests, status 0\n"),
    ReportedFault(
      testDescription: "the same, not declared", pagination: link,
      answer: { number, _ in
        .json(page(number, of: 3).replacing("\"/l?", with: "\"http://app.internal:8000/l?"))
      },
      picture: """
        1-10 · 1 requests, status 3
        stopped after 10 rows: pagination.next of source src returned a link that leads to another origin, \
        http://app.internal:8000. If that is the same service behind a proxy, set pagination.next_origin = "source"

        """),
    ReportedFault(
      testDescription: "a link without the user's parameter (dandi/dandi-archive#869)", pagination: link,
      arguments: ["--param", "after=0"],
      answer: { number, request in
        request.target.contains("after=0") ? .json(page(number, of: 3)) : .status(400)
      }, picture: "1-30 · 3 requests, status 0\n"),
    ReportedFault(
      testDescription: "a value that means the end (Polymarket/ts-sdk#235)",
      pagination: cursor + "\nend_values = [\"LTE=\"]",
      answer: { number, _ in
        .json(page(number, of: 3).replacing("\"next_cursor\": null", with: "\"next_cursor\": \"LTE=\""))
      }, picture: "1-30 · 3 requests, status 0\n"),
  ]
}

extension ScriptedServer.Request {
  /// A number in the query; 0 if there is none.
  func number(_ name: String) -> Int {
    target.split(whereSeparator: { "?&".contains($0) }).lazy
      .compactMap { $0.hasPrefix("\(name)=") ? Int($0.dropFirst(name.count + 1)) : nil }.first ?? 0
  }
}
