import HTTPValues
import JSON
import Testing

@testable import Search

/// Rule 29: rows are never missing from a list that is called complete.
///
/// A list of five pages of two rows each, in every style and with every sign of the end, and what its third page may do
/// instead of what it should.
@Suite struct CompletenessTests {
  @Test
  func `Rule 29: whatever page 3 does, all available rows arrive, and the run reports if more may exist.`()
    throws
  {
    var lines: [String] = []
    for style in Style.allCases {
      for event in Event.allCases {
        let pipe = try style.walk(event, isPipe: true)
        let pager = try style.walk(event, isPipe: false)
        let name = "\(style.rawValue) \(event.rawValue)".padded(23)
        lines.append("\(name) \(pipe)")
        if pager != pipe { lines.append("\("  in the pager".padded(23)) \(pager)") }
      }
    }
    let seen = lines.joined(separator: "\n")
    #expect(seen == Self.table, "\(seen)")
  }

  private static let table = """
    page sound              1-10 · 6 requests · complete
    page empty              1-4 · 3 requests · complete
    page null               1-4 · 3 requests · complete
    page null+error         1-4 · 3 requests · partial: it reported an error: database timeout
    page gone               1-4 · 3 requests · partial: no rows at "items". The response has: data
    page refusal            1-4 · 3 requests · partial: it reported an error: ratelimited
    page {}                 1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    page page 1             1-4 7-10 · 6 requests · unconfirmed: page 3 has the rows of page 1 again
    page page 2             1-4 7-10 · 6 requests · unconfirmed: page 3 has the rows of page 2 again
    page shorter            1-5 7-10 · 6 requests · complete
    page 204                1-4 · 3 requests · complete
    page no body            1-4 · 3 requests · partial: it returned an empty response
    page 500                1-4 · 3 requests · partial: it returned 500 Internal Server Error
    page cut off            1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    page+total sound        1-10 · 5 requests · complete
    page+total empty        1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    page+total null         1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    page+total null+error   1-4 · 3 requests · partial: it reported an error: database timeout
    page+total gone         1-4 · 3 requests · partial: no rows at "items". The response has: data, total
    page+total refusal      1-4 · 3 requests · partial: it reported an error: ratelimited
    page+total {}           1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    page+total page 1       1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    page+total page 2       1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    page+total shorter      1-5 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 9
    page+total 204          1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    page+total no body      1-4 · 3 requests · partial: it returned an empty response
    page+total 500          1-4 · 3 requests · partial: it returned 500 Internal Server Error
    page+total cut off      1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    page+more sound         1-10 · 5 requests · complete
    page+more empty         1-4 7-10 · 5 requests · complete
    page+more null          1-4 7-10 · 5 requests · complete
    page+more null+error    1-4 · 3 requests · partial: it reported an error: database timeout
    page+more gone          1-4 · 3 requests · partial: no rows at "items". The response has: data, more
    page+more refusal       1-4 · 3 requests · partial: it reported an error: ratelimited
    page+more {}            1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    page+more page 1        1-4 7-10 · 5 requests · unconfirmed: page 3 has the rows of page 1 again
    page+more page 2        1-4 7-10 · 5 requests · unconfirmed: page 3 has the rows of page 2 again
    page+more shorter       1-5 7-10 · 5 requests · complete
    page+more 204           1-4 · 3 requests · partial: the response has no rows, and does not say whether m
    page+more no body       1-4 · 3 requests · partial: it returned an empty response
    page+more 500           1-4 · 3 requests · partial: it returned 500 Internal Server Error
    page+more cut off       1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    page+pages sound        1-10 · 5 requests · complete
    page+pages empty        1-4 7-10 · 5 requests · complete
    page+pages null         1-4 7-10 · 5 requests · complete
    page+pages null+error   1-4 · 3 requests · partial: it reported an error: database timeout
    page+pages gone         1-4 · 3 requests · partial: no rows at "items". The response has: data, pages
    page+pages refusal      1-4 · 3 requests · partial: it reported an error: ratelimited
    page+pages {}           1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    page+pages page 1       1-4 7-10 · 5 requests · unconfirmed: page 3 has the rows of page 1 again
    page+pages page 2       1-4 7-10 · 5 requests · unconfirmed: page 3 has the rows of page 2 again
    page+pages shorter      1-5 7-10 · 5 requests · complete
    page+pages 204          1-4 7-10 · 5 requests · complete
    page+pages no body      1-4 · 3 requests · partial: it returned an empty response
    page+pages 500          1-4 · 3 requests · partial: it returned 500 Internal Server Error
    page+pages cut off      1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    offset sound            1-10 · 6 requests · complete
    offset empty            1-4 · 3 requests · complete
    offset null             1-4 · 3 requests · complete
    offset null+error       1-4 · 3 requests · partial: it reported an error: database timeout
    offset gone             1-4 · 3 requests · partial: no rows at "items". The response has: data
    offset refusal          1-4 · 3 requests · partial: it reported an error: ratelimited
    offset {}               1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    offset page 1           1-4 7-10 · 6 requests · unconfirmed: page 3 has the rows of page 1 again
    offset page 2           1-4 7-10 · 6 requests · unconfirmed: page 3 has the rows of page 2 again
    offset shorter          1-10 · 7 requests · complete
    offset 204              1-4 · 3 requests · complete
    offset no body          1-4 · 3 requests · partial: it returned an empty response
    offset 500              1-4 · 3 requests · partial: it returned 500 Internal Server Error
    offset cut off          1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    offset+total sound      1-10 · 5 requests · complete
    offset+total empty      1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    offset+total null       1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    offset+total null+error 1-4 · 3 requests · partial: it reported an error: database timeout
    offset+total gone       1-4 · 3 requests · partial: no rows at "items". The response has: data, total
    offset+total refusal    1-4 · 3 requests · partial: it reported an error: ratelimited
    offset+total {}         1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    offset+total page 1     1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    offset+total page 2     1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    offset+total shorter    1-5 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 9
    offset+total 204        1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8
    offset+total no body    1-4 · 3 requests · partial: it returned an empty response
    offset+total 500        1-4 · 3 requests · partial: it returned 500 Internal Server Error
    offset+total cut off    1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    cursor sound            1-10 · 5 requests · complete
    cursor empty            1-4 7-10 · 5 requests · complete
    cursor null             1-4 7-10 · 5 requests · complete
    cursor null+error       1-4 · 3 requests · partial: it reported an error: database timeout
    cursor gone             1-4 · 3 requests · partial: no rows at "items". The response has: data, next
    cursor refusal          1-4 · 3 requests · partial: it reported an error: ratelimited
    cursor {}               1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    cursor page 1           1-4 · 3 requests · partial: the service returned page 1 again
    cursor page 2           1-4 · 3 requests · partial: the service returned page 2 again
    cursor shorter          1-5 7-10 · 5 requests · complete
    cursor 204              1-4 · 3 requests · unconfirmed: page 3 has no rows and no longer says whether a page follows
    cursor no body          1-4 · 3 requests · partial: it returned an empty response
    cursor 500              1-4 · 3 requests · partial: it returned 500 Internal Server Error
    cursor cut off          1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    keyset sound            1-10 · 6 requests · complete
    keyset empty            1-4 · 3 requests · complete
    keyset null             1-4 · 3 requests · complete
    keyset null+error       1-4 · 3 requests · partial: it reported an error: database timeout
    keyset gone             1-4 · 3 requests · partial: no rows at "items". The response has: data
    keyset refusal          1-4 · 3 requests · partial: it reported an error: ratelimited
    keyset {}               1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    keyset page 1           1-4 · 3 requests · partial: the service returned page 1 again
    keyset page 2           1-4 · 3 requests · partial: the service returned page 2 again
    keyset shorter          1-10 · 7 requests · complete
    keyset 204              1-4 · 3 requests · complete
    keyset no body          1-4 · 3 requests · partial: it returned an empty response
    keyset 500              1-4 · 3 requests · partial: it returned 500 Internal Server Error
    keyset cut off          1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    link sound              1-10 · 5 requests · complete
    link empty              1-4 7-10 · 5 requests · complete
    link null               1-4 7-10 · 5 requests · complete
    link null+error         1-4 · 3 requests · partial: it reported an error: database timeout
    link gone               1-4 · 3 requests · partial: no rows at "items". The response has: data, next
    link refusal            1-4 · 3 requests · partial: it reported an error: ratelimited
    link {}                 1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    link page 1             1-4 · 3 requests · partial: the service returned page 1 again
    link page 2             1-4 · 3 requests · partial: the service returned page 2 again
    link shorter            1-5 7-10 · 5 requests · complete
    link 204                1-4 · 3 requests · unconfirmed: page 3 has no rows and no longer says whether a page follows
    link no body            1-4 · 3 requests · partial: it returned an empty response
    link 500                1-4 · 3 requests · partial: it returned 500 Internal Server Error
    link cut off            1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    header sound            1-10 · 5 requests · complete
    header empty            1-4 7-10 · 5 requests · complete
    header null             1-4 7-10 · 5 requests · complete
    header null+error       1-4 · 3 requests · partial: it reported an error: database timeout
    header gone             1-4 · 3 requests · partial: no rows at "items". The response has: data
    header refusal          1-4 · 3 requests · partial: it reported an error: ratelimited
    header {}               1-4 · 3 requests · partial: no rows at "items". The response has: nothing
    header page 1           1-4 · 3 requests · partial: the service returned page 1 again
    header page 2           1-4 · 3 requests · partial: the service returned page 2 again
    header shorter          1-5 7-10 · 5 requests · complete
    header 204              1-4 7-10 · 5 requests · complete
    header no body          1-4 7-10 · 5 requests · complete
    header 500              1-4 · 3 requests · partial: it returned 500 Internal Server Error
    header cut off          1-4 · 3 requests · partial: it returned incomplete JSON (26 bytes, no content ty
    """
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// The kind of the third page.
private enum Event: String, CaseIterable {
  case sound, empty, null, nullAndError = "null+error", gone, refusal, emptyObject = "{}"
  case page1 = "page 1", page2 = "page 2", shorter, noContent = "204", noBody = "no body", failure = "500"
  case cutOff = "cut off"
}

private enum Style: String, CaseIterable {
  case page, total = "page+total", more = "page+more", pages = "page+pages", offset, asked = "offset+total"
  case cursor, keyset, link, header

