import Config
import Foundation
import HTTPValues
import Search
import Terminal
import TestSupport
import Testing
import Text

@testable import App
@testable import Pager

/// A session of the pager that a script drives: its keys, its clock and its service. It has no terminal and no network,
/// and nothing waits, so that it shows the same every time. The rest is as in a session of a user: the source, the
/// decisions of the state, and its view.
struct ScriptedSession {
  /// What is on the screen from one moment to the next.
  struct Shot {
    let frame: Frame
    let caption: String
    var seconds: Double
  }

  private(set) var state: PagerState
  private(set) var shots: [Shot] = []
  /// The text below the screen.
  var caption = ""
  /// When the session begins, in seconds since 1970.
  static let start = 1_795_262_400.0

  private var time = start
  private let run: Run
  private let details: DetailReader
  private let file: RowFile
  private var service: MadeUpGitHub
  /// The requests under way, and when each was made.
  private var sent: [(request: PageRequest, at: Double)] = []
  /// What was last typed, and when.
  private var typed: (edit: Int, at: Double) = (0, start)

  /// The seconds that the service takes for a response, and between two frames of what moves by itself.
  private static let (latency, tick) = (0.7, 0.25)

  /// - Parameters:
  ///   - source: The name of a built-in source.
  ///   - theme: The name of a theme.
  ///   - home: The folder that `~` stands for.
  init(
    _ source: String, query: String = "", theme: String, columns: Int, rows: Int, home: String,
    _ service: MadeUpGitHub
  ) throws {
    let environment = [
      "HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor", "RIFFLE_THEME_NAME": theme,
    ]
    var dependencies = try Program.Streams().dependencies(environment: environment)
    dependencies.now = { Self.start }
    let configuration = try Configuration(dependencies)
    var request = try RequestOptions.unset()
    request.source = source
    request.words = query.isEmpty ? [] : [query]
    run = try Run(
      request, of: configuration.entry(source), dependencies, rows: nil, configuration)
    var terminal = try #require(TerminalOptions(environment: environment))
    terminal.apply(configuration.settings)
    let reader = RowReader(archive: ArchiveFile(in: ["/tmp"]).archive)
    details = DetailReader(
      source: run.source, reader: reader, loader: run.loader(), columns: RunColumns(run.source.columns),
      context: { FormatContext(now: Self.start) })
    file = RowFile(
      source: run.source, reader: reader, home: home, zone: .utc, settings: run.settings.output)
    self.service = service
    state = PagerState(
      try run.pagerRules(.browse, zone: .utc, on: terminal), run.sessionRules(), columns: run.source.columns,
      canvas: Canvas(size: Size(columns: columns, rows: rows), widthModel: .clusters), query: run.query,
      now: Self.start)
    askService()
  }

  /// Presses keys in notation, separated by spaces, each for this long.
  mutating func press(_ keys: String, for seconds: Double = 0.35) async throws {
    for key in keys.split(separator: " ") {
      try await reduce(.key(Key(notation: String(key))))
      try await rest(seconds)
    }
  }

  /// Types text at the speed of a hurried user.
  mutating func type(_ text: String) async throws {
    for (index, character) in text.enumerated() {
      try await reduce(.key(Key(character)))
      try await rest(0.07 + 0.03 * Double(index * 5 % 3))
    }
  }

  /// Lets time pass. Everything that is due in it happens, and is shown for as long as it lasts.
  mutating func rest(_ seconds: Double) async throws {
    let end = time + seconds
    while time < end - 0.001 {
      let isAnimated = state.session.phase.isLoading || state.session.phase.isWaiting
      let due =
        [isAnimated ? time + Self.tick : nil, arrival, state.alarm, restAfterTyping].compactMap(\.self)
      let next = due.reduce(end) { min($0, max($1, time + 0.01)) }
      show(next - time)
      time = next
      if isAnimated { try await reduce(.ticked(time)) }
      try await happen()
    }
  }

  /// Lets time pass until nothing is under way.
  mutating func settle() async throws {
    for _ in 0..<200 where !state.session.isSettled { try await rest(Self.tick) }
  }

  private mutating func show(_ seconds: Double) {
    let frame = PagerView.frame(state)
    if let last = shots.last, last.frame == frame, last.caption == caption {
      shots[shots.count - 1].seconds += seconds
    } else {
      shots.append(Shot(frame: frame, caption: caption, seconds: seconds))
    }
  }

  private var arrival: Double? { sent.first.map { $0.at + Self.latency } }

  private var restAfterTyping: Double? {
    state.debounce.map { typed.at + $0.delay / .seconds(1) }
  }

  /// What is due by now.
  private mutating func happen() async throws {
    if let due = restAfterTyping, due <= time + 0.001, let edit = state.debounce?.edit {
      try await reduce(.rested(edit: edit, at: time))
    }
    if let alarm = state.alarm, alarm <= time { try await reduce(.session(.reached(time))) }
    if let due = arrival, due <= time + 0.001 { try await answer(sent.removeFirst()) }
  }

  private mutating func answer(_ asked: (request: PageRequest, at: Double)) async throws {
    let source = run.source
    var context = RunContext(pageSize: run.pageSize, version: "0")
    context.startedAt = Self.start
    let message = try source.request(for: asked.request, in: context)
    let response = try service.response(to: message, sentAt: asked.at, at: time)
    let (now, archive) = (time, details.reader.archive)
    let event: SessionEvent
    do throws(PageError) {
      var page = try source.page(from: response, for: asked.request, in: context) { rows in
        .cells(
          CellTable(
            rows, columns: source.columns, link: source.rows.link, context: FormatContext(now: now),
            archived: ArchivedRows(rows, in: archive)))
      }
      page.exchange = Exchange(
        address: "\(message.url)", status: response.status, bytes: response.body.count, sentAt: asked.at,
        arrivedAt: now)
      event = .loaded(page, for: asked.request)
    } catch {
      event = .failed(error, for: asked.request, at: RetryTiming(now: now))
    }
    try await reduce(.session(event))
  }

  /// Reduces an event, and carries out what the state then asks for.
  private mutating func reduce(_ event: PagerEvent) async throws {
    let edit = state.query.edits
    state.reduce(event)
    if state.query.edits != edit { typed = (state.query.edits, time) }
    for request in [state.orderRequest, state.searchRequest].compactMap(\.self) {
      var orders: [RowOrder] = []
      await request.run { orders.append($0) }
      for order in orders { state.reduce(.ordered(order)) }
    }
    if let reading = state.readingRequest {
      state.reduce(.read(details.content(of: reading.row), for: reading.identity))
    }
    for effect in state.effects.started {
      var outcome = EffectOutcome.done(nil)
      if case .write(let rows, let name) = effect.task { outcome = file.write(rows, to: name) }
      state.reduce(.effectEnded(id: effect.id, outcome))
    }
    askService()
  }

  private mutating func askService() {
    let requests = state.pageRequests
    sent.removeAll { old in !requests.contains(old.request) }
    for request in requests where !sent.contains(where: { $0.request == request }) {
      sent.append((request, time))
    }
  }
}

extension ScreenEmulator {
  /// The screen of a terminal that shows a frame.
  init(_ frame: Frame) {
    self.init(frame.canvas.size, frame.canvas.widthModel)
    write(FrameDiff(colors: .direct, scrolls: false).bytes(from: nil, to: frame))
  }
}
