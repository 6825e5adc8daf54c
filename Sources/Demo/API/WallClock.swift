import Glibc

/// The time of day.
package enum WallClock {
  /// Whole seconds since 1970.
  package static func seconds() -> Int { time(nil) }
}
