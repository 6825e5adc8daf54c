import Glibc
import HTTPTransport
import Search
import Text

/// The process's dependencies on the outside world, as values and closures: everything that differs between
/// runs.
package struct Dependencies: Sendable {
  package var environment: [String: String]
  /// The run's clock: the time of day at the start in seconds since 1970, advancing with `clock`. All waits
  /// use it; times of day reported by a service are converted to it on arrival.
  var now: @Sendable () -> Double
  /// The clock that tasks sleep by.
  var clock: any Clock<Duration>
  /// A random number from 0 to 1.
  var jitter: @Sendable () -> Double
  var zone: LocalZone
  var isInputTerminal: Bool
  var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  let tokenExchanges = TokenExchanges()

  /// The redraw interval of what changes by itself: a spinner, a countdown, the progress of a run.
  static let tick = Duration.milliseconds(125)

  var moment: @Sendable () -> Moment { { [now, jitter] in Moment(now: now(), jitter: jitter()) } }
}

extension Dependencies {
  package static func live() -> Dependencies {
    live(at: TransportConfiguration.timeOfDay(), by: AlarmClock())
  }

  /// - Parameters:
  ///   - start: The time of day, in seconds since 1970.
  ///   - clock: The clock that the run waits by; its time advances with it.
  static func live(at start: Double, by clock: some Clock<Duration>) -> Dependencies {
    let first = clock.now
    return Dependencies(
      environment: environmentVariables(), now: { start + first.duration(to: clock.now) / .seconds(1) },
      clock: clock, jitter: { Double.random(in: 0...1) }, zone: LocalZone(localOffset),
      isInputTerminal: isatty(STDIN_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1)
  }

  private static func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      if let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(line[..<equals])] = String(line[line.utf8.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  /// The local offset at an instant according to `TZ` or the system; 0 for an instant outside the system's
  /// calendar.
  @Sendable private static func localOffset(at instant: Int64) -> Int {
    var instant = time_t(instant)
    var parts = tm()
    return localtime_r(&instant, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
  }
}

extension Dependencies {
  /// The width of the terminal on a descriptor; nil if it is not a terminal.
  func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
