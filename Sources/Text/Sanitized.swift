/// Text that is safe to draw: the only text, besides literals, that reaches a screen.
///
/// It is one line and holds no control code, no bidirectional control, no noncharacter and nothing that Unicode has
/// displays ignore: each is replaced by a visible mark (`␛`, `�`), by a space (tab and newline) or dropped. At most
/// eight marks stay on one base, joiners and variation selectors of emoji stay only inside an emoji, and a text never
/// begins with a mark (`◌` goes before it). Sanitise last, after escapes, entities and markup were decoded.
/// Sanitising twice changes nothing.
package struct Sanitized: Sendable, Hashable, CustomStringConvertible {
  /// The safe text, for writing and for searching.
  package private(set) var string: String

  /// Sanitises any text. O(n); printable ASCII is only looked at, never copied.
  package init(_ raw: String) {
    string = raw.utf8Span.span.isPrintableASCII ? raw : Self.rewritten(raw.utf8Span.span)
  }

  /// Sanitises bytes meant as UTF-8; what is not becomes U+FFFD. O(n).
  @inlinable
  package init(utf8 bytes: some Sequence<UInt8>) {
    self.init(String(decodingUTF8: bytes))
  }

  /// Takes a literal of the program; it passes the same rules.
  package init(_ literal: StaticString) {
    self.init(literal.description)
  }

  /// Text known to be sanitised: a run of whole clusters of one, or spaces and such runs put together.
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
  /// Whether the texts are the same bytes: two spellings of one letter may be drawn and measured differently.
  package static func == (left: Sanitized, right: Sanitized) -> Bool {
    left.string == right.string
      && (left.string.utf8Span.isKnownASCII || left.string.utf8.elementsEqual(right.string.utf8))
  }

  package func hash(into hasher: inout Hasher) {
    string.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(UInt8(0xFF))  // ends the bytes, as none of them is this
  }
}

extension String {
  /// Decodes bytes meant as UTF-8, each part that is not as U+FFFD.
  @inlinable
  init(decodingUTF8 bytes: some Sequence<UInt8>) {
    let decoded = bytes.withContiguousStorageIfAvailable { String(decoding: $0, as: UTF8.self) }
    self = decoded ?? String(decoding: Array(bytes), as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// Whether every byte is in 0x20...0x7E. It looks at all of them, so that the loop needs no branch.
  var isPrintableASCII: Bool {
    var others: UInt8 = 0
    for offset in 0..<count { others |= self[offset] &- 0x20 > 0x5E ? 1 : 0 }
    return others == 0
  }
}
