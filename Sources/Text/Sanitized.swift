/// Text that is safe to draw: besides literals, the only text that reaches a screen.
///
/// It is a single line and contains no control characters, bidirectional controls, noncharacters, or default
/// ignorable scalars: each is replaced by a visible mark (`␛`, `�`) or a space (tab and newline), or removed.
/// A base has at most eight marks, joiners and variation selectors of emoji are kept only inside an emoji,
/// and a text never begins with a mark (`◌` is inserted). Sanitize last, after decoding escapes, entities,
/// and markup. Sanitizing is idempotent.
package struct Sanitized: Sendable, Hashable, CustomStringConvertible {
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

  /// Creates a text from a literal, which is sanitized too.
  package init(_ literal: StaticString) {
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
}

extension Sanitized {
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
