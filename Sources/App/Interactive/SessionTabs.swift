import FeedbackLoop
import Foundation
import Pager
import Search
import Terminal

/// What to show next.
enum SessionTarget {
  /// A source or, as `@NAME`, a saved search, from the list that the program began with.
  case source(name: String)
  /// The same, besides other sessions. What the command line says of a source is not for this one.
  case other(name: String)
  /// The rows of a source that hang under a row; `name` is the text of that row for the title.
  case child(id: String, of: PagerSession, under: RowReference, name: String)
}

/// The tabs of the program. A tab is a stack of screens, each opened from the one below it: a list of sources, the
/// session chosen from it, and sessions of rows under a row. Each keeps its state, and loads, while another is shown. It
/// is confined to the screen's thread.
final class SessionTabs {
  private final class Layer {
    let system: PagerSystem
    /// Nil for the list of sources, as are the following.
    let session: PagerSession?
    let details: DetailReader?

    init(system: PagerSystem, session: PagerSession? = nil, details: DetailReader? = nil) {
      self.system = system
      self.session = session
      self.details = details
    }
  }

  private struct Tab {
    var layers: [Layer] = []
    /// The greatest is that of the tab shown last.
    var shownAt = 0
  }

  private var tabs: [Tab] = []
  private var current = 0
  private var shownCount = 0
  /// The runs of closed screens, whose tokens may still be on their way.
  private var endings: [Task<Void, Never>] = []
  private var canvas: Canvas
  private var traits: TerminalTraits?
  private var isFocused = true
  /// Whether the systems run. They wait for the first frame, which other threads would delay.
  private var hasBegun = false
  /// How far, in seconds, the state's clock may be behind a key. While something waits or loads, it ticks more often.
  private static let inputClockPrecision = 1.0

  private let dependencies: Dependencies
  private let message: Message
  private let clipboard: TerminalClipboard
  private let programs: TerminalPrograms
  private let wakeScreen: @Sendable () -> Void
  private let open: (SessionTarget) throws(CommandError) -> PagerSession

  /// - Parameter wakeScreen: Called, on any thread, when the frame may have changed.
  init(
    on canvas: Canvas, _ dependencies: Dependencies, _ message: Message, _ clipboard: TerminalClipboard,
    _ programs: TerminalPrograms, wakeScreen: @escaping @Sendable () -> Void,
    open: @escaping (SessionTarget) throws(CommandError) -> PagerSession
  ) {
    self.canvas = canvas
    self.dependencies = dependencies
    self.message = message
    self.clipboard = clipboard
    self.programs = programs
    self.wakeScreen = wakeScreen
    self.open = open
  }

  /// Shows one of these sessions, each in a tab of its own.
  func open(_ sessions: [PagerSession], showing shown: Int = 0) {
    // The first frame shows the tabs, of which a system learns by an event.
    if sessions.count > 1 { begin() }
    for session in sessions.reversed() {
      tabs.insert(Tab(), at: 0)
      push(session)
    }
    if tabs.indices.contains(shown) { current = shown }
  }

  func open(listOf rules: PagerRules, _ findSources: @escaping @Sendable () -> [SourceChoice]) {
    let list = PagerState.choosingSource(rules, canvas: canvas)
    let system = PagerSystem(with: list, [.sources(findSources), .screen(wakeScreen)], dependencies)
    tabs.append(Tab(layers: [Layer(system: system)]))
  }

  private func begin() {
    hasBegun = true
    for layer in tabs.flatMap(\.layers) { layer.system.start() }
  }

  func handle(_ event: UIEvent) {
    switch event {
    case .input(let input):
      follow()
      if case .focus(let isFocused) = input { self.isFocused = isFocused }
      let now = dependencies.now()
      // Two clicks within this time are one double click.
      let precision = if case .mouse = input { 0.0 } else { Self.inputClockPrecision }
      if let system = top?.system, system.withState({ now - $0.clock >= precision }) {
        system.send(.ticked(now))
      }
    case .elapsed: send(.ticked(dependencies.now()))
    case .copied(let id, let isSent): clipboard.recordSent(id, isSent)
    case .learned(let traits):
      self.traits = traits
      clipboard.learn(traits)
    case .resized(let canvas), .resumed(let canvas): self.canvas = canvas
    case .shown: begin()
    }
    if let event = PagerEvent(event) { send(event) }
  }

