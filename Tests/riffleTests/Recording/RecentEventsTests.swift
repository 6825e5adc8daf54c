import FeedbackLoop
import Pager
import Search
import Terminal
import Testing
import Text

@testable import riffle

/// What of a session is kept so that it can be recorded after a failure.
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
      beginning: .pager(
        PagerBeginning(
          rules: PagerRules(title: "a"), session: Session.Rules(first: Position(ordinal: 0, value: .start)),
          columns: [], canvas: Canvas(size: Size(columns: 20, rows: 5), widthModel: .clusters),
          query: Query(),
          now: 0)))
  }

  /// `3 key, 4 page of 900` for each entry.
  private func kept(_ events: [PagerEvent], limit: Int) -> (entries: [String], lost: Int, bare: Int) {
    let recent = RecentEvents(limit: limit)
    for (index, event) in events.enumerated() {
      recent.note(
        EventLog.Entry(sequence: UInt64(index + 1), time: .zero, event: event, origin: .outside))
    }
    let (header, entries) = recent.recording(header)
    let texts = entries.map { entry in
      guard case .session(.loaded(let page, _)) = entry.event, case .cells(let cells) = page.content else {
        return "\(entry.sequence) key"
      }
      return "\(entry.sequence) page of \(cells.rowCount) with \(cells.text.count)"
    }
    return (texts, header.lostEvents, header.barePages)
  }

  @Test func `The texts of the oldest rows go first, then the oldest events.`() throws {
    let events = [PagerEvent.key(Key("j")), try page(900), try page(901), .key(Key("k")), try page(902)]
    let all = kept(events, limit: 10_000)
    #expect(
      all.entries == [
        "1 key", "2 page of 1 with 900", "3 page of 1 with 901", "4 key", "5 page of 1 with 902",
      ])
    #expect((all.lost, all.bare) == (0, 0))
    let bare = kept(events, limit: 3_000)
    #expect(
      bare.entries == ["1 key", "2 page of 1 with 0", "3 page of 1 with 0", "4 key", "5 page of 1 with 902"])
    #expect((bare.lost, bare.bare) == (0, 2))
    let late = kept(events, limit: 1_300)
    #expect(late.entries == ["3 page of 1 with 0", "4 key", "5 page of 1 with 0"])
    #expect((late.lost, late.bare) == (2, 3))
  }

  @Test func `However much happens, no more is kept than is allowed.`() throws {
    let key = PagerEvent.key(Key("j"))
    #expect(kept(Array(repeating: key, count: 10_000), limit: 19_200).entries.count == 100)
    #expect(kept([try page(100_000)], limit: 10).entries == [])
  }
}
