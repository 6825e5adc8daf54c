import Glibc
import Search
import Text

/// The world outside as values and closures: everything that differs from run to run.
struct World: Sendable {
  var environment: [String: String]
  /// The run's clock: the time of day at the start in seconds since 1970, and from then on as `clock` goes. By it waits
  /// are begun, carried out and shown; what a service says in times of day is converted to it when it arrives.
  var now: @Sendable () -> Double
  /// By which tasks sleep.
  var clock: any Clock<Duration>
  /// A random number from 0 to 1.
  var chance: @Sendable () -> Double
  /// The user's clocks.
  var zone: LocalZone
  var isInputTerminal: Bool
  var isOutputTerminal: Bool
  var isErrorTerminal: Bool

  /// How often is shown anew what moves by itself: a spinner, a countdown, how far a run is.
  static let tick = Duration.milliseconds(125)

  /// The time and luck of this moment.
  var moment: @Sendable () -> Moment { { [now, chance] in Moment(now: now(), chance: chance()) } }
}

extension World {
  static func live() -> World {
    let clock = AlarmClock()
    return World(
      environment: environmentVariables(), now: steadyTime(from: timeOfDay(), by: clock), clock: clock,
      chance: { Double.random(in: 0...1) },
      zone: LocalZone(localOffset), isInputTerminal: isatty(STDIN_FILENO) == 1,
      isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1)
  }

  private static func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      if let equals = line.firstIndex(of: "=") {
        variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  /// Counts on evenly from a time, whatever the time of day is set to meanwhile.
  static func steadyTime(from start: Double, by clock: some Clock<Duration>) -> @Sendable () -> Double {
    let origin = clock.now
    return { start + origin.duration(to: clock.now) / .seconds(1) }
  }

  private static func timeOfDay() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// As `TZ` or the system says it, for the instant: 0 for one that the calendar of the system does not have.
  @Sendable private static func localOffset(at instant: Int64) -> Int {
    var instant = time_t(instant)
    var parts = tm()
    return localtime_r(&instant, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
  }
}

extension World {
  /// Columns of the terminal that stdout is; nil when it is none.
  var outputColumns: Int? { columns(of: STDOUT_FILENO) }

  /// Columns of the terminal behind a descriptor; nil when it is none.
  func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
