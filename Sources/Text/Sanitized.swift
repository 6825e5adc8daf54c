/// Text that is safe to draw. Only literals and sanitized text reach a screen.
///
/// It is a single line and contains no control characters, bidirectional controls, noncharacters, or default ignorable
/// scalars: each is replaced by a visible mark (`␛`, `�`) or a space (tab and newline), or removed. A base has at most
/// eight marks, joiners and variation selectors of emoji remain only inside an emoji, and the text never begins with a
/// mark (`◌` is inserted). Sanitize last, after decoding escapes, entities, and markup. Sanitizing is idempotent.
package struct Sanitized: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The safe text, for writing and searching.
  package private(set) var string: String

  /// Sanitizes any text. O(n); printable ASCII is only scanned, never copied.
  package init(_ raw: String) {
    let utf8 = raw.utf8Span.span
    let isPlain = utf8.printableASCII(from: 0).count == utf8.count
    string = isPlain ? raw : String(decoding: Sanitizer.rewritten(utf8, .marks), as: UTF8.self)
  }

  /// Sanitizes bytes as UTF-8; invalid bytes become U+FFFD. O(n).
  package init(utf8 bytes: some Collection<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }

  /// Sanitizes a literal.
  package init(stringLiteral literal: StaticString) { self.init(literal.description) }

  /// Text known to be sanitized: a range of whole clusters of a sanitized text, or a concatenation of spaces
  /// and such ranges.
  init(trusted string: String) { self.string = string }

  package init() { string = "" }

  package var isEmpty: Bool { string.isEmpty }
  package var description: String { string }

  package static func + (left: Sanitized, right: Sanitized) -> Sanitized {
    Sanitized(trusted: left.string + right.string)
  }

  /// Whether the texts have the same bytes: canonically equivalent texts may be drawn and measured
  /// differently.
  package static func == (left: Sanitized, right: Sanitized) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    string.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(UInt8(0xFF))  // terminates the bytes; never a UTF-8 byte
  }
}

extension Sanitized {
  /// The ellipsis `…`, one column wide on most terminals.
  package static let ellipsis = Sanitized("…")
  /// The ellipsis `..`, for terminals limited to ASCII.
  package static let asciiEllipsis = Sanitized("..")

  /// `count` spaces; empty if it is negative.
  package static func spaces(_ count: Int) -> Sanitized {
    Sanitized(trusted: String(repeating: " ", count: max(count, 0)))
  }

  /// The text in exactly `columns` columns: padded with spaces, or truncated between clusters with the
  /// ellipsis at the end, and with a space before it if a wide cluster would be split.
  package func fitted(
    to columns: Int, _ alignment: Alignment = .leading, ellipsis: Sanitized = .ellipsis,
    canBeCut: Bool = true, _ model: WidthModel
  ) -> Sanitized {
    let width = width(model)
    guard width > columns else { return padded(by: columns - width, alignment) }
    let ellipsis = ellipsis.prefix(columns: columns, model)
    guard canBeCut else { return ellipsis.padded(by: columns - ellipsis.width(model), alignment) }
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
    var left = columns
    for cluster in clusters(model) {
      let (start, end) = (cluster.utf8.lowerBound, cluster.utf8.upperBound)
      if left == 0 { return (start, start, 0, 0) }
      if cluster.width > left { return (start, end, left, cluster.width - left) }
      left -= cluster.width
    }
    return (count, count, 0, 0)
  }

  /// The text, shortened to at most `columns` if it is wider.
  package func truncated(to columns: Int, ellipsis: Sanitized, _ model: WidthModel) -> Sanitized {
    width(model) <= columns ? self : fitted(to: max(0, columns), ellipsis: ellipsis, model)
  }

  /// The text on several lines of at most `columns` columns: broken at spaces, and inside a word only if the word alone
  /// is too wide. A cluster that is wider than a line is not split and has its own line. There is at least one line.
  /// O(n).
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
    func isMark(_ scalar: Unicode.Scalar) -> Bool {
      0x2400...0x2421 ~= scalar.value || scalar.value == 0xFFFD
    }
    guard string.unicodeScalars.contains(where: isMark) else { return self }
    return Sanitized(
      trusted: String(String.UnicodeScalarView(string.unicodeScalars.map { isMark($0) ? "?" : $0 })))
  }
}

/// The alignment of a text in a field wider than the text.
package enum Alignment: String, Sendable, Hashable, Codable {
  case leading, trailing, center
}

extension Sanitized {
  /// JSON text that is safe to show on a terminal and still valid JSON: scalars that a `Sanitized` would not
  /// contain (control characters, U+007F to U+009F, bidirectional and invisible characters, the ninth
  /// combining mark) are written as `\u` escapes.
  ///
  /// - Parameter json: Valid JSON in UTF-8; bytes that are not UTF-8 become U+FFFD. Line feeds between tokens
  ///   are unchanged, tabs and carriage returns there become spaces. O(n).
  package static func escapedJSON(_ json: some Collection<UInt8>) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    return Sanitizer.rewritten(text.utf8Span.span, .jsonEscapes)
  }
}

/// Rewrites UTF-8 so that no scalar can control a terminal or be invisible to a reader. One pass, O(n).
struct Sanitizer {
  /// The replacement for an unsafe scalar.
  enum Substitution {
    /// A space, a control picture, U+FFFD, or nothing.
    case marks
    /// A `\u` escape, for JSON text. Between tokens, a line feed remains; tab and carriage return become spaces.
    case jsonEscapes
  }

  private static let maxMarks = 8

  private let substitution: Substitution
  private var output: [UInt8] = []
  private var previous: UInt32 = 0
  private var marks = 0
  private var emojiIsOpen = false
  private var joinerIsPending = false

