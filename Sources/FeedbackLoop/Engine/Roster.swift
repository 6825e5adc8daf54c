/// The keys a set react wants: which are occupied, which of those hold a slot, and which wait for one.
///
/// A key is *occupied* from the start of its effect until it leaves the wanted keys, even after the effect has
/// returned. It holds a *slot* only while its effect runs.
struct Roster<Key: Hashable & Sendable>: Sendable {
  struct Admission {
    let key: Key
    let lifetime: Lifetime
    /// The causal depth of the state that first requested the key, which may be earlier than when the slot became free.
    let depth: Int
  }

  private let slots: Int
  private var occupied: [Key: Lifetime] = [:]
  private var holders: [Lifetime: Key] = [:]
  /// The keys without a slot, the next one last.
  private var waiting: [(key: Key, depth: Int)] = []

  /// - Parameter slots: How many effects may run at once; at least 1.
  init(slots: Int) {
    self.slots = max(1, slots)
  }

  /// Releases the keys that are no longer wanted, in the order in which they had started.
  ///
  /// `keys` is in starting order and may contain duplicates, of which the first counts. O(keys + occupied keys).
  mutating func leave(allBut keys: [Key], depth: Int) -> [Lifetime] {
    var wanted = Set<Key>(minimumCapacity: keys.count)
    let depths = Dictionary(waiting.map { ($0.key, $0.depth) }, uniquingKeysWith: { first, _ in first })
    waiting.removeAll(keepingCapacity: true)
    for key in keys where wanted.insert(key).inserted && occupied[key] == nil {
      waiting.append((key, depths[key] ?? depth))
    }
    waiting.reverse()
    let left = occupied.filter { !wanted.contains($0.key) }
    for (key, lifetime) in left {
      occupied[key] = nil
      holders[lifetime] = nil
    }
    return left.values.sorted()
  }

  /// Gives free slots to waiting keys, in order.
  mutating func admit(_ context: inout StepContext) -> [Admission] {
    let count = min(waiting.count, slots - holders.count)
    guard count > 0 else { return [] }
    let admissions = waiting.suffix(count).reversed().map { entry in
      Admission(key: entry.key, lifetime: context.newLifetime(), depth: entry.depth)
    }
    waiting.removeLast(count)
    for admission in admissions {
      occupied[admission.key] = admission.lifetime
      holders[admission.lifetime] = admission.key
    }
    return admissions
  }

  /// The key whose effect has this lifetime, while it holds its slot.
  func key(of lifetime: Lifetime) -> Key? {
    holders[lifetime]
  }

  /// Frees the slot of an effect that returned; its key stays occupied.
  mutating func release(_ lifetime: Lifetime) {
    holders[lifetime] = nil
  }
}
