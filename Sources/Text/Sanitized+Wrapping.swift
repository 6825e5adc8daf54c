extension Sanitized {
  /// The text on several lines of at most `columns` columns: broken at spaces, and inside a word only if the
  /// word alone is too wide. A cluster that is too wide by itself is not split and has its own line. At least
  /// one line. O(n).
  ///
  /// - Parameter most: The maximum number of lines; if there are more, the last one ends with an ellipsis.
  package func wrapped(to columns: Int, most: Int = .max, _ model: WidthModel) -> [Sanitized] {
    var lines: [Sanitized] = []
    var start = 0
    var width = 0
    /// The last space of the line, and the width of the text before it.
    var space: (offset: Int, width: Int)?
    clusters: for cluster in clusters(model) {
      let offset = cluster.utf8.lowerBound
      let isSpace = string.utf8Span.span[offset] == 0x20
      // Breaks twice if the text after the last space does not fit together with a wide cluster.
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
