extension Sanitized {
  /// `…`, one column wide on most terminals.
  package static let ellipsis = Sanitized("…")
  /// `..`, for terminals limited to ASCII.
  package static let asciiEllipsis = Sanitized("..")

  /// `count` spaces; empty if it is negative.
  package static func spaces(_ count: Int) -> Sanitized {
    Sanitized(trusted: String(repeating: " ", count: max(count, 0)))
  }

  /// The text in exactly `columns` columns: padded with spaces, or truncated between clusters with the
  /// ellipsis at the end, and with a space before it if a wide cluster would be split.
  package func fitted(
    to columns: Int, _ alignment: Alignment, ellipsis: Sanitized = .ellipsis, _ model: WidthModel
  ) -> Sanitized {
    let width = width(model)
    guard width > columns else { return padded(by: columns - width, alignment) }
    let ellipsis = ellipsis.prefix(columns: columns, model)
    return prefix(columns: columns - ellipsis.width(model), model) + ellipsis
  }

  /// The text in exactly `columns` columns, aligned to the left.
  package func fitted(to columns: Int, ellipsis: Sanitized = .ellipsis, _ model: WidthModel) -> Sanitized {
    fitted(to: columns, .leading, ellipsis: ellipsis, model)
  }

  /// The first `columns` columns of the text; half of a wide cluster becomes spaces.
  package func prefix(columns: Int, _ model: WidthModel) -> Sanitized {
    let cut = cut(at: columns, model)
    return self[0..<cut.start] + .spaces(cut.before)
  }

  /// The text after the first `columns` columns; half of a wide cluster becomes spaces.
  package func dropping(columns: Int, _ model: WidthModel) -> Sanitized {
    let cut = cut(at: columns, model)
    return .spaces(cut.after) + self[cut.end..<string.utf8.count]
  }

  /// The part of the text between byte offsets, which must be cluster boundaries.
  package subscript(utf8: Range<Int>) -> Sanitized {
    let bytes = string.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: utf8.lowerBound)
    let end = bytes.index(start, offsetBy: utf8.count)
    return Sanitized(trusted: String(string[start..<end]))
  }

  private func padded(by blanks: Int, _ alignment: Alignment) -> Sanitized {
    guard blanks > 0 else { return self }
    switch alignment {
    case .leading: return self + .spaces(blanks)
    case .trailing: return .spaces(blanks) + self
    case .center: return .spaces(blanks / 2) + self + .spaces(blanks - blanks / 2)
    }
  }

  /// The position of a cut after `columns` columns: the bytes before it end at `start`, and those after it
  /// begin at `end`. A cluster across the cut is between them, with `before` of its columns before the cut
  /// and `after` after it.
  private func cut(at columns: Int, _ model: WidthModel) -> (start: Int, end: Int, before: Int, after: Int) {
    let count = string.utf8.count
    guard columns > 0 else { return (0, 0, 0, 0) }
    if string.utf8Span.isKnownASCII {
      let offset = Swift.min(columns, count)
      return (offset, offset, 0, 0)
    }
    var left = columns
    for cluster in clusters(model) {
      if left == 0 { return (cluster.utf8.lowerBound, cluster.utf8.lowerBound, 0, 0) }
      if cluster.width > left {
        return (cluster.utf8.lowerBound, cluster.utf8.upperBound, left, cluster.width - left)
      }
      left -= cluster.width
    }
    return (count, count, 0, 0)
  }
}
