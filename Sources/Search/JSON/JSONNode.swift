/// What a JSON value is (RFC 8259, section 3).
package enum JSONKind: Sendable, Hashable {
  case object, array, string, number, bool, null
}

/// A handle to one value (or one member name) of the `JSONDocument` it came from: a number, free to copy.
///
/// It has no meaning in another document.
package struct JSONNode: Sendable, Hashable {
  let index: Int
}

/// One scanned value or member name; an object or array is followed by its content, so the tape is in
/// the order of the text.
struct JSONTapeEntry {
  enum Kind: UInt8 {
    case object, array, string, name, number, `true`, `false`, null
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The string holds at least one backslash.
    static let escaped = Flags(rawValue: 1)
    /// The string holds bytes that are not UTF-8.
    static let malformed = Flags(rawValue: 2)
  }

  /// Where its bytes are in the document; of a string, without the quotes.
  var start: UInt32
  var end: UInt32
  /// The link in the lower 24 bits, then the flags, and the kind in the highest four: a page has tens of thousands of
  /// entries, so that they may not be larger than needed.
  private var bits: UInt32

  /// All that a link has room for; more than the entries of any tape.
  static let mostLink: UInt32 = 0xFF_FFFF

  /// - Parameter link: its lower 24 bits are kept.
  @inline(__always)
  init(start: UInt32, end: UInt32, link: UInt32, kind: Kind, flags: Flags) {
    self.start = start
    self.end = end
    bits = link & Self.mostLink | UInt32(flags.rawValue) &<< 24 | UInt32(kind.rawValue) &<< 28
  }

  /// Of an object or array, the index after its last descendant (while it is being scanned, its parent's
  /// index); of a name, its fingerprint; of a scalar, unused.
  @inline(__always)
  var link: UInt32 {
    get { bits & Self.mostLink }
    set { bits = bits & ~Self.mostLink | newValue & Self.mostLink }
  }

  @inline(__always)
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits &>> 28)) ?? .null }

  @inline(__always)
  var flags: Flags { Flags(rawValue: UInt8(truncatingIfNeeded: bits &>> 24) & 0xF) }

  /// Objects and arrays.
  @inline(__always)
  var isContainer: Bool { bits &>> 28 <= Kind.array.rawValue }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether the bytes of the string are its text.
  var isVerbatim: Bool { flags.isEmpty }
}
