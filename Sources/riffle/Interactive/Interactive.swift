import FeedbackLoop
import Glibc
import Pager
import Search
import Terminal
import Text

/// The interactive session: joins the pager's state to the network, the clock and the terminal. The
/// calling thread becomes the one thread from key to screen.
struct Interactive {
  let prepared: PreparedRun
  let world: World
  let options: TerminalOptions

  /// - Returns: why the user interface ended; the terminal is as it was found.
  func run() throws -> Departure {
    let wake = try Wake()
    let tty = try TTY()
    let system = FeedbackSystem(
      initialState: initialState(), reduce: { $0.reduce($1) }, feedbacks: feedbacks(wake),
      onTrip: { .tripped("\($0)") })
    defer { system.stop() }
    system.start()
    return try UILoop.run(
      on: tty, wake: wake, options: options, handle: { handle($0, system) }, step: { step(system.state) })
  }

  private func initialState() -> PagerState {
    PagerState(
      rules: prepared.pagerRules(utcOffset: world.utcOffset),
      session: Session(rules: prepared.sessionRules()),
      columns: prepared.source.columns,
      canvas: Canvas(size: Size(columns: 80, rows: 24), widthModel: .codePoints), query: prepared.query,
      now: world.now())
  }

  private func feedbacks(_ wake: Wake) -> [Feedback<PagerState, PagerEvent>] {
    let screenThread = pthread_self()
    return [
      .pages(from: prepared.loader(), makeContent: makeCells(), moment: world.moment),
      .total(from: prepared.loader()), .waits(now: world.now),
      .rest,
      .ticks(now: world.now),
      // Keys are followed by a drawing anyway; only what other threads reduce must wake the screen.
      .observe(name: "screen") { _ in if pthread_equal(pthread_self(), screenThread) == 0 { wake() } },
    ]
  }

  /// Rows become cells off the screen's thread; the reply itself is not kept.
  private func makeCells() -> ContentMaker {
    let source = prepared.source
    let utcOffset = world.utcOffset
    let now = world.now
    let settled = SettledColumns(source.columns)
    return { rows in
      let columns = settled.columns(for: rows)
      let context = FormatContext(now: now(), utcOffset: utcOffset)
      return .cells(CellTable(rows, columns: columns, link: source.rows.link, context: context))
    }
  }

  private func handle(_ event: UIEvent, _ system: FeedbackSystem<PagerState, PagerEvent>) {
    switch event {
    case .input(.key(let key)): system.send(.key(key))
    case .input(.paste(let text)): system.send(.pasted(text))
    case .input(.mouse), .input(.focus), .input(.answer): break
    case .resized(let canvas): system.send(.resized(canvas))
    case .resumed(let canvas): system.send(.resumed(canvas))
    }
  }

  private func step(_ state: PagerState) -> UIStep {
    switch state.departure {
    case .quit, .accept, .source: .leave
    case .suspend: .suspend
    case nil: .draw(PagerView.frame(state))
    }
  }
}
