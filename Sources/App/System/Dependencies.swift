import Demo
import FoundationEssentials
import Glibc
import HTTPTransport
import Locking
import Search
package import Text

/// What a run depends on in the outside world, as values and closures: everything that differs between runs. Two runs
/// in one process with different dependencies do not mix.
package struct Dependencies: Sendable {
  package var environment: [String: String]
  /// The standard streams.
  var input: Descriptor
  package var output: Descriptor
  package var errors: Descriptor
  /// The path of the terminal that the pager uses.
  var terminal = "/dev/tty"
  /// The signals that end the run; empty for a run that does not own its process.
  package var endingSignals: [Int32]
  var ownsProcess: Bool { !endingSignals.isEmpty }
  /// The run's clock: the time of day at the start in seconds since 1970, advancing with `clock`. All waits
  /// use it; times of day reported by a service are converted to it on arrival.
  var now: @Sendable () -> Double
  /// The clock that tasks sleep by.
  var clock: any Clock<Duration>
  /// A random number from 0 to 1.
  var jitter: @Sendable () -> Double
  var zone: LocalZone
  /// Decided again for a command line with `--color`.
  package var colors: CommandColors { CommandColors(colorChoice, self) }
  package var colorChoice = Occasion.auto
  /// The command line without the program's name.
  package var arguments: [String] = []
  /// What the session is recorded by; nil if it is not.
  var recorder: Recorder?
  /// The recording that takes the place of the outside world; nil if this is no replay.
  var replay: Replay?
  /// What responds in place of the network; nil for the network.
  var network: Transport?
  /// The threads of the session's tasks.
  var workers: any TaskExecutor = Workers.shared
  let tokenExchanges = TokenExchanges()
  package let server = EmbeddedServer()

  /// The redraw interval of what changes by itself: a spinner, a countdown, the progress of a run.
  static let tick = Duration.milliseconds(125)

  var retryTiming: @Sendable () -> RetryTiming {
    { [now, jitter] in RetryTiming(now: now(), jitter: jitter()) }
  }
}

extension Dependencies {
  /// Those of the process.
  package static func live() -> Dependencies {
    live(at: TransportConfiguration.timeOfDay(), by: AlarmClock())
  }

  /// - Parameters:
  ///   - start: The time of day, in seconds since 1970.
  ///   - clock: The clock that the run waits by; its time advances with it.
  static func live(at start: Double, by clock: some Clock<Duration>) -> Dependencies {
    let first = clock.now
    return Dependencies(
      environment: ProcessInfo.processInfo.environment, input: Descriptor(STDIN_FILENO),
      output: Descriptor(STDOUT_FILENO), errors: Descriptor(STDERR_FILENO), endingSignals: Signals.ending,
      now: { start + first.duration(to: clock.now) / .seconds(1) }, clock: clock,
      jitter: { Double.random(in: 0...1) }, zone: LocalZone(localOffset))
  }

  /// The local offset at an instant according to `TZ` or the system; 0 for an instant outside the system's
  /// calendar.
  @Sendable private static func localOffset(at instant: Int64) -> Int {
    var instant = time_t(instant)
    var parts = tm()
    return localtime_r(&instant, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
  }
}

/// The embedded API server, started when a source first refers to it, for all sessions of a run. It runs until it is
/// stopped or the process ends.
package final class EmbeddedServer: Sendable {
  private let start = Lock<Task<DemoServer, any Error>?>(nil)

  var baseURL: String {
    get async throws {
      let server = start.withLock { start in
        let task = start ?? Task.detached(executorPreference: Workers.shared) { try await DemoServer.start() }
        start = task
        return task
      }
      return try await server.value.baseURL
    }
  }

  package func stop() async { try? await start.withLock { $0 }?.value.stop() }
}

extension Dependencies {
  /// Prints text on stdout. A closed pipe is not a failure.
  ///
  /// - Returns: That the run is done.
  @discardableResult
  package func print(_ text: String) throws(CommandError) -> RunEnd {
    try requireOutput()
    do { try output.write(Array(text.utf8)) } catch {
      if error != .closedPipe { throw CommandError("cannot write output: \(error)", .output) }
    }
    return .status(.done)
  }

  /// - Throws: If stdout was closed at the start, or cannot be written.
  func requireOutput() throws(CommandError) {
    let mode = fcntl(output.number, F_GETFL)
    if mode < 0 || mode & O_ACCMODE == O_RDONLY { throw CommandError("stdout is closed", .output) }
  }
}
