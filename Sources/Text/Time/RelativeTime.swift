/// The distance of an instant from now in one unit: "just now", "45 s ago", "5 min ago", "2 h ago", "in 3 d",
/// "5 mo ago", "2 y ago". "min" and "mo" are easy to distinguish.
package enum RelativeTime {
  private static let minute: UInt64 = 60
  private static let hour = 60 * minute
  private static let day = 24 * hour

  /// Rounded down to the unit. Within ten seconds it is "just now"; a year has 365 days.
  package static func text(_ instant: Timestamp, now: Timestamp) -> String {
    let seconds = now.epochSeconds - instant.epochSeconds
    let amount = amount(seconds.magnitude)
    return seconds.magnitude < 10 ? "just now" : seconds > 0 ? "\(amount) ago" : "in \(amount)"
  }

  private static func amount(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<minute: "\(seconds) s"
    case ..<hour: "\(seconds / minute) min"
    case ..<day: "\(seconds / hour) h"
    case ..<(31 * day): "\(seconds / day) d"
    case ..<(365 * day): "\(seconds * 12 / (365 * day)) mo"
    default: "\(seconds / (365 * day)) y"
    }
  }
}
