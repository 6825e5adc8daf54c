import Search
import Text

/// Messages for the user: the current one on a line until the next key, and all of them in the messages
/// popup.
package struct Messages: Sendable {
  struct Message: Sendable, Hashable {
    let text: String
    let role: Role
    /// A shorter text, for a line that is too narrow.
    var brief: String?
  }

  private static let maxCount = 200
  private(set) var count = 0

  private(set) var all: [Message] = []
  private(set) var current: Message?

  mutating func append(_ text: String, _ role: Role, brief: String? = nil) {
    note(text, role)
    current = all.last
    current?.brief = brief
  }

  /// Adds a message that is already shown elsewhere, possibly truncated, to the popup only.
  mutating func note(_ text: String, _ role: Role) {
    if all.count >= Self.maxCount { all.removeFirst(all.count - Self.maxCount + 1) }
    all.append(Message(text: text, role: role))
    count += 1
  }

  mutating func hide() { current = nil }
}

extension String {
  /// The text in quotation marks, unless it contains some, as a phrase query does.
  var quotedOnce: String { contains("\"") ? self : "\"\(self)\"" }
}

extension PagerState {
  /// - Parameter brief: The message for a narrow screen.
  mutating func notify(_ text: String, _ role: Role = .dim, brief: String? = nil) {
    messages.append(text, role, brief: brief)
  }
}

/// Why an action is unavailable.
extension PagerState {
  /// The reason for actions that need a row; nil if one is selected.
  var missingRowReason: String? {
    if selectedRow != nil { return nil }
    return rows.isEmpty ? "no rows yet" : "no row matches the filter"
  }

  mutating func notifyNoRow() { notify(missingRowReason ?? "no rows yet", .warning) }

  /// The reason for actions that need a query; nil if one was submitted.
  var missingQueryReason: String? {
    session.hasQuery ? nil : "no query yet" + hint("edit-query", "type one")
  }
}

/// A key to press, given by its action, and its effect: `r: retry`.
typealias KeyHint = (action: String, effect: String)

/// Keys in messages.
extension PagerState {
  /// The label of an action's key in a mode; nil if it has none.
  func keyLabel(_ action: String, in mode: Mode) -> String? {
    rules.keyMap.keys(of: action, in: mode).first.map(KeyMap.label)
  }

  /// `r: retry`; nil if the action has no key in the mode.
  func text(of hint: KeyHint, in mode: Mode) -> String? {
    keyLabel(hint.action, in: mode).map { "\($0): \(hint.effect)" }
  }

  /// ` (s: type one)`, to be appended to a message; "" if the action has no key in the mode.
  ///
  /// - Parameter mode: Nil for the current one.
  func hint(_ action: String, _ effect: String, in mode: Mode? = nil) -> String {
    text(of: (action, effect), in: mode ?? self.mode).map { " (\($0))" } ?? ""
  }

  /// `(r: retry, Esc: cancel)`: actions with their keys in the current mode; "" if they have none, and in
  /// popups and prompts.
  func keyHints(_ hints: [KeyHint]) -> String {
    guard overlays.isEmpty || popup != nil && hints.contains(where: { $0.action == "next-match" }) else {
      return ""
    }
    let texts = hints.compactMap { text(of: $0, in: mode) }
    return texts.isEmpty ? "" : "(\(texts.joined(separator: ", ")))"
  }
}

/// How the phase of a session reads: in the notice, in the middle of an empty table, and in the status.
struct PhaseText {
  /// For the status, as named in the manual; nil while nothing is loading.
  var word: String?
  /// A shorter `word`, if there is one.
  var brief: String?
  /// Nil if the rows say more than the phase.
  var notice: Notice?
}

/// What the line above the status says.
struct Notice {
  /// From the longest to the shortest.
  var texts: [String]
  /// What the user can do, the most useful first.
  var keys: [KeyHint] = []
  var role = Role.dim
}

extension PagerState {
  /// The number, from 1, of the page being loaded or waited for, or that failed.
  var pageNumber: Int { (session.currentOrdinal ?? 0) + 1 }

  var phaseText: PhaseText {
    switch session.phase {
    case .idle: PhaseText()
    case .loading(let load): PhaseText(word: "loading", notice: Notice(texts: [spinner + text(of: load)]))
    case .waiting(_, let wait): text(of: wait)
    case .failed(_, let error): text(of: error)
    case .stopped:
      PhaseText(
        word: "stopped",
        notice: Notice(
          texts: ["Stopped"], keys: [("refresh", "retry"), ("edit-query", "edit the query")], role: .warning))
    case .end where session.rows.isEmpty: PhaseText(word: "no results")
    case .end(let reason): text(of: reason)
    }
  }