  private var settings: PaginationSettings {
    get throws {
      var settings = PaginationSettings(into: .query("p"))
      switch self {
      case .page, .total, .offset: break
      case .more: settings.more = try expression("more")
      case .pages: settings.pages = try expression("pages")
      case .asked:
        settings.own["advance"] = .word("asked")
        settings.size.standard = 2
      case .cursor: settings.next = try expression("next")
      case .keyset: settings.next = try expression("items[-1].id")
      case .link:
        settings.into = nil
        settings.next = try expression("next")
      case .header:
        settings.into = nil
        settings.next = try expression("link:next")
      }
      return settings
    }
  }

  private var source: Source {
    get throws {
      let type: any PaginationStyle.Type =
        switch self {
        case .page, .total, .more, .pages: PagePagination.self
        case .offset, .asked: OffsetPagination.self
        case .cursor, .keyset: CursorPagination.self
        case .link, .header: LinkPagination.self
        }
      return try listSource(type, try settings)
    }
  }

  private var hasTotal: Bool { self == .total || self == .asked }

  /// The number of the first row on the requested page, from 0.
  private func start(of request: HTTPRequest) -> Int {
    guard let value = request.number("p") else { return 0 }
    return switch self {
    case .offset, .asked, .keyset: value
    case .page, .total, .more, .pages, .cursor, .link, .header: (value - 1) * 2
    }
  }

