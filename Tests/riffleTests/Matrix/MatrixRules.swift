import Foundation

/// The rules for every cell, regardless of its fault.
enum MatrixRules {
  /// The problems in words; empty when there are none.
  static func problems(_ cell: MatrixCell, _ outcome: MatrixOutcome) -> [String] {
    outcome.damage + ending(cell, outcome) + rows(cell, outcome) + words(cell, outcome) + cost(cell, outcome)
  }

  /// Only statuses that the manual documents are allowed.
  private static func ending(_ cell: MatrixCell, _ outcome: MatrixOutcome) -> [String] {
    let allowed: [Int32] =
      switch (cell.mode, cell.page) {
      case (.interactive, _): [0]
      case (.pick, _): [outcome.rows.isEmpty ? 130 : 0]
      case (.oneShot, _), (.add, 1): [0, 1, 4, 5]
      case (.batch, _): [0, 3]
      case (.add, _): [0]
      }
    guard let status = outcome.status else { return ["did not end"] }
    return allowed.contains(status) ? [] : ["status \(status)"]
  }

  /// No row of a page before the fault is lost, repeated or reordered.
  private static func rows(_ cell: MatrixCell, _ outcome: MatrixOutcome) -> [String] {
    guard cell.mode != .add else { return [] }
    let list = outcome.rows.components(separatedBy: " → ")
    let rows = list[0].split(separator: " ").compactMap { Int($0) }
    let mustHave = cell.page == 1 ? [] : [1, 2]
    return (rows.starts(with: mustHave) && rows == Array(Set(rows)).sorted() ? [] : ["rows \(rows)"])
      + (cell.mode == .pick && !rows.isEmpty && list.last != "1" ? ["printed \(list.last ?? "")"] : [])
  }

  /// A failure is reported in one line that names its place; a resumable run adds a second line.
  private static func words(_ cell: MatrixCell, _ outcome: MatrixOutcome) -> [String] {
    let isFailure =
      switch cell.mode {
      case .interactive, .pick: outcome.words.contains("offline") || outcome.words.contains("failed")
      case .oneShot, .batch, .add: outcome.status != 0
      }
    guard isFailure else { return [] }
    let lines = outcome.words.split(separator: "\n")
    let names =
      cell.mode == .add
      ? ["SERVICE", "the service", "the response", "rows"]
      : ["SERVICE", "faulty", "the response", "the service", "Page 1 failed", "Page 2 failed"]
    return (names.contains { name in lines.contains { $0.contains(name) } } ? [] : ["nobody is named"])
      + (lines.count > 2 ? ["\(lines.count) lines"] : [])
  }

  /// The memory limit in MiB; the program itself takes about 40 of them (debug build).
  private static let maxMemory = 100

  private static func cost(_ cell: MatrixCell, _ outcome: MatrixOutcome) -> [String] {
    (outcome.requests > cell.fault.requests ? ["\(outcome.requests) requests"] : [])
      + (outcome.peak.map { (1...maxMemory).contains($0) ? [] : ["\($0) MiB"] } ?? [])
  }
}