  func step() -> UIStep {
    while let system = systemToDraw {
      switch system.withState(\.exitReason) {
      case nil:
        if let run = programs.next { return .lend(run) }
        // Drawn in place: a copy retains every part of the state. Events of other threads wait meanwhile.
        var (frame, isAnimated) = system.withState { (PagerView.frame($0), $0.isAnimated) }
        frame.copy = clipboard.current
        return .draw(frame, lasting: isAnimated ? Dependencies.tick : nil)
      case .suspend: return .suspend
      case .quit where isOnlyScreen, .quitAll, .accept: return .leave
      // A key that another thread has reduced in the meantime.
      case .quit, .source, .open, .tab, .children, .child: continue
      }
    }
    return .leave
  }

  /// The state of the topmost screen that stays; nil if the user leaves.
  var shownState: PagerState? {
    let state = systemToDraw?.state
    return state?.exitReason == nil ? state : nil
  }

  /// The user typed a line, in a session without a screen.
  ///
  /// - Returns: Whether it was reduced, which another thread may do.
  func enter(line: String) -> () -> Bool {
    guard let system = top?.system else { return { true } }
    let count = system.withState(\.lines.count)
    system.send(.line(line))
    return { system.withState(\.lines.count) > count }
  }

  /// Stops what the shown screen waits for.
  ///
  /// - Returns: False if nothing can be stopped.
  func stop() -> Bool {
    guard let system = top?.system, system.withState(\.canStop) else { return false }
    system.send(.interrupted)
    return true
  }

  /// The rows chosen in `pick`; nil if none were chosen.
  var choice: Choice? {
    guard let layer = top, layer.system.withState({ $0.exitReason == .accept }) else { return nil }
    return layer.session.map { Choice(rows: layer.system.state.picked, session: $0) }
  }

  /// - Parameter isUrgent: Whether tokens in flight are given up.
  func close(isUrgent: Bool) {
    clipboard.close()
    while !tabs.isEmpty {
      current = tabs.count - 1
      while top != nil { pop() }
      tabs.removeLast()
    }
    programs.close(isUrgent: isUrgent)
    if isUrgent { return }
    blocking { [endings, dependencies, message] in
      await dependencies.finishTokenExchanges(message)
      for ending in endings { await ending.value }
    }
  }

  /// What `--restore` shows again: the lowest session of each tab, above which are rows under its rows.
  var saved: SavedTabs {
    let folder = FileManager.default.currentDirectoryPath
    let shown = tabs.enumerated().compactMap { index, tab in
      tab.layers.first { $0.session != nil }.flatMap { layer in
        layer.session.map { (index, SavedTabs.Tab($0, layer.system.state, workingFolder: folder)) }
      }
    }
    return SavedTabs(shown.map(\.1), current: shown.firstIndex { $0.0 == current } ?? 0)
  }

  // MARK: Screens

  private var top: Layer? { tabs.indices.contains(current) ? tabs[current].layers.last : nil }

  private var isOnlyScreen: Bool { tabs.count == 1 && tabs[current].layers.count == 1 }

  private func send(_ event: PagerEvent) { top?.system.send(event) }

  /// Something outside the session failed.
  func warn(_ text: String) { send(.warned(text)) }

  /// Opens and closes screens until the topmost one stays. Called before each key too, so that keys typed ahead reach
  /// the screen they are meant for.
  private func follow() {
    while let system = top?.system {
      switch system.withState(\.exitReason) {
      case .source(let name): push(.source(name: name))
      case .open(let name, let inNewTab): openTab(of: name, isNew: inNewTab)
      case .tab(let index): show(tab: index)
      case .children: openChild(of: system.state, nil)
      case .child(let id): openChild(of: system.state, id)
      case .quit where tabs[current].layers.count > 1:
        pop()
        send(.resumed(canvas))
      case .quit where tabs.count > 1: closeTab()
      case nil, .suspend, .quit, .quitAll, .accept: return
      }
    }
  }

