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
  /// Of an object or array, the index after its last descendant (while it is being scanned, its parent's
  /// index); of a name, its fingerprint; of a scalar, unused.
  var link: UInt32
  var kind: Kind
  var flags: Flags = []

  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether the bytes of the string are its text.
  var isVerbatim: Bool { flags.isEmpty }
}
