import Config
import Glibc
import Pager
import Search
import Terminal
import Text

/// The interactive program: a session on the screen, or a list of sources and the session chosen from it. The
/// calling thread becomes the one thread from key to screen.
struct Interactive {
  let request: RequestOptions
  let world: World
  let purpose: PagerRules.Purpose
  private let setup: Setup
  /// Nil: the user chooses from a list.
  private let session: PagerSession?

  /// Settles everything that can be wrong before the screen is taken.
  init(_ request: RequestOptions, _ world: World, _ purpose: PagerRules.Purpose) throws(Complaint) {
    self.request = request
    self.world = world
    self.purpose = purpose
    setup = try Setup(world, file: request.config, commandLine: request.settingValues)
    session =
      request.source == nil
      ? nil : try PagerSession(PreparedRun(request, world, mode: .interactive), world, purpose)
  }

  struct Outcome {
    /// Why the user interface ended; the terminal is as it was found.
    let departure: Departure
    /// What was chosen by `pick`.
    let choice: Choice?
  }

  func run(_ options: TerminalOptions) throws -> Outcome {
    var options = options
    options.apply(setup.settings)
    let wake = try Wake()
    let tty = try TTY()
    let screenThread = pthread_self()
    // Keys are followed by a drawing anyway; only what other threads reduce must wake the screen.
    let awaken: @Sendable () -> Void = { if pthread_equal(pthread_self(), screenThread) == 0 { wake() } }
    let stack = SessionStack(
      on: Canvas(size: tty.size, widthModel: .codePoints), awaken: awaken, open: open)
    defer { stack.close() }
    if let session { stack.push(session) } else { stack.push(listOf: listRules) }
    let departure = try UILoop.run(
      on: tty, wake: wake, options: options, handle: stack.handle, step: stack.step)
    return Outcome(departure: departure, choice: stack.choice)
  }

  private func open(_ source: String) throws(Complaint) -> PagerSession {
    var request = request
    request.source = source
    return try PagerSession(PreparedRun(request, world, mode: .interactive), world, purpose)
  }

  private var listRules: PagerRules {
    let sources = setup.catalogue.all().entries.map { SourceChoice(id: $0.source.id, title: $0.source.title) }
    return PagerRules(title: "choose a source", purpose: purpose, sources: sources)
  }
}

/// What `pick` was left with.
struct Choice {
  let rows: RowSelection
  let session: PagerSession
}
