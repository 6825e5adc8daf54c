import Foundation

/// How much is tried where a test could try any number of random cases: enough in a usual run, ten times as much with
/// `RIFFLE_SEEDS=10`.
package enum Seeds {
  private static let factor = max(
    1, ProcessInfo.processInfo.environment["RIFFLE_SEEDS"].flatMap(Int.init) ?? 1)

  /// The seeds of random cases, `count` in a usual run.
  package static func first(_ count: Int) -> Range<UInt64> { 0..<UInt64(count * factor) }

  /// Every `stride`-th of the cases in a usual run; more of them, up to all, where more is tried.
  package static func every<Case>(_ stride: Int, of cases: [Case]) -> [Case] {
    cases.indices.filter { tries($0, oneIn: stride) }.map { cases[$0] }
  }

  /// Whether the case with this number is one of them.
  package static func tries(_ number: Int, oneIn stride: Int) -> Bool {
    number % max(1, stride / factor) == 0
  }
}
