import Config
import Glibc
import Pager
import Search
import Terminal
import Text

/// The interactive program: a session on the screen, or a list of sources and the session chosen from it. All
/// input and drawing happen on the calling thread.
struct Interactive {
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

  struct Outcome {
    /// Why the user interface ended; the terminal has been restored.
    let exitReason: LoopExit
    /// The rows chosen in `pick`.
    let choice: Choice?
  }

  func run() throws -> Outcome {
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
    return Outcome(exitReason: exitReason, choice: stack.choice)
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
    var rules = PagerRules(title: "choose a source", purpose: purpose, sources: sources)
    rules.apply(configuration.settings, on: terminal)
    return rules
  }
}

/// The result of `pick`.
struct Choice {
  let rows: RowSelection
  let session: PagerSession
}
