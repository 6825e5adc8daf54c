import Config
import FeedbackLoop
import Glibc
import Output
import Pager
import Search
import Terminal
import Text

/// The interactive program: a session on the screen, or a list of sources and the session chosen from it. All
/// input and drawing happen on the calling thread.
package struct Interactive {
  private let request: RequestOptions
  private let dependencies: Dependencies
  private let purpose: PagerRules.Purpose
  private let terminal: TerminalOptions
  private let configuration: Configuration
  private let wake: Wake
  private let clipboard: TerminalClipboard
  private let recording: RecordingFile?
  /// Nil if the user chooses a source from a list.
  private var session: PagerSession?

  /// Performs all checks that can fail before the screen is taken over.
  ///
  /// - Parameter terminal: The options derived from the environment.
  init(
    _ request: RequestOptions, _ dependencies: Dependencies, _ purpose: PagerRules.Purpose,
    _ terminal: TerminalOptions
  ) throws {
    self.dependencies = dependencies
    self.purpose = purpose
    configuration = try Configuration(dependencies, file: request.config, commandLine: request.settingValues)
    var request = request
    request.source = request.source ?? configuration.settings.search.source
    self.request = request
    var terminal = terminal
    terminal.apply(configuration.settings)
    self.terminal = terminal
    let wake = try Wake()
    self.wake = wake
    clipboard = TerminalClipboard { wake() }
    recording = try request.recording(dependencies)
    do { session = try request.source.map { try open($0) } } catch {
      recording?.remove()
      throw error
    }
  }

  /// Notes on the settings, to print before the screen is taken over.
  var notes: [String] { configuration.notes }

  /// - Returns: Why the user interface ended, and the rows chosen in `pick`. The terminal has been restored.
  func run() throws -> (exitReason: LoopExit, choice: Choice?) {
    let tty = try TTY()
    let screenThread = pthread_self()
    // A key is always followed by a redraw; only events from other threads must wake the screen.
    let wakeScreen: @Sendable () -> Void = { [wake] in
      if pthread_equal(pthread_self(), screenThread) == 0 { wake() }
    }
    let stack = SessionStack(
      on: Canvas(size: tty.size, widthModel: .codePoints), now: dependencies.now, clipboard,
      wakeScreen: wakeScreen,
      open: open)
    defer { stack.close() }
    if let session { stack.push(session) } else { stack.push(listOf: listRules) }
    let exitReason = try UILoop.run(
      on: tty, wake: wake, options: terminal, handle: stack.handle, step: stack.step)
    return (exitReason, stack.choice)
  }

  private func open(_ source: String) throws(CommandError) -> PagerSession {
    var request = request
    request.source = source
    return try PagerSession(
      Run(request, dependencies, mode: .interactive, configuration: configuration), dependencies, purpose,
      on: terminal,
      clipboard, recordingIn: recording)
  }

  private var listRules: PagerRules {
    let sources = configuration.catalog.all().entries.map {
      SourceChoice(id: $0.source.id, title: $0.source.title)
    }
    var rules = PagerRules(title: "choose a source")
    rules.purpose = purpose
    rules.sources = sources
    rules.apply(configuration.settings, on: terminal)
    return rules
  }
}

extension Interactive {
  /// Browses until the user quits. Without a terminal, writes the rows as a search for scripts does.
  package static func browse(
    _ request: RequestOptions, _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment),
      dependencies.isOutputTerminal
    else {
      return try Batch.run(request, RowOptions(), FormatOptions(), ReportOptions(), dependencies, message)
    }
    let outcome = try outcome(request, dependencies, .browse, terminal, message, terminalFailure: .failed)
    return RunEnd(outcome.exitReason)
  }

  /// Writes the rows that the user chooses.
  package static func pick(
    _ request: RequestOptions, _ form: FormatOptions, _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment) else {
      throw CommandError(
        "pick needs a terminal: TERM is empty or dumb. Use riffle search, which needs none", .usage)
    }
    if form.output == nil { try Descriptor.requireStandardOutput() }
    let outcome = try outcome(request, dependencies, .pick, terminal, message, terminalFailure: .usage)
    let end = RunEnd(outcome.exitReason)
    guard end == .status(.done) else { return end }
    guard let choice = outcome.choice else { return .canceled }
    var form = form
    form.format = form.namedFormat ?? .standard(isTerminal: false)
    try choice.write(form, dependencies)
    return end
  }

  /// - Parameter terminalFailure: The exit status if there is no usable terminal.
  private static func outcome(
    _ request: RequestOptions, _ dependencies: Dependencies, _ purpose: PagerRules.Purpose,
    _ terminal: TerminalOptions, _ message: Message, terminalFailure: ExitStatus
  ) throws -> (exitReason: LoopExit, choice: Choice?) {
    do {
      let interactive = try Interactive(request, dependencies, purpose, terminal)
      for note in interactive.notes { message.note(note) }
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      return try interactive.run()
    } catch let error as SystemError {
      throw CommandError(error, terminalFailure)
    }
  }
}

