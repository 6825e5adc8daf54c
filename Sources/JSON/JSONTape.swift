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

  /// Whether the entry, which is a name, can be one of those whose filters are joined in `filter`.
  @inline(__always)
  func canBeName(among filter: UInt64) -> Bool { Self.filter(of: bits) & filter != 0 || !isVerbatim }

  /// The bit of a fingerprint in a filter.
  @inline(__always)
  static func filter(of bits: UInt32) -> UInt64 { 1 &<< UInt64(bits & 63) }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// Whether the bytes of the string are its text.
  var isVerbatim: Bool { flags.isEmpty }
}

/// The tape while it is being written. Entries are written through a raw pointer, because appending to an
/// `Array` costs a uniqueness check each time. They go into the caller's buffer and, only when that is full,
/// into separately allocated memory, which is freed with the value on every path.
struct JSONTape: ~Copyable {
  private(set) var count = 0
  private var capacity: Int
  private var storage: UnsafeMutablePointer<JSONTapeEntry>
  private var hasOutgrownRoom = false

  /// - Parameter room: The buffer, with capacity for at least one entry; must remain valid as long as the
  ///   tape.
  init(in room: UnsafeMutablePointer<JSONTapeEntry>, capacity: Int) {
    self.capacity = capacity
    storage = room
  }

  deinit { if hasOutgrownRoom { storage.deallocate() } }

  /// The initial number of entries for a text of this length: one per 24 bytes, which suffices for most
  /// texts. Unused entries would be kept as long as the document; a denser text costs a copy.
  static func usualCount(forTextOf length: Int) -> Int { (length / 24 + 16).sizeClass }

  /// The number of entries in the caller's buffer: all or none.
  var countInRoom: Int { hasOutgrownRoom ? 0 : count }

  /// The entries, if they outgrew the caller's buffer.
  var entriesOutsideRoom: [JSONTapeEntry]? {
    hasOutgrownRoom ? Array(UnsafeBufferPointer(start: storage, count: count)) : nil
  }

  @inline(__always)
  subscript(index: Int) -> JSONTapeEntry {
    get {
      assert(index < count)
      return storage[index]
    }
    set {
      assert(index < count)
      storage[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ entry: JSONTapeEntry) {
    if count == capacity { grow() }
    (storage + count).initialize(to: entry)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<JSONTapeEntry>.allocate(capacity: capacity)
    larger.moveInitialize(from: storage, count: count)
    if hasOutgrownRoom { storage.deallocate() }
    hasOutgrownRoom = true
    storage = larger
  }
}

extension Int {
  /// The next of sixteen sizes between consecutive powers of two, at most a sixteenth larger than the number.
  ///
  /// Pages of one list have similar but not equal sizes. Buffers with rounded sizes are interchangeable, so
  /// that the memory of a released page can be reused for the next.
  package var sizeClass: Int {
    guard self > 16 else { return Swift.max(self, 0) }
    let step = 1 << (bitWidth - (self - 1).leadingZeroBitCount - 5)
    return (self + step - 1) & ~(step - 1)
  }
}
