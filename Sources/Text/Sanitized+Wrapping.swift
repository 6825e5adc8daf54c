extension Sanitized {
  /// The text on several lines, none wider than `columns`: broken at spaces, and inside a word only where it alone
  /// is too wide. A cluster that alone is too wide stays whole, alone in its line. At least one line. O(n).
  ///
  /// - Parameter most: further lines are left out; the last then ends with an ellipsis.
  package func wrapped(to columns: Int, most: Int = .max, _ model: WidthModel) -> [Sanitized] {
    var lines: [Sanitized] = []
    var start = 0
    var width = 0
    /// The last space of the line, and the columns before it.
    var space: (offset: Int, width: Int)?
    clusters: for cluster in clusters(model) {
      let offset = cluster.utf8.lowerBound
      let isSpace = string.utf8Span.span[offset] == 0x20
      // Twice where what follows the last space is too wide with a cluster of many columns.
      while width > 0, width + cluster.width > Swift.max(1, columns) {
        if lines.count >= most - 1 { break clusters }
        if isSpace {
          lines.append(self[start..<offset])
          (start, width, space) = (offset + 1, 0, nil)
          continue clusters
        }
        if let last = space, last.width > 0 {
          lines.append(self[start..<last.offset])
          (start, width) = (last.offset + 1, width - last.width - 1)
        } else {
          lines.append(self[start..<offset])
          (start, width) = (offset, 0)
        }
        space = nil
      }
      if isSpace { space = (offset, width) }
      width += cluster.width
    }
    let rest = self[start..<string.utf8.count]
    let isCut = lines.count >= most - 1 && rest.width(model) > columns
    return lines + [isCut ? rest.fitted(to: Swift.max(1, columns), model) : rest]
  }
}
