/// The matrix as text: each fault, followed by a line for each mode.
enum MatrixTable {
  /// The table of all cells.
  ///
  /// - Parameter earlier: The text with the lines of cells that are not tried.
  static func text(_ outcomes: [MatrixOutcome?], earlier: String) -> String {
    let earlier = earlier.split(separator: "\n", omittingEmptySubsequences: false)
    var lines = heading
    var fault = ""
    for (index, (cell, outcome)) in zip(FaultMatrix.cells, outcomes).enumerated() {
      if cell.fault.name != fault {
        fault = cell.fault.name
        lines += ["", fault]
      }
      let isTried = FaultMatrix.tried.contains(index) || lines.count >= earlier.count
      lines.append(isTried ? line(cell, outcome) : String(earlier[lines.count]))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The maximum time and memory of a cell.
  static func cost(_ outcomes: [MatrixOutcome?]) -> String {
    let outcomes = outcomes.compactMap { $0 }
    let (seconds, peak) = (outcomes.map(\.seconds).max() ?? 0, outcomes.compactMap(\.peak).max() ?? 0)
    return "\(outcomes.count) cells, each within \(Int(seconds.rounded(.up))) s and \(peak) MiB"
  }

  private static let heading = [
    "What riffle does when a service goes wrong: each fault in each mode. A list has three pages of two rows; the",
    "fault is on page 1, on page 2, or everywhere. A one-shot search asks for one page; a batch is for more, so it",
    "meets the fault on page 2. Rows are those kept: written, or on the screen; pick prints what follows the arrow;",
    "add has the style of paging it wrote down. ⏎ stands between lines.",
    "Made by the tests: RIFFLE_WRITE=1 swift test --filter FaultMatrixTests", "",
    "  " + columns("mode, page", "status", "rows", "requests") + "what is said",
  ]

  private static func line(_ cell: MatrixCell, _ outcome: MatrixOutcome?) -> String {
    guard let outcome else {
      return "  " + padded(cell.name, 21) + "– " + (cell.reasonToSkip ?? "")
    }
    let status = outcome.status.map { "\($0)" } ?? "endless"
    let rows = outcome.rows.isEmpty ? "–" : outcome.rows
    let words = outcome.words.split(separator: "\n").joined(separator: " ⏎ ")
    return "  " + columns(cell.name, status, rows, "\(outcome.requests)") + (words.isEmpty ? "–" : words)
  }

  private static func columns(_ mode: String, _ status: String, _ rows: String, _ requests: String) -> String
  {
    padded(mode, 21) + padded(status, 8) + padded(rows, 17) + padded(requests, 10)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
