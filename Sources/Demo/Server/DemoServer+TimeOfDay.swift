import Glibc

extension DemoServer {
  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Int { time(nil) }
}
