import FeedbackLoop
import HTTPValues
import JSON
import Pager
import Terminal
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Tests which part of a session is kept so that it can be recorded after a failure.
@Suite struct RecentEventsTests {
  private let request = PageRequest(
    query: Query("a"), position: Position(ordinal: 0, value: .start), generation: 1)

  private func page(_ bytes: Int) throws -> PagerEvent {
    let document = try JSONDocument(Array("[{\"a\": \"\(String(repeating: "x", count: bytes))\"}]".utf8))
    let rows = DocumentRows(
      reply: ReplyValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/")),
      nodes: Array(document.elements(of: document.rootNode)))
    let table = CellTable(
      rows, columns: [Column(name: "a", value: try ValueExpression(parsing: "a"))], link: nil,
      context: FormatContext(now: 0))
    return .session(.loaded(Page(content: .cells(table), continuation: .end(.last)), for: request))
  }

  private var header: RecordingHeader {
    RecordingHeader(
      source: "a",
      initialState: .pager(
        PagerInitialState(
          rules: PagerRules(title: "a"), session: Session.Rules(first: Position(ordinal: 0, value: .start)),
          columns: [], canvas: Canvas(size: Size(columns: 20, rows: 5), widthModel: .clusters),
          query: Query(),
          now: 0)))
  }

  /// Each entry as `3 key` or `4 page of 1 with 900`.
  private func kept(_ events: [PagerEvent], limit: Int) -> (entries: [String], lost: Int, bare: Int) {
    let recent = RecentEvents(limit: limit)
    for (index, event) in events.enumerated() {
      recent.note(
        EventLog.Entry(sequence: UInt64(index + 1), time: .zero, event: event, origin: .outside))
    }
    let (header, entries, _) = recent.recording(header)
    let texts = entries.map { entry in
      guard case .session(.loaded(let page, _)) = entry.event, case .cells(let cells) = page.content else {
        return "\(entry.sequence) key"
      }
      return "\(entry.sequence) page of \(cells.rowCount) with \(cells.text.count)"
    }
    return (texts, header.lostEvents, header.pagesWithoutTexts)
  }

  @Test func `The texts of the oldest rows are dropped first, then the oldest events.`() throws {
    let events = [PagerEvent.key(Key("j")), try page(900), try page(901), .key(Key("k")), try page(902)]
    let sizes = events.map(RecentEvents.bytes)
    let bareSizes = events.map { RecentEvents.bytes(of: $0.withoutTexts ?? $0) }
    let all = kept(events, limit: sizes.reduce(0, +))
    #expect(
      all.entries == [
        "1 key", "2 page of 1 with 900", "3 page of 1 with 901", "4 key", "5 page of 1 with 902",
      ])
    #expect((all.lost, all.bare) == (0, 0))
    let bare = kept(events, limit: sizes.reduce(0, +) - (sizes[1] - bareSizes[1]) - 1)
    #expect(
      bare.entries == ["1 key", "2 page of 1 with 0", "3 page of 1 with 0", "4 key", "5 page of 1 with 902"])
    #expect((bare.lost, bare.bare) == (0, 2))
    let late = kept(events, limit: bareSizes[2...].reduce(0, +))
    #expect(late.entries == ["3 page of 1 with 0", "4 key", "5 page of 1 with 0"])
    #expect((late.lost, late.bare) == (2, 3))
  }

  @Test func `A position with a secret is known even after the page that led to it was dropped.`() throws {
    let secret = Position(ordinal: 1, value: .link(try WebURL("http://127.0.0.1/?key=k")))
    var page = Page(content: .cells(.empty), continuation: .next(secret, .value))
    page.keptNext = nil
    let recent = RecentEvents(limit: 64)
    recent.note(
      EventLog.Entry(
        sequence: 1, time: .zero, event: .session(.loaded(page, for: request)), origin: .outside))
    let (header, entries, secrets) = recent.recording(header)
    #expect((header.lostEvents, entries.count) == (1, 0))
    #expect(secrets == [secret])
  }

  @Test func `Only the last order of a list and the last order of its search keep their rows.`() throws {
    func order(_ filter: String, rows: Int) throws -> PagerEvent {
      let rows = (0..<rows).map(String.init).joined(separator: ",")
      let text =
        #"{"rules":{"filter":"\#(filter)","visible":[]},"version":1,"rows":[\#(rows)],"keys":[],"covered":9,"isOutline":false}"#
      return .ordered(try JSONDocument(Array(text.utf8)).root.decoded())
    }
    let recent = RecentEvents()
    let events = try [("a", 9), ("s", 2), ("a", 8), ("b", 7), ("s", 1), ("b", 6)].map(order)
    for (index, event) in events.enumerated() {
      recent.note(
        EventLog.Entry(sequence: UInt64(index + 1), time: .zero, event: event, origin: .outside))
    }
    let kept = recent.recording(header).entries.map { entry in
      guard case .ordered(let order) = entry.event else { return "?" }
      return order.isOutline ? order.rules.filter : "\(order.rules.filter) \(order.rows.count)"
    }
    #expect(kept == ["a", "s", "a", "b", "s 1", "b 6"])
  }

  @Test func `[D55] However many events occur, no more than the limit is kept.`() throws {
    let key = PagerEvent.key(Key("j"))
    let size = RecentEvents.bytes(of: key)
    let many = kept(Array(repeating: key, count: 10_000), limit: 1_000 * size)
    #expect((many.entries.count, many.entries.first, many.lost) == (1_000, "9001 key", 9_000))
    #expect(kept([try page(100_000)], limit: 10).entries == [])
  }

  /// A key event takes one entry of the buffer, and no other kind of event makes this entry larger.
  @Test func `[D55] The size of an event includes everything it holds.`() throws {
    let place = MemoryLayout<RecentEvents.Entry>.stride
    #expect(RecentEvents.bytes(of: .key(Key("j"))) == place)
    #expect(place <= 128)
    let text = String(repeating: "x", count: 5_000)
    let page = try page(100_000)
    let reading = #"{"read":{"content":{"failed":{"_0":""}},"for":{"version":1,"row":1}}}"#
    guard
      case .read(_, let identity) = try JSONDocument(Array(reading.utf8)).root.decoded(as: PagerEvent.self)
    else { return }
    for (event, least) in [
      (.pasted(text), 5_000), (.historyRead([text, text]), 10_000), (page, 16_384),
      (
        .read(
          .read(
            fields: [RowDetail.Field(title: "a", text: text)],
            others: [RowDetail.Field(title: "b", text: text)], body: text, json: [text]),
          for: identity),
        20_000
      ),
      (
        .session(.failed(PageError(.server, message: text, remedy: text), for: request, at: Moment(now: 0))),
        10_000
      ),
    ] as [(PagerEvent, Int)] {
      #expect((least...least + 2_048).contains(RecentEvents.bytes(of: event) - place), "at least \(least)")
    }
  }
}
