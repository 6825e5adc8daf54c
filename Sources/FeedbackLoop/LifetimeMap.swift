/// A map from lifetimes, with a hash function that is one multiplication.
///
/// A lifetime is a number that the system itself counts up, so nobody can choose lifetimes that collide, and the hash
/// function of a dictionary would only cost time. Every operation is amortized O(1).
@usableFromInline
struct LifetimeMap<Value: Sendable>: Sendable {
  /// In no particular order.
  @usableFromInline var lifetimes: [Lifetime] = []
  /// The value of each of ``lifetimes``.
  @usableFromInline var values: [Value] = []
  /// An open hash table of positions in ``lifetimes``, plus 1; 0 is a free slot. Its size is a power of two, and at
  /// least half of it is free.
  @usableFromInline var table: [UInt32] = []

  @inlinable
  init() {}

  @inlinable var count: Int { values.count }

  /// The position of the value of a lifetime, which is valid until a value is removed.
  @inlinable
  func position(of lifetime: Lifetime) -> Int? {
    guard !table.isEmpty else { return nil }
    let slot = slot(of: lifetime)
    return table[slot] == 0 ? nil : Int(table[slot]) &- 1
  }

  /// - Precondition: The lifetime is not in the map.
  @inlinable
  mutating func insert(_ value: Value, for lifetime: Lifetime) {
    lifetimes.append(lifetime)
    values.append(value)
    if table.count < 2 * count {
      rebuild(size: max(8, 2 * table.count))
    } else {
      table[slot(of: lifetime)] = UInt32(truncatingIfNeeded: count)
    }
  }

  @inlinable
  @discardableResult
  mutating func removeValue(for lifetime: Lifetime) -> Value? {
    guard !table.isEmpty else { return nil }
    let slot = slot(of: lifetime)
    guard table[slot] != 0 else { return nil }
    let position = Int(table[slot]) &- 1
    // The last value takes its place.
    if position != count - 1 {
      table[self.slot(of: lifetimes[count - 1])] = table[slot]
      lifetimes.swapAt(position, count - 1)
      values.swapAt(position, count - 1)
    }
    // While the removed lifetime is still at the end, since the table refers to it.
    free(slot)
    lifetimes.removeLast()
    let value = values.removeLast()
    if count == 0, table.count > 256 { self = LifetimeMap() }
    return value
  }

  /// The slot of a lifetime, or the free one where it belongs.
  @inlinable
  func slot(of lifetime: Lifetime) -> Int {
    var slot = preferredSlot(of: lifetime)
    while table[slot] != 0, lifetimes[Int(table[slot]) &- 1] != lifetime {
      slot = (slot &+ 1) & (table.count &- 1)
    }
    return slot
  }

  /// Multiplies by 2⁶⁴ divided by the golden ratio, which spreads consecutive numbers evenly.
  @inlinable
  func preferredSlot(of lifetime: Lifetime) -> Int {
    let bits = UInt64(truncatingIfNeeded: table.count.trailingZeroBitCount)
    return Int(truncatingIfNeeded: (lifetime &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
  }

  /// Frees a slot, and moves those after it so that each lifetime is found from its preferred slot.
  @inlinable
  mutating func free(_ removed: Int) {
    let mask = table.count &- 1
    var free = removed
    table[free] = 0
    var slot = (free &+ 1) & mask
    while table[slot] != 0 {
      let distance = (slot &- preferredSlot(of: lifetimes[Int(table[slot]) &- 1])) & mask
      if distance >= (slot &- free) & mask {
        table[free] = table[slot]
        table[slot] = 0
        free = slot
      }
      slot = (slot &+ 1) & mask
    }
  }

  @inlinable
  mutating func rebuild(size: Int) {
    table = Array(repeating: 0, count: size)
    for position in lifetimes.indices {
      table[slot(of: lifetimes[position])] = UInt32(truncatingIfNeeded: position + 1)
    }
  }
}
