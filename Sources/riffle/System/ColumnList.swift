import Text

/// Formats short lists as columns, two spaces apart.
enum ColumnList {
  static func lines(_ rows: [[String]]) -> [String] {
    let cells = rows.map { $0.map { Sanitized($0) } }
    let count = cells.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      cells.map { column < $0.count ? $0[column].width(.clusters) : 0 }.max() ?? 0
    }
    return cells.map { row in
      let padded = row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell.fitted(to: widths[index], .leading, .clusters)
      }
      return padded.map(\.string).joined(separator: "  ")
    }
  }
}
