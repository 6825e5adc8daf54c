/// The tape while it is being written: entries by bare pointer, because appending to an `Array` costs a check of
/// uniqueness each time. They go into room that the caller has, and only when that is full into memory of its
/// own, which is freed with the value, on every path.
struct JSONTape: ~Copyable {
  private(set) var count = 0
  private var capacity: Int
  private var storage: UnsafeMutablePointer<JSONTapeEntry>
  private var hasOutgrownRoom = false

  /// - Parameter room: valid as long as the tape, for at least one entry.
  init(in room: UnsafeMutablePointer<JSONTapeEntry>, capacity: Int) {
    self.capacity = capacity
    storage = room
  }

  deinit { if hasOutgrownRoom { storage.deallocate() } }

  /// The entries that most texts of a length need: one, a value or a name, for 24 bytes. More would be kept as long as
  /// the document is; a denser text costs a copy.
  static func usualCount(forTextOf length: Int) -> Int { (length / 24 + 16).sizeClass }

  /// How many entries lie in the room: all or none.
  var countInRoom: Int { hasOutgrownRoom ? 0 : count }

  /// The entries when the room was too small for them.
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
