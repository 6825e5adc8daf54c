import Foundation

/// The length of the long runs: `RIFFLE_SOAK=30` makes them thirty minutes and 20,000 pages. Without it they only
/// check that they run.
enum SoakLength {
  static let minutes = ProcessInfo.processInfo.environment["RIFFLE_SOAK"].flatMap(Int.init) ?? 0
  static let isLong = minutes > 0
  static let pages = isLong ? 20_000 : 200
}