/// The result of `pick`.
struct Choice {
  let rows: RowSelection
  let session: PagerSession

  /// Writes the rows. A closed pipe is not a failure.
  fileprivate func write(_ form: FormatOptions, _ dependencies: Dependencies) throws {
    signal(SIGPIPE, SIG_IGN)
    let run = session.prepared
    var writer = try form.writer(for: run.source, run.settings, dependencies)
    let target = try form.target()
    do {
      try writer.write(rows, from: session.reader) { bytes in
        try target.write(bytes)
      }
    } catch let error as Errno {
      if error != .closedPipe { throw CommandError("cannot write output: \(error)", .output) }
    } catch let error as ColumnSelectionError {
      throw CommandError("\(error)", .usage)
    } catch let error as RowReader.Failure {
      throw CommandError("\(error)", .failed)
    }
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
    case .input(.answer), .elapsed, .copied: return nil
    }
  }
}

/// The screens of the program: a list of sources, and above it the session chosen from it. It is confined to
/// the screen's thread.
final class SessionStack {
  private struct Layer {
    let system: PagerSystem
    /// Nil for the list of sources.
    let session: PagerSession?
    let recording: SessionRecording?
  }

  private var layers: [Layer] = []
  private var canvas: Canvas
  private var traits: TerminalTraits?

  private let now: @Sendable () -> Double
  private let clipboard: TerminalClipboard
  private let wakeScreen: @Sendable () -> Void
  private let open: (_ source: String) throws(CommandError) -> PagerSession

  /// - Parameters:
  ///   - now: The time of the run's clock.
  ///   - wakeScreen: Called, on any thread, when the frame may have changed.
  ///   - open: Creates the session of a chosen source.
  init(
    on canvas: Canvas, now: @escaping @Sendable () -> Double, _ clipboard: TerminalClipboard,
    wakeScreen: @escaping @Sendable () -> Void,
    open: @escaping (_ source: String) throws(CommandError) -> PagerSession
  ) {
    self.canvas = canvas
    self.now = now
    self.clipboard = clipboard
    self.wakeScreen = wakeScreen
    self.open = open
  }

  func push(_ session: PagerSession) {
    let (system, recording) = session.start(on: canvas, leadsBack: !layers.isEmpty, wakeScreen: wakeScreen)
    layers.append(Layer(system: system, session: session, recording: recording))
    if let event = traits.flatMap({ PagerEvent(.learned($0)) }) { send(event) }
  }

  func push(listOf rules: PagerRules) {
    layers.append(
      Layer(
        system: .started(with: .choosingSource(rules, canvas: canvas), [.screen(wakeScreen)]), session: nil,
        recording: nil))
  }

  func handle(_ event: UIEvent) {
    switch event {
    case .input: reportTime()
    case .elapsed: send(.ticked(now()))
    case .copied(let id, let isSent): clipboard.noteSent(id, isSent)
    case .learned(let traits):
      self.traits = traits
      clipboard.learn(traits)
    case .resized(let canvas), .resumed(let canvas): self.canvas = canvas
    }
    if let event = PagerEvent(event) { send(event) }
  }

  func step() -> UIStep {
    guard let state = layers.last?.system.state else { return .leave }
    switch state.exitReason {
    case nil:
      var frame = PagerView.frame(state)
      frame.copy = clipboard.current
      return .draw(frame, lasting: state.isAnimated ? Dependencies.tick : nil)
    case .suspend: return .suspend
    case .source(let id): choose(id)
    case .quit where layers.count > 1: goBack()
    case .quit, .accept: return .leave
    }
    return step()
  }

  /// The rows chosen in `pick`; nil if none were chosen.
  var choice: Choice? {
    guard let layer = layers.last, let session = layer.session, layer.system.state.exitReason == .accept
    else {
      return nil
    }
    return Choice(rows: layer.system.state.picked, session: session)
  }

  func close() {
    clipboard.close()
    while !layers.isEmpty { pop() }
  }

  /// Sends the current time if the state's clock is more than a tick behind.
  private func reportTime() {
    guard let state = layers.last?.system.state, now() - state.clock >= Dependencies.tick / .seconds(1) else {
      return
    }
    send(.ticked(now()))
  }

  private func send(_ event: PagerEvent) { layers.last?.system.send(event) }

  private func choose(_ id: String) {
    do throws(CommandError) { push(try open(id)) } catch { send(.refused(error.message)) }
  }

  private func goBack() {
    pop()
    send(.resumed(canvas))
  }

  private func pop() {
    guard let layer = layers.popLast() else { return }
    layer.system.stop()
    layer.session?.prepared.close()
    if let recording = layer.recording { blocking { await recording.finish() } }
  }
}