  /// Opens the rows of a source under the selected row, or the one source that has such rows.
  private func openChild(of state: PagerState, _ id: String?) {
    guard let session = top?.session, let row = state.selectedReference else { return send(.resumed(canvas)) }
    do throws(CommandError) {
      var ids = [id].compactMap(\.self)
      if id == nil { ids = try session.children(of: row, among: state.sources.children.map(\.id)) }
      switch ids.count {
      case 0:
        send(.refused("this row has no \(state.sources.children.map(\.title).joined(separator: " or "))"))
      case 1: push(.child(id: ids[0], of: session, under: row, name: state.selectedName))
      default: send(.childSources(state.sources.children.filter { ids.contains($0.id) }))
      }
    } catch { send(.refused(error.message)) }
  }

  private func push(_ target: SessionTarget) {
    do throws(CommandError) { push(try open(target)) } catch { send(.refused(error.message)) }
  }

  private func push(_ session: PagerSession) {
    let leadsBack = !tabs[current].layers.isEmpty
    let (system, details) = session.system(on: canvas, leadsBack: leadsBack, wakeScreen: wakeScreen)
    if hasBegun { system.start() }
    tabs[current].layers.append(Layer(system: system, session: session, details: details))
    sendTraits()
  }

  private func sendTraits() {
    if let event = traits.flatMap({ PagerEvent(.learned($0)) }) { send(event) }
    if !isFocused { send(.focused(false)) }
  }

  private func pop() {
    guard let layer = tabs[current].layers.popLast() else { return }
    layer.system.stop()
    if let run = layer.session?.run {
      endings.append(
        Task.detached(executorPreference: Workers.shared) { [dependencies] in
          await Run.close([run]) { await dependencies.tokenExchanges.finish(by: dependencies.clock) }
        })
    }
  }

  // MARK: Tabs

  /// Shows a source or a saved search in a new tab or, unless it has to be new, in the tab that has it.
  private func openTab(of name: String, isNew: Bool) {
    let known = tabs.firstIndex { tab in tab.layers.contains { $0.session?.name == name } }
    if !isNew, let known { return show(tab: known) }
    do throws(CommandError) {
      let session = try open(.other(name: name))
      tabs.append(Tab())
      show(tab: tabs.count - 1)
      push(session)
    } catch {
      // The list of sources is a key away here.
      let command = ". To list sources, run: riffle sources list"
      send(.refused(error.message.replacing(command, with: "")))
    }
  }

  private func show(tab index: Int) {
    send(.resumed(canvas))
    guard tabs.indices.contains(index) else { return }
    shownCount += 1
    tabs[current].shownAt = shownCount
    current = index
    send(.resumed(canvas))
    if top != nil { sendTraits() }
  }

  /// Closes the tab, and shows the one shown before it.
  private func closeTab() {
    while top != nil { pop() }
    tabs.remove(at: current)
    current = tabs.indices.max { tabs[$0].shownAt < tabs[$1].shownAt } ?? 0
    send(.resumed(canvas))
    sendTraits()
  }

  /// The topmost screen that stays, after it has learned what the tabs are, and what a row says that is quickly read; nil if
  /// none is left.
  private var systemToDraw: PagerSystem? {
    follow()
    guard let layer = top else { return nil }
    let list = tabs.count > 1 ? TabList(tabs.map(Self.entry), current: current) : TabList()
    if layer.system.withState({ $0.tabs != list }) { send(.tabsChanged(list)) }
    if let request = layer.system.withState({ $0.readingRequest }), request.isQuick,
      let details = layer.details
    {
      send(.rowRead(details.content(of: request.row), for: request.identity))
    }
    return layer.system
  }

  private static func entry(of tab: Tab) -> TabList.Tab {
    guard let layer = tab.layers.last, let session = layer.session else {
      return TabList.Tab(title: "sources", status: "")
    }
    let state = layer.system.state
    return TabList.Tab(title: session.title(of: state), status: state.tabStatus)
  }
}

extension PagerEvent {
  /// Nil for an event that does not concern the pager.
  init?(_ event: UIEvent) {
    switch event {
    case .input(.key(let key)): self = .key(key)
    case .input(.paste(let text)): self = .pasted(text)
    case .input(.mouse(let mouse)): self = .mouse(mouse)
    case .input(.focus(let isFocused)): self = .focused(isFocused)
    case .learned(let traits):
      guard let background = traits.background else { return nil }
      self = .background(background)
    case .resized(let canvas): self = .resized(canvas)
    case .resumed(let canvas): self = .resumed(canvas)
    case .input(.answer), .shown, .elapsed, .copied: return nil
    }
  }
}
