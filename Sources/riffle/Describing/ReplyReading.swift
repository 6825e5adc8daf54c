import Search
import Text

/// Describes to a source's author, line by line, what the source reads from one reply.
struct ReplyReading {
  let lines: [String]
  /// Whether the reply is a valid page and contains everything that the source reads.
  let isRead: Bool

  init(_ page: Page, of source: Source, in reply: HTTPReply, dependencies: Dependencies) {
    let findings = MissingPaths(page, of: source, in: reply).lines
    var facts = [
      ("status", "\(reply.status)"), ("rows", Self.rows(page, source)), ("keys", Self.keys(page)),
      ("total", Self.total(page)), ("next page", Self.next(page.continuation)),
    ]
    facts += page.notes.map { ("note", $0) } + findings.map { ("problem", $0) }
    var lines = ColumnList.lines(facts.map { [$0.0, $0.1] })
    if case .document(let rows) = page.content, !rows.nodes.isEmpty {
      lines +=
        [""] + Preview.lines(rows, of: source, atMost: Self.mostRows, width: 100, dependencies: dependencies)
      if rows.nodes.count > Self.mostRows { lines.append("… and \(rows.nodes.count - Self.mostRows) more") }
    }
    self.lines = lines
    if case .end(.refusedNext) = page.continuation { isRead = false } else { isRead = findings.isEmpty }
  }

  init(_ error: PageError) {
    let facts = [
      ("status", error.status.map { "\($0)" }), ("error", error.message), ("remedy", error.remedy),
      ("retry", Self.retry(error.kind)), ("wait", error.wait.map { "\(Int($0.rounded(.up))) s" }),
    ]
    lines = ColumnList.lines(facts.compactMap { name, text in text.map { [name, $0] } })
    isRead = false
  }

  private static let mostRows = 10

  private static func rows(_ page: Page, _ source: Source) -> String {
    "\(page.rowCount) at \(source.rows.path.map { "\($0)" } ?? "$")"
  }

  private static func keys(_ page: Page) -> String {
    page.keys.isEmpty ? "none: duplicates are detected by page" : "\(Set(page.keys).count) distinct"
  }

  private static func total(_ page: Page) -> String {
    switch page.total {
    case nil: "not reported"
    case .exact(let count)?: Digits.grouped(count)
    case .atLeast(let count)?: "at least \(Digits.grouped(count))"
    case .estimate(let count)?: "about \(Digits.grouped(count))"
    }
  }

  private static func next(_ continuation: Continuation) -> String {
    switch continuation {
    case .next(let position, let evidence): "\(words(for: position.value)) (\(words(for: evidence)))"
    case .end(.last): "none (last page)"
    case .end(.emptyPage): "none (empty page)"
    case .end(.status(let status)): "none (status \(status))"
    case .end(.refusedNext(let why)): "refused: \(why)"
    case .end(let reason): "none (\(reason.name))"
    }
  }

  private static func words(for value: Position.Value) -> String {
    switch value {
    case .start: "the first"
    case .number(let number): "\(number)"
    case .token(let token): token.text ?? token.json
    case .link(let url): "\(url)"
    case .members(let members):
      members.map { "\($0.name)=\($0.value.text ?? $0.value.json)" }.joined(separator: ", ")
    }
  }

  private static func words(for evidence: Evidence) -> String {
    switch evidence {
    case .flag: "the reply reports more pages"
    case .value: "from the reply"
    case .pageCount: "from the page count"
    case .none: "counted, until the total or an empty page"
    case .shortPage: "counted, though the page is short"
    }
  }

  private static func retry(_ kind: PageError.Kind) -> String {
    switch kind {
    case .rateLimited: "after a wait"
    case .unauthorized: "no (exit status 4)"
    case .offline, .connection, .server: "yes"
    case .rejected, .unreadable, .invalidRequest: "no"
    }
  }
}
