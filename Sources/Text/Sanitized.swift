/// Text that is safe to draw: besides literals, the only text that reaches a screen.
///
/// It is a single line and contains no control characters, bidirectional controls, noncharacters, or default
/// ignorable scalars: each is replaced by a visible mark (`␛`, `�`) or a space (tab and newline), or removed.
/// A base has at most eight marks, joiners and variation selectors of emoji are kept only inside an emoji,
/// and a text never begins with a mark (`◌` is inserted). Sanitize last, after decoding escapes, entities,
/// and markup. Sanitizing is idempotent.
package struct Sanitized: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The safe text, for writing and searching.
  package private(set) var string: String

  /// Sanitizes any text. O(n); printable ASCII is only scanned, never copied.
  package init(_ raw: String) {
    string = raw.utf8Span.span.isPrintableASCII ? raw : Self.rewritten(raw.utf8Span.span)
  }

  /// Sanitizes bytes as UTF-8; invalid bytes become U+FFFD. O(n).
  @inlinable
  package init(utf8 bytes: some Sequence<UInt8>) {
    self.init(String(decodingUTF8: bytes))
  }

  /// A literal is sanitized too.
  package init(stringLiteral literal: StaticString) {
    self.init(literal.description)
  }

  /// Text known to be sanitized: a range of whole clusters of a sanitized text, or a concatenation of spaces
  /// and such ranges.
  init(trusted string: String) {
    self.string = string
  }

  package init() { string = "" }

  package var isEmpty: Bool { string.isEmpty }
  package var description: String { string }

  package static func + (left: Sanitized, right: Sanitized) -> Sanitized {
    Sanitized(trusted: left.string + right.string)
  }

  package mutating func append(_ other: Sanitized) {
    string += other.string
  }

  private static func rewritten(_ raw: Span<UInt8>) -> String {
    var sanitizer = Sanitizer(.marks, capacity: raw.count)
    sanitizer.consume(raw)
    return String(decoding: sanitizer.output, as: UTF8.self)
  }

  /// Whether the texts have the same bytes: canonically equivalent texts may be drawn and measured
  /// differently.
  package static func == (left: Sanitized, right: Sanitized) -> Bool {
    left.string == right.string
      && (left.string.utf8Span.isKnownASCII || left.string.utf8.elementsEqual(right.string.utf8))
  }

  package func hash(into hasher: inout Hasher) {
    string.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(UInt8(0xFF))  // terminates the bytes; never a UTF-8 byte
  }
}

extension String {
  /// Decodes bytes as UTF-8, with U+FFFD for each invalid sequence.
  @inlinable
  init(decodingUTF8 bytes: some Sequence<UInt8>) {
    let decoded = bytes.withContiguousStorageIfAvailable { String(decoding: $0, as: UTF8.self) }
    self = decoded ?? String(decoding: Array(bytes), as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// Whether every byte is in 0x20...0x7E. Checks all bytes without an early exit, so that the loop has no
  /// branch.
  var isPrintableASCII: Bool {
    var others: UInt8 = 0
    for offset in 0..<count { others |= self[offset] &- 0x20 > 0x5E ? 1 : 0 }
    return others == 0
  }
}

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
    to columns: Int, _ alignment: Alignment = .leading, ellipsis: Sanitized = .ellipsis, _ model: WidthModel
  ) -> Sanitized {
    let width = width(model)
    guard width > columns else { return padded(by: columns - width, alignment) }
    let ellipsis = ellipsis.prefix(columns: columns, model)
    return prefix(columns: columns - ellipsis.width(model), model) + ellipsis
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

  /// The text, shortened to at most `columns` if it is wider.
  package func truncated(to columns: Int, ellipsis: Sanitized, _ model: WidthModel) -> Sanitized {
    width(model) <= columns ? self : fitted(to: max(0, columns), ellipsis: ellipsis, model)
  }

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
    return lines + [isCut ? rest.fitted(to: Swift.max(1, columns), .leading, model) : rest]
  }

  /// The same text with `?` for each mark that represents an undrawable character: the control pictures, and
  /// U+FFFD. The width is unchanged. O(n).
  package var withPlainMarks: Sanitized {
    guard string.unicodeScalars.contains(where: Self.isMark) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in string.unicodeScalars { scalars.append(Self.isMark(scalar) ? "?" : scalar) }
    return Sanitized(trusted: String(scalars))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2400...0x2421, 0xFFFD: true
    default: false
    }
  }
}

/// The alignment of a text in a field wider than the text.
package enum Alignment: String, Sendable, Hashable, Codable {
  case leading, trailing, center
}
