import FeedbackLoop
import Pager
import Search
import Terminal
import Text

extension Feedback where State == PagerState, Event == PagerEvent {
  /// What a session that is looked through after its replay can do: choose, sort and look for rows. What it asks of
  /// the world beside is refused.
  static var ofReplay: [Self] {
    orders + [replayedPages, replayedTotal, replayedAlarm, replayedRows, replayedErrands]
  }

  private static let refusal = "a recording is replayed"

  private static var replayedPages: Self {
    .react(toEach: \.pageRequests, name: "pages", progress: { _, _ in true }) { request in
      let error = PageError(.unaskable, message: "\(refusal): nothing is loaded")
      return .session(.failed(error, for: request, at: Moment(now: 0)))
    }
  }

  private static var replayedTotal: Self {
    .react(to: \.totalQuery, name: "total", progress: { _, _ in true }) {
      .session(.totalled(TotalReply(nil), for: $0))
    }
  }

  /// No wait lasts in a replay; the budget stays as it was told last.
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

  private static var replayedErrands: Self {
    .react(toEach: \.errands, name: "errands", progress: { _, _ in true }) { errand in
      if case .remember = errand.task { return .errandEnded(id: errand.id, .done(nil)) }
      return .errandEnded(id: errand.id, .failed("\(refusal): nothing is opened, copied or written"))
    }
  }
}

extension RowDetail.Content {
  /// A row as far as a recording has it.
  fileprivate init(cellsOf row: RowReference) {
    guard case .cells(let cells) = row.content, !cells.columns.isEmpty else {
      self = .failed("the recording does not hold the texts of this row any more")
      return
    }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(
        title: cells.columns[column].title, text: cells.cell(row: row.row, column: column).string)
    }
    fields.append(RowDetail.Field(title: "Link", text: cells.link(row: row.row)))
    self = .read(
      fields: fields.filter { !$0.text.isEmpty }, body: nil,
      json: ["the recording does not hold the row's JSON"])
  }
}

extension PagerRules {
  /// Takes the colours of who watches; without a usable configuration the usual ones.
  mutating func wear(_ world: World, on terminal: TerminalOptions) {
    var own = PagerRules(title: "")
    if let setup = try? Setup(world) { own.apply(setup.settings, on: terminal) }
    theme = own.theme
    themes = own.themes
  }
}
