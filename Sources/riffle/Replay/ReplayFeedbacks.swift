import FeedbackLoop
import Pager
import Search
import Terminal
import Text

extension Feedback where State == PagerState, Event == PagerEvent {
  /// The feedbacks available after a replay: filter, sort and search rows. All other effects are refused.
  static var ofReplay: [Self] {
    orders + [replayedPages, replayedTotal, replayedAlarm, replayedRows, replayedEffects]
  }

  private static let refusal = "this is a replay"

  private static var replayedPages: Self {
    .react(toEach: \.pageRequests, name: "pages", progress: { _, _ in true }) { request in
      let error = PageError(.invalidRequest, message: "\(refusal): nothing is loaded")
      return .session(.failed(error, for: request, at: Moment(now: 0)))
    }
  }

  private static var replayedTotal: Self {
    .react(to: \.totalQuery, name: "total", progress: { _, _ in true }) {
      .session(.totalReceived(TotalReply(nil), for: $0))
    }
  }

  /// A replay never waits; the budget stays at its last recorded value.
  private static var replayedAlarm: Self {
    .react(to: { $0.session.phase.isWaiting ? $0.alarm : nil }, name: "alarm", progress: { _, _ in true }) {
      .session(.reached($0))
    }
  }

  private static var replayedRows: Self {
    .react(to: \.readingRequest, name: "detail", progress: { _, _ in true }) {
      .read(RowDetail.Content(cellsOf: $0.row), for: $0.identity)
    }
  }

  private static var replayedEffects: Self {
    .react(toEach: \.effects, name: "effects", progress: { _, _ in true }) { effect in
      if case .remember = effect.task { return .effectEnded(id: effect.id, .done(nil)) }
      return .effectEnded(id: effect.id, .failed("\(refusal): nothing is opened, copied or written"))
    }
  }
}

extension RowDetail.Content {
  /// Creates the row's document from the cells of a recording.
  fileprivate init(cellsOf row: RowReference) {
    guard case .cells(let cells) = row.content, !cells.columns.isEmpty else {
      self = .failed("the recording no longer contains the text of this row")
      return
    }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(
        title: cells.columns[column].title, text: cells.cell(row: row.row, column: column).string)
    }
    fields.append(RowDetail.Field(title: "Link", text: cells.link(row: row.row)))
    self = .read(
      fields: fields.filter { !$0.text.isEmpty }, body: nil,
      json: ["the recording does not contain the row's JSON"])
  }
}

extension PagerRules {
  /// Applies the colors of the viewer's configuration, or the defaults if that is invalid.
  mutating func apply(_ dependencies: Dependencies, on terminal: TerminalOptions) {
    var own = PagerRules(title: "")
    if let configuration = try? Configuration(dependencies) {
      own.apply(configuration.settings, on: terminal)
    }
    theme = own.theme
    themes = own.themes
  }
}
