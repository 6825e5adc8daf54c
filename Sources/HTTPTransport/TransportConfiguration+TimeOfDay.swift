import Glibc

extension TransportConfiguration {
  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
