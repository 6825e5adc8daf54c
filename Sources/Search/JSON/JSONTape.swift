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
