/// A scanned value or member name. An object or array is followed by its contents, so the tape is in text
/// order.
struct JSONTapeEntry {
  enum Kind: UInt8 {
    case object, array, string, name, number, `true`, `false`, null
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The string contains at least one backslash.
    static let escaped = Flags(rawValue: 1)
    /// The string contains bytes that are not UTF-8.
    static let malformed = Flags(rawValue: 2)
  }

  /// The range of its bytes in the document, without the quotes of a string.
  var start: UInt32
  var end: UInt32
  /// The link in the lower 24 bits, then the flags, and the kind in the upper four. Packed because a page has
  /// tens of thousands of entries.
  private var bits: UInt32

  /// The largest link; more than the number of entries of any tape.
  static let mostLink: UInt32 = 0xFF_FFFF

  /// - Parameter link: Only the lower 24 bits are stored.
  @inline(__always)
  init(start: UInt32, end: UInt32, link: UInt32, kind: Kind, flags: Flags) {
    self.start = start
    self.end = end
    bits = link & Self.mostLink | UInt32(flags.rawValue) &<< 24 | UInt32(kind.rawValue) &<< 28
  }

  /// For an object or array, the index after its last descendant (during scanning, the index of its parent);
  /// for a name, its fingerprint; for a scalar, unused.
  @inline(__always)
  var link: UInt32 {
    get { bits & Self.mostLink }
    set { bits = bits & ~Self.mostLink | newValue & Self.mostLink }
  }

  @inline(__always)
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits &>> 28)) ?? .null }

  @inline(__always)
  var flags: Flags { Flags(rawValue: UInt8(truncatingIfNeeded: bits &>> 24) & 0xF) }

  /// Whether the entry is an object or array.
  @inline(__always)
  var isContainer: Bool { bits &>> 28 <= Kind.array.rawValue }

  /// Whether a name can be one with this fingerprint: it has it, or has to be decoded first. One comparison for most
  /// names, because each lookup asks all members of an object.
  @inline(__always)
  func canBeName(_ fingerprint: UInt32) -> Bool {
    bits == fingerprint | UInt32(Kind.name.rawValue) &<< 28 || !isVerbatim
  }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether the bytes of the string are its text.
  var isVerbatim: Bool { flags.isEmpty }
}
