import Config
import FeedbackLoop
import Output
import Pager
import Search
import Terminal
import Text

/// What a session is opened with.
struct SessionRequest {
  /// With what the saved search says.
  var options: RequestOptions
  var search: SavedSearch?
  /// What the command line says about the list.
  var list: ListOptions?
  var columns: String?

  init(_ options: RequestOptions) { self.options = options }
}

/// One source's session: connects the pager's state to the network, the clock, the archive and the user's
/// programs.
struct PagerSession {
  let run: Run
  let request: SessionRequest
  let reader: RowReader
  let dependencies: Dependencies
  let rules: PagerRules
  let clipboard: TerminalClipboard
  let programs: TerminalPrograms
  /// See `Interactive.session`.
  let path: [String]
  /// The sources with a list for each row of this one. Reads the catalog.
  let findChildren: @Sendable () -> [SourceChoice]
  /// All sources and saved searches. Reads the catalog.
  let findSources: @Sendable () -> [SourceChoice]
  let configuration: Configuration

  /// The name in a list of sources: that of the source or, as `@NAME`, of the saved search.
  var name: String { request.search?.word ?? run.source.id }

  /// The title of its tab: the name, and the query unless the name stands for it.
  func title(of state: PagerState) -> String {
    let query = state.session.query.text
    return query.isEmpty || request.search != nil ? name : "\(name) \(query)"
  }

  /// The sources that have rows under a row.
  func children(of row: RowReference, among ids: [String]) throws(CommandError) -> [String] {
    var found: [String] = []
    for id in ids where try self.row(row, asParentOf: try configuration.entry(id).source) != nil {
      found.append(id)
    }
    return found
  }

  /// A row as the parent of rows of a source; nil if it has none (`parent.where`), or no value for their request.
  func row(_ reference: RowReference, asParentOf source: Source) throws(CommandError) -> ParentRow? {
    do throws(RowReader.ReadError) {
      let row = source.parent?.parents(in: try reader.row(reference)).first ?? nil
      return row?.value.isEmpty ?? true ? nil : row
    } catch { throw CommandError("\(error)", .failed) }
  }

  /// - Parameters:
  ///   - leadsBack: Whether the user can go back from here.
  ///   - wakeScreen: Called for every state.
  /// - Returns: A system that has not been started.
  func system(
    on canvas: Canvas, leadsBack: Bool, wakeScreen: @escaping @Sendable () -> Void
  ) -> (system: PagerSystem, details: DetailReader) {
    var rules = rules
    rules.leadsBack = leadsBack
    let columns = RunColumns(columns, adding: rules.list?.names ?? [])
    let initialState = PagerState(
      rules, run.sessionRules(), columns: columns.known, canvas: canvas, query: run.query,
      now: dependencies.now())
    var loader = run.loader()
    loader.keepsTranscripts = true
    let details = DetailReader(
      source: run.source, reader: reader, loader: loader, columns: columns, context: formatContext)
    let system = PagerSystem(
      with: initialState, feedbacks(columns, details) + [.screen(wakeScreen)], dependencies)
    return (system, details)
  }

  /// The source's columns. Values of the parent's row are equal in all rows of a list, so their columns are hidden.
  private var columns: [Column] {
    run.source.columns.map { column in
      var column = column
      if column.name.hasPrefix(Parent.columnPrefix) { column.isHidden = true }
      return column
    }
  }

  private var formatContext: @Sendable () -> FormatContext {
    { [now = dependencies.now, zone = dependencies.zone] in FormatContext(now: now(), zone: zone) }
  }

  private func feedbacks(
    _ columns: RunColumns, _ details: DetailReader
  ) -> [Feedback<PagerState, PagerEvent>] {
    let loader = details.loader
    let settings = run.settings.history
    let history = HistoryFile(
      path: settings.isEnabled ? HistoryFile.path(environment: dependencies.environment) : nil,
      source: run.source.id, size: settings.size)
    let cells = makeCells(columns, formatContext)
    let archive = reader.archive
    let makeContent: RowMapper = { .cells(cells($0, ArchivedRows($0, in: archive))) }
    let session = Feedback.session(total: loader, dependencies) {
      await loader.page(for: $0, makeContent: makeContent)
    }
    let sessionFeedbacks: [Feedback<PagerState, PagerEvent>] = session.map {
      $0.pullback(
        state: { SessionWork(pages: $0.pageRequests, total: $0.totalQuery, alarm: $0.alarm) },
        event: PagerEvent.session)
    }
    return sessionFeedbacks + [
      .debounce(dependencies), .prefix(by: dependencies.clock),
      .timer("watch", at: \.watchDeadline, dependencies) { .watchElapsed($0) },
      .details(by: details, clock: dependencies.clock), .effects(by: effects(history)),
      .history { [dependencies, id = run.source.id] in
        dependencies.found("history of \(id)") { history.queries() }
      },
      .children(findChildren),
      .sources(findSources),
      .recording(by: dependencies.recorder),
      .react(to: { $0.fieldCountRequest }, name: "fields", progress: { _, _ in true }) { [reader] in
        .fieldsCounted(reader.fields(of: $0.rows))
      },
      .react(to: { $0.cellRequest }, name: "cells", progress: { _, _ in true }) { [reader] request in
        columns.add(request.added)
        return .cellsRead(
          request.pages.map { page in
            ReadCells(of: page, reader.rows(of: page).map { cells($0, page.archived) })
          })
      },
    ] + Feedback.orders
  }