  /// - Parameter input: Valid UTF-8.
  static func rewritten(_ input: Span<UInt8>, _ substitution: Substitution) -> [UInt8] {
    var sanitizer = Sanitizer(substitution: substitution)
    sanitizer.output.reserveCapacity(input.count)
    sanitizer.consume(input)
    return sanitizer.output
  }

  private mutating func consume(_ input: Span<UInt8>) {
    var offset = 0
    while offset < input.count {
      let plain = input.printableASCII(from: offset)
      if plain.isEmpty {
        let (scalar, length) = input.scalar(at: offset)
        consume(scalar)
        offset += length
      } else {
        keepASCII(input.extracting(plain))
        offset = plain.upperBound
      }
    }
    settleJoiner(before: nil)
  }

  private mutating func keepASCII(_ run: Span<UInt8>) {
    settleJoiner(before: nil)
    run.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    previous = UInt32(run[run.count - 1])
    marks = 0
    emojiIsOpen = false
  }

  private mutating func consume(_ scalar: UInt32) {
    switch ScalarVerdict(scalar) {
    case .kept: keep(scalar)
    case .emojiJoiner where emojiIsOpen && !joinerIsPending: joinerIsPending = true
    case .emojiVariation where emojiCanVary: keep(scalar)
    case .space: substitute(scalar, by: 0x20)
    case .picture(let picture): substitute(scalar, by: picture)
    case .replacement: substitute(scalar, by: 0xFFFD)
    case .dropped, .emojiJoiner, .emojiVariation: substitute(scalar, by: nil)
    }
  }

  private var emojiCanVary: Bool {
    let base = CellWidth[previous]
    return base.clusterBreak == .pictograph || base.isWidenedByVariation
  }

  private mutating func keep(_ scalar: UInt32) {
    let traits = CellWidth[scalar]
    settleJoiner(before: traits.clusterBreak)
    marks = traits.isZeroWidth ? marks + 1 : 0
    guard marks <= Self.maxMarks else { return substitute(scalar, by: nil) }
    if output.isEmpty && traits.joinsAnyBase { output.append(scalar: 0x25CC) }  // its base: ◌
    output.append(scalar: scalar)
    previous = scalar
    switch traits.clusterBreak {
    case .pictograph: emojiIsOpen = true
    case .extend, .linker, .skinTone, .nonJoiner: break
    default: emojiIsOpen = false
    }
  }

  /// Keeps a joiner if the scalar after it is also an emoji.
  private mutating func settleJoiner(before next: ClusterBreak?) {
    guard joinerIsPending else { return }
    joinerIsPending = false
    if next == .pictograph { output.append(scalar: 0x200D) } else { substitute(0x200D, by: nil) }
  }

  private mutating func substitute(_ scalar: UInt32, by mark: UInt32?) {
    switch substitution {
    case .jsonEscapes: appendEscape(of: scalar)
    case .marks: if let mark { append(mark: mark, for: scalar) }
    }
  }

  private mutating func append(mark: UInt32, for scalar: UInt32) {
    settleJoiner(before: nil)
    let endsReturn = scalar == 0x0A && previous == 0x0D
    if !endsReturn { output.append(scalar: mark) }
    (previous, marks, emojiIsOpen) = (scalar, 0, false)
  }

  private mutating func appendEscape(of scalar: UInt32) {
    settleJoiner(before: nil)
    switch scalar {
    case 0x0A: output.append(0x0A)
    case 0x09, 0x0D: output.append(0x20)
    default: output.append(jsonEscapeOf: scalar)
    }
    (previous, emojiIsOpen) = (scalar, false)
  }
}

extension Span<UInt8> {
  /// The longest range of bytes in 0x20...0x7E that begins at an offset.
  fileprivate func printableASCII(from start: Int) -> Range<Int> {
    var end = start
    while end < count && self[end] &- 0x20 <= 0x5E { end += 1 }
    return start..<end
  }
}

/// How the sanitizer treats a scalar, regardless of its context.
enum ScalarVerdict {
  case kept
  /// The scalar is layout and becomes a space.
  case space
  /// The scalar is a control character and becomes a control picture, U+2400 ff.
  case picture(UInt32)
  /// The scalar cannot be displayed and becomes U+FFFD.
  case replacement
  /// The scalar is invisible and is removed.
  case dropped
  /// The scalar (U+200D, or a variation selector U+FE0E or U+FE0F) remains inside an emoji and is otherwise removed.
  case emojiJoiner
  case emojiVariation

  init(_ scalar: UInt32) {
    switch scalar {
    case 0x20..<0x7F: self = .kept
    case 0x09, 0x0A, 0x0D: self = .space
    case 0x00..<0x20: self = .picture(0x2400 + scalar)
    case 0x7F: self = .picture(0x2421)
    case 0x80..<0xA0: self = .replacement
    case 0x200D: self = .emojiJoiner
    case 0xFE0E, 0xFE0F: self = .emojiVariation
    case 0x2028, 0x2029: self = .space
    case _ where Self.isIgnorable(scalar): self = .dropped
    // Interlinear annotations.
    case 0xFFF9...0xFFFB: self = .dropped
    case 0xFDD0...0xFDEF: self = .replacement
    // Noncharacters: these and the last two of each plane.
    case _ where scalar & 0xFFFE == 0xFFFE: self = .replacement
    default: self = .kept
    }
  }

  /// Default_Ignorable_Code_Point of Unicode 17 (DerivedCoreProperties.txt): soft hyphen, fillers, joiners,
  /// format controls, variation selectors, bidirectional controls, tags, and the code points reserved for
  /// such characters.
  private static func isIgnorable(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164: true
    case 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}
