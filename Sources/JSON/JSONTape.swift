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
  /// For an object or array, the index after its last descendant (during scanning, the index of its parent);
  /// otherwise unused.
  var link: UInt32
  let kind: Kind
  let flags: Flags

  /// Whether the entry is an object or array.
  @inline(__always)
  var isContainer: Bool { kind == .object || kind == .array }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether the bytes of the string are its text.
  var isVerbatim: Bool { flags.isEmpty }
}