  /// Formats rows as cells off the screen's thread.
  private func makeCells(
    _ columns: RunColumns, _ context: @escaping @Sendable () -> FormatContext
  ) -> @Sendable (DocumentRows, ArchivedRows?) -> CellTable {
    let link = run.source.rows.link
    return { rows, archived in
      CellTable(
        rows, columns: columns.columns(for: rows), link: link, context: context(), archived: archived)
    }
  }

  /// The source to keep columns for: its id, or its file if the user named that.
  private var keptSource: String {
    let named = request.options.source.flatMap { try? configuration.entry($0) }
    return named?.source.id == run.source.id ? request.options.source ?? run.source.id : run.source.id
  }

  private func effects(_ history: HistoryFile) -> EffectRunner {
    let clipboard = Clipboard(terminal: clipboard, environment: dependencies.environment)
    return EffectRunner(
      reader: reader, opener: Opener(command: run.settings.opener.command), clipboard: clipboard,
      file: RowFile(
        source: run.source, reader: reader, home: dependencies.environment["HOME"], zone: dependencies.zone,
        settings: run.settings.output),
      history: history,
      columns: ColumnKeeper(source: keptSource, configuration: configuration, clipboard: clipboard),
      isReplay: dependencies.replay != nil,
      programs: ProgramRunner(reader: reader, terminal: programs))
  }
}

typealias PagerSystem = FeedbackSystem<PagerState, PagerEvent>

extension PagerSystem {
  convenience init(
    with state: PagerState, _ feedbacks: [Feedback<PagerState, PagerEvent>], _ dependencies: Dependencies
  ) {
    self.init(
      initialState: state, reduce: { $0.reduce($1) }, feedbacks: feedbacks,
      guard: .session(by: dependencies.clock),
      onTrip: { .tripped("\($0)") }, executor: dependencies.workers)
  }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: an event follows the last edit; each edit cancels the one before it.
  static func debounce(_ dependencies: Dependencies) -> Self {
    let (clock, now) = (dependencies.clock, dependencies.now)
    return .react(to: { $0.debounce }, name: "rest") { request in
      do { try await clock.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit, at: now())
    }
  }

  /// Reports that no key has followed the beginning of a sequence for 400 ms.
  static func prefix(by clock: any Clock<Duration>) -> Self {
    .react(to: { $0.prefix }, name: "prefix") { keys in
      do { try await clock.sleep(for: .milliseconds(400)) } catch { return nil }
      return .prefixRested(keys)
    }
  }

  /// Filters, sorts, searches and summarizes the rows of the list in the background.
  static var orders: [Self] {
    [
      order("order") { $0.orderRequest }, order("search") { $0.searchRequest },
      .react(to: { $0.summaryRequest }, name: "summary", progress: { _, _ in true }) { request in
        await request.run().map { .summarized($0) }
      },
    ]
  }

  private static func order(
    _ name: String, _ request: @escaping @Sendable (PagerState) -> RowOrderRequest?
  ) -> Self {
    .react(to: request, name: name, progress: { _, _ in true }) { (request: RowOrderRequest, emit) in
      await request.run { emit(.ordered($0)) }
    }
  }

  /// Loads the row of the detail popup or the preview, unless the screen reads it itself.
  static func details(by reader: DetailReader, clock: any Clock<Duration>) -> Self {
    .react(
      to: { state in state.readingRequest.flatMap { $0.isQuick ? nil : $0 } }, name: "detail",
      progress: { _, _ in true }
    ) { request in
      if request.delay > .zero { do { try await clock.sleep(for: request.delay) } catch { return nil } }
      return .read(await reader.content(of: request.row, request.part), for: request.identity)
    }
  }

  /// Performs each effect once.
  static func effects(by runner: EffectRunner) -> Self {
    .react(toEach: { $0.effects.started }, name: "effects", progress: { _, _ in true }) { effect, emit in
      let outcome = await runner.outcome(of: effect) { emit(.programPrinted(id: effect.id, $0)) }
      emit(.effectEnded(id: effect.id, outcome))
    }
  }

  /// Loads the queries of previous sessions, once.
  static func history(_ find: @escaping @Sendable () -> [String]) -> Self {
    .bind(name: "history", progress: { _, _ in true }) { _, emit in emit(.historyRead(find())) }
  }

  /// Reports to the user if the recording ends before the session.
  static func recording(by recorder: Recorder?) -> Self {
    .bind(name: "recording", progress: { _, _ in true }) { _, emit in
      if let failure = await recorder?.failure { emit(.warned("recording stopped: \(failure)")) }
    }
  }

  /// Finds the sources with rows under these, once.
  static func children(_ find: @escaping @Sendable () -> [SourceChoice]) -> Self {
    .bind(name: "children", progress: { _, _ in true }) { _, emit in
      let children = find()
      if !children.isEmpty { emit(.childrenFound(children)) }
    }
  }

  /// Looks up the sources, and whether their credentials are there, each time a list of them is opened.
  static func sources(_ find: @escaping @Sendable () -> [SourceChoice]) -> Self {
    .react(to: { $0.overlays.sourcesRequest }, name: "sources", progress: { _, _ in true }) { _ in
      .sourcesFound(find())
    }
  }

  /// Schedules a redraw; `wakeScreen` is called for every state.
  static func screen(_ wakeScreen: @escaping @Sendable () -> Void) -> Self {
    .observe(name: "screen") { _ in wakeScreen() }
  }
}
