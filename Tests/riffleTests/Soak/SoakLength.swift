import Foundation

/// How long the long runs are: `RIFFLE_SOAK=30` makes them thirty minutes and 20,000 pages. Without it they only show
/// that they run.
enum SoakLength {
  static let minutes = ProcessInfo.processInfo.environment["RIFFLE_SOAK"].flatMap(Int.init) ?? 0
  static let isLong = minutes > 0
  static let pages = isLong ? 20_000 : 200
}
