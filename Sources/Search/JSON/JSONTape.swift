/// The tape while it is being written: entries in memory of its own, because appending to an `Array` costs
/// a check of uniqueness each time. Freed with the value, on every path.
struct JSONTape: ~Copyable {
  private(set) var count = 0
  private var capacity: Int
  private var storage: UnsafeMutablePointer<JSONTapeEntry>

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  var entries: [JSONTapeEntry] { Array(UnsafeBufferPointer(start: storage, count: count)) }

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
    storage.deallocate()
    storage = larger
  }
}
