import Search
import Text

/// What a source reads from one reply, in lines for its author.
struct ReplyReading {
  let lines: [String]
  let isRead: Bool

  init(_ page: Page, of source: Source, status: Int, world: World) {
    var facts = [
      ("status", "\(status)"), ("rows", Self.rows(page, source)), ("total", Self.total(page, source)),
      ("next", Self.next(page.continuation)),
    ]
    facts += page.notes.map { ("note", $0) }
    var lines = Self.aligned(facts)
    if case .document(let rows) = page.content, !rows.nodes.isEmpty {
      lines += [""] + Preview.lines(rows, of: source, atMost: Self.mostRows, width: 100, world: world)
      if rows.nodes.count > Self.mostRows { lines.append("… and \(rows.nodes.count - Self.mostRows) more") }
    }
    self.lines = lines
    if case .end(.refusedNext) = page.continuation { isRead = false } else { isRead = true }
  }

  init(_ error: PageError, of source: Source) {
    let facts = [
      ("status", error.status.map { "\($0)" }), ("error", error.message), ("remedy", error.remedy),
      ("kind", Self.kind(error.kind)), ("wait", error.wait.map { "\($0) s" }),
    ]
    lines = Self.aligned(facts.compactMap { name, text in text.map { (name, $0) } })
    isRead = false
  }

  private static let mostRows = 10

  private static func aligned(_ facts: [(name: String, text: String)]) -> [String] {
    Columns.lines(facts.map { [$0.name, $0.text] })
  }

  private static func rows(_ page: Page, _ source: Source) -> String {
    let place = source.rows.path.map { "\($0)" } ?? "$"
    let key =
      page.keys.isEmpty
      ? "no key, so pages are told apart as a whole" : "\(Set(page.keys).count) keys"
    return "\(page.rowCount) at \(place), \(key)"
  }

  private static func total(_ page: Page, _ source: Source) -> String {
    guard let total = page.total else {
      return source.rows.total == nil ? "not told by this source" : "not in this reply"
    }
    if case .exact(let count) = total { return Digits.grouped(count) }
    return "\(Digits.grouped(total.count)) (not exact)"
  }

  private static func next(_ continuation: Continuation) -> String {
    switch continuation {
    case .next(let position, let evidence): "\(place(position.value)) (by \(word(evidence)))"
    case .end(.refusedNext(let why)): "refused: \(why)"
    case .end(let reason): "the list ends: \(reason.name)"
    }
  }

  private static func place(_ value: Position.Value) -> String {
    switch value {
    case .number(let number): "\(number)"
    case .token(let token): token.text ?? token.json
    case .link(let url): "\(url)"
    default: "\(value)"
    }
  }

  private static func word(_ evidence: Evidence) -> String {
    evidence == .none ? "counting on; the total or an empty page ends the list" : "a sign in the reply"
  }

  private static func kind(_ kind: PageError.Kind) -> String {
    switch kind {
    case .rateLimited: "rate limited: waited for"
    case .unauthorized: "not authorised: status 4"
    case .offline, .connection, .server: "asked again"
    case .rejected, .unreadable, .unaskable: "final"
    }
  }
}