  /// A frame of the animation with a space; "" without animation.
  var spinner: String {
    let frames = rules.isAccessible ? [] : glyphs.spinner
    return frames.isEmpty ? "" : "\(frames[ticks % frames.count]) "
  }

  private func text(of load: Load) -> String {
    switch load {
    case .first where session.stale == nil: "Loading\(glyphs.busy)"
    case .first: "Searching for \"\(session.query.text)\"\(glyphs.busy)"
    case .more: "Loading page \(pageNumber)\(glyphs.busy)"
    case .refresh: "Refreshing page \(pageNumber)\(glyphs.busy)"
    }
  }

  private func text(of wait: Wait) -> PhaseText {
    let seconds = max(1, Int((wait.until - clock).rounded(.up)))
    let retrying = "Retrying in \(seconds) s"
    let keys: [KeyHint] = [("refresh", "now"), ("cancel", "cancel")]
    func text(_ word: String, _ texts: [String]) -> PhaseText {
      PhaseText(word: word, notice: Notice(texts: texts, keys: keys, role: .warning))
    }
    switch wait.reason {
    case .pacing:
      return text("waiting", ["Waiting \(seconds) s before the next page", "Waiting \(seconds) s"])
    case .retry(let error) where error.kind == .rateLimited:
      return text("rate limited", ["Rate limited: retrying in \(seconds) s", retrying])
    case .retry(let error):
      return text("waiting", failures(error).map { "\($0). \(retrying)" } + [retrying])
    }
  }

  private func text(of error: PageError) -> PhaseText {
    let texts = failures(error)
    let withRemedy = error.remedySentence.map { ["\(texts[0]). \($0)"] } ?? []
    let retry: KeyHint = ("refresh", error.canRepeat == .afterRestart ? "start over" : "retry")
    let notice = Notice(
      texts: (withRemedy + texts + [error.brief.withoutSchemes]).map { glyphs.failure.string + $0 },
      keys: (error.isWorthRepeating ? [retry] : []) + [("edit-query", "edit the query")], role: .error)
    return PhaseText(word: error.kind == .offline ? "offline" : "failed", notice: notice)
  }

  /// `Page 3 failed: 500 Internal Server Error: the service's own words`, and shorter variants.
  private func failures(_ error: PageError) -> [String] {
    let brief = failureText(error)
    return (error.serviceMessage.map { ["\(brief): \($0)"] } ?? []) + [brief, brief.withoutSchemes]
  }

  /// `Page 3 failed: 500 Internal Server Error`, with the time after which it may be retried.
  func failureText(_ error: PageError) -> String {
    let start = "Page \(pageNumber) failed: \(error.brief)"
    guard let until = session.refusedUntil, let wait = error.wait, until > clock else { return start }
    let isToday = wait < 12 * 3600
    let time = isToday ? Timestamp(epoch: until)?.clock(in: rules.zone) : nil
    return "\(start), \(time.map { "retry after \($0)" } ?? "retry in \(DurationText.words(seconds: wait))")"
  }

  private func text(of reason: EndReason) -> PhaseText {
    switch reason {
    case .cap: PhaseText(word: "end: limit of the service")
    case .repeats: PhaseText(word: "end: the service is repeating pages")
    case .emptyPages(let count): PhaseText(word: "end: \(count) empty pages in a row")
    case .maxRows(let count): PhaseText(word: "stopped at \(Digits.grouped(count)) rows (pager.max_rows)")
    case .status(let status): PhaseText(word: "end of results (\(status))", brief: "end (\(status))")
    case .refusedNext: PhaseText(word: "stopped: next page refused")
    case .last, .emptyPage, .total, .limit, .maxPages: PhaseText(word: "end of results", brief: "end")
    }
  }
}

extension PageError {
  /// The remedy as a sentence: `Is the service running on that port?`
  var remedySentence: String? {
    remedy.map { remedy in
      let text = remedy.prefix(1).uppercased() + remedy.dropFirst()
      return text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
    }
  }
}

extension String {
  fileprivate var withoutSchemes: String {
    replacing("https://", with: "").replacing("http://", with: "")
  }
}
