extension Sanitized {
  /// The text on several lines, none wider than `columns`: broken at spaces, and inside a word only where it alone
  /// is too wide. At least one line. O(n).
  ///
  /// - Parameter most: further lines are left out; the last then ends with an ellipsis.
  package func wrapped(to columns: Int, most: Int = .max, _ model: WidthModel) -> [Sanitized] {
    let columns = Swift.max(1, columns)
    var lines: [Sanitized] = []
    var rest = 0..<string.utf8.count
    while !rest.isEmpty || lines.isEmpty {
      if lines.count == most - 1 {
        lines.append(self[rest].fittedUnpadded(to: columns, model))
        break
      }
      let end = lineEnd(from: rest, columns, model)
      lines.append(self[rest.lowerBound..<end.text])
      rest = end.next..<rest.upperBound
    }
    return lines
  }

  private func fittedUnpadded(to columns: Int, _ model: WidthModel) -> Sanitized {
    width(model) <= columns ? self : fitted(to: columns, .leading, model)
  }

  /// Where a line that begins at `rest` ends, and where the next begins, as byte offsets.
  private func lineEnd(from rest: Range<Int>, _ columns: Int, _ model: WidthModel) -> (text: Int, next: Int) {
    var width = 0
    var lastSpace: Int?
    let line = self[rest]
    for cluster in line.clusters(model) {
      let offset = rest.lowerBound + cluster.utf8.lowerBound
      let isSpace = line[cluster.utf8].string == " "
      if isSpace { lastSpace = offset }
      if width + cluster.width > columns {
        if let lastSpace, lastSpace > rest.lowerBound { return (lastSpace, lastSpace + 1) }
        let end = width == 0 ? rest.lowerBound + cluster.utf8.upperBound : offset
        return (end, end)
      }
      width += cluster.width
    }
    return (rest.upperBound, rest.upperBound)
  }
}
