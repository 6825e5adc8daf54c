import Search
import Text

/// A state as lines of text, for screen readers and terminals without a screen.
package enum LineView {
  /// The text before the line that the user types.
  package static let prompt = "> "
  /// The height of a screen that shows as many rows, which decides how many rows are loaded ahead.
  package static let screenHeight = LineMode.rowCount + 5

  /// What the latest command shows. O(shown rows).
  package static func lines(_ state: PagerState) -> [String] {
    let message = state.messages.current.map { [Sanitized($0.text).string] } ?? []
    if let prompt = state.overlays.prompt { return message.isEmpty ? choices(state, prompt) : message }
    return switch state.lines.shown {
    case .message: message
    case .help: help(state) + message
    case .detail: detail(state) + message
    case .rows: rows(state) + message
    }
  }

  /// Why nothing loads for now; nil if that is not so.
  package static func wait(_ state: PagerState) -> String? {
    state.session.phase.isWaiting ? state.phaseText.notice?.texts.first : nil
  }

  // MARK: Rows

  private static func rows(_ state: PagerState) -> [String] {
    let count = state.list.count
    if count == 0 {
      let text = state.emptyText
      return text.lines.map(\.text).filter { !$0.isEmpty } + commands(text.keys, state)
    }
    let shown = min(state.lines.first, count)..<min(state.lines.first + LineMode.rowCount, count)
    let notice = state.phaseText.notice ?? state.phaseText.outcome
    return shown.map { sentence(ofRowAt: $0, state) } + [place(of: shown, state)]
      + (notice?.texts.first.map { [$0] } ?? []) + commands(notice?.keys ?? [], state)
  }

  /// `(r: retry, s: edit the query)`
  private static func commands(_ hints: [KeyHint], _ state: PagerState) -> [String] {
    let texts = hints.compactMap { state.text(of: $0, in: .table) }
    return texts.isEmpty ? [] : ["(\(texts.joined(separator: ", ")))"]
  }

  /// `3. Name: swift, Stars: 68,000`. Blank cells are left out.
  private static func sentence(ofRowAt position: Int, _ state: PagerState) -> String {
    let number = Digits.grouped(position + 1)
    guard let row = state.list.row(at: position), let (cells, place) = state.list.cells(of: row) else {
      return "\(number)."
    }
    let facts = state.table.shown.compactMap { column -> String? in
      let text = cells.cell(row: place, column: column).string
      return text.isEmpty ? nil : "\(Sanitized(state.table.columns[column].title)): \(text)"
    }
    return "\(number). \(facts.joined(separator: ", "))"
  }

  /// `Rows 1 to 10 of 30 loaded, 644 found`.
  private static func place(of shown: Range<Int>, _ state: PagerState) -> String {
    let (first, last) = (Digits.grouped(shown.lowerBound + 1), Digits.grouped(shown.upperBound))
    let rows = shown.isEmpty ? "No more rows" : shown.count == 1 ? "Row \(first)" : "Rows \(first) to \(last)"
    let loaded = "\(Digits.grouped(state.list.rows.count)) loaded"
    let isFiltered = !state.list.filter.isEmpty
    let matching = isFiltered ? "\(Digits.grouped(state.list.count)) that match, of " : ""
    let found = state.session.total.map { ["\($0.text) found"] } ?? []
    let phase = state.phaseText.word.map { [$0] } ?? []
    return (["\(rows) of \(matching)\(loaded)"] + found + phase).joined(separator: ", ")
  }

  // MARK: One row

  private static func detail(_ state: PagerState) -> [String] {
    var lines = ["Row \(Digits.grouped(state.list.viewport.selection + 1)):"]
    if let failure = state.readDetail?.failure { lines.append(Sanitized(failure).string) }
    guard case .read(let fields, let others, let body, _)? = state.readDetail?.content else { return lines }
    lines += (fields + others).map { "\(Sanitized($0.title)): \(Sanitized($0.text))" }
    let text = body?.split(separator: "\n", omittingEmptySubsequences: false).prefix(DetailLines.maxLines)
    return lines + (text?.map { Sanitized(String($0)).string } ?? [])
  }

  // MARK: Choices and help

  private static let maxChoices = 40

  private static func choices(_ state: PagerState, _ prompt: Prompt) -> [String] {
    let items = PromptList(state, prompt).items
    let kind = prompt.purpose.words.choices ?? "entries"
    if items.isEmpty { return ["No \(kind) match \(prompt.line.text.quotedOnce). Type another name, or q"] }
    let rest = items.count - maxChoices
    return items.prefix(maxChoices).map { Sanitized("\($0.text): \($0.note)").string }
      + (rest > 0 ? ["\(Digits.grouped(rest)) more"] : [])
      + ["Type a name, or words to list the \(kind) that have them, or q"]
  }

  private static func help(_ state: PagerState) -> [String] {
    let isPick = state.rules.purpose == .pick
    return LineCommand.all.filter { isPick || $0.word != "x" }.flatMap { command in
      let typed = command.word.isEmpty ? "Enter" : command.word
      let line = "\(typed)\(command.argument.isEmpty ? "" : " \(command.argument)"): \(command.summary)"
      return command.word.isEmpty ? [line, "N: show all fields of row N"] : [line]
    } + ["Other words, of two or more letters: search for them"]
  }
}

extension PagerState {
  /// Whether nothing is on its way, so that what a command shows can be printed.
  package var isAtRest: Bool {
    !session.phase.isLoading && !session.phase.isWaiting && orderRequest == nil
      && fieldCountRequest == nil && cellRequest == nil
      && readingRequest == nil && effects.requests.isEmpty
      && (overlays.sourcesRequest == nil || sources.found != nil)
  }
}