  private func answer(_ start: Int, _ event: Event) -> PagingRun.Answer {
    let (number, isThird) = (start / 2 + 1, start == 4)
    let ids =
      switch event {
      case .page1 where isThird: [1, 2]
      case .page2 where isThird: [3, 4]
      case .shorter where isThird: [5]
      case .empty where isThird: [Int]()
      default: Array((start + 1)..<(start + 3)).filter { $0 <= 10 }
      }
    let hasNext = number < 5
    let next = self == .link ? "\"/list?p=\(number + 1)\"" : "\"\(number + 1)\""
    let signs = [
      hasTotal ? "\"total\": 10" : nil, self == .more ? "\"more\": \(hasNext)" : nil,
      self == .pages ? "\"pages\": 5" : nil,
      self == .cursor || self == .link ? "\"next\": \(hasNext ? next : "null")" : nil,
    ].compactMap(\.self)
    let links = self == .header && hasNext ? [("Link", "</list?p=\(number + 1)>; rel=\"next\"")] : []
    func response(_ members: [String], status: Int = 200) -> PagingRun.Answer {
      .init(status: status, body: "{\(members.joined(separator: ", "))}", headers: links)
    }
    guard isThird else { return .init(ids, signs, links) }
    return switch event {
    case .sound, .empty, .page1, .page2, .shorter: .init(ids, signs, links)
    case .null: response(["\"items\": null"] + signs)
    case .nullAndError: response(["\"items\": null", "\"error\": \"database timeout\""] + signs)
    case .gone: response(["\"data\": []"] + signs)
    case .refusal: .init(body: #"{"ok": false, "error": "ratelimited"}"#)
    case .emptyObject: .init(body: "{}")
    case .noContent: .init(status: 204, body: "", headers: links)
    case .noBody: .init(body: "", headers: links)
    case .failure: .init(status: 500, body: "{}")
    case .cutOff: .init(body: #"{"items": [{"id": 5}, {"id"#)
    }
  }

  /// `1-4 7-10 · 6 requests · unconfirmed: the service reports 10 rows but returned 8`
  func walk(_ event: Event, isPipe: Bool) throws -> String {
    var run = PagingRun(
      try source, size: 2,
      rules: {
        $0.awaitsWriting = isPipe
        $0.maxEmptyPages = isPipe ? 100 : 3
      }, service: { self.answer(self.start(of: $0), event) })
    let rows = try run.loadAll()
    let completeness =
      switch run.session.completeness {
      case .complete?: "complete"
      case .unconfirmed(let reason)?: "unconfirmed: \(reason)"
      case .partial(let reason)?:
        "partial: \(reason.replacing(/https:..api.example.org(.list)?/, with: "it").prefix(52))"
      case nil: "loading"
      }
    return "\(Self.ranges(rows)) · \(run.requested.count) requests · \(completeness)"
  }

  private static func ranges(_ ids: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for id in ids {
      if let last = ranges.last, last.upperBound == id - 1 {
        ranges[ranges.count - 1] = last.lowerBound...id
      } else {
        ranges.append(id...id)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: " ")
  }
}

extension PagingRun.Answer {
  fileprivate init(_ ids: [Int], _ signs: [String], _ headers: [(String, String)]) {
    self.init(ids, signs.joined(separator: ", "))
    self.headers = headers
  }
}

extension PagingRun {
  /// Loads everything, and writes each page as soon as it is there if the run awaits that.
  ///
  /// - Returns: The rows, written or shown.
  mutating func loadAll(pick: (Int) -> Int = { _ in 0 }) throws -> [Int] {
    session.reduce(.searched(Query("x"), .everything))
    return try continueAll(pick: pick)
  }

  /// Goes on until nothing is requested and everything is written.
  mutating func continueAll(pick: (Int) -> Int = { _ in 0 }) throws -> [Int] {
    var written: [Int] = []
    try settle(pick: pick)
    guard session.rules.awaitsWriting else { return ids }
    while let page = try writePage(pick: pick) { written += page.ids }
    return written
  }

  /// Writes the next page, and goes on; nil if there is none.
  mutating func writePage(
    pick: (Int) -> Int = { _ in 0 }
  ) throws -> (ids: [Int], block: RowStore.Block)? {
    guard let (ordinal, block) = session.unwritten else { return nil }
    session.reduce(.written(ordinal, generation: session.generation))
    try settle(pick: pick)
    return (block.ids, block)
  }
}

extension RowStore.Block {
  /// The ids of the kept rows; empty without a document.
  var ids: [Int] {
    guard case .document(let rows)? = content else { return [] }
    return kept.compactMap { index in
      let row = JSONValue(document: rows.response.document, node: rows.nodes[Int(index)])
      return row["id"]?.numberText.flatMap { Int($0) }
    }
  }
}
