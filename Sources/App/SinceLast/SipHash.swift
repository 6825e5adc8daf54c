/// SipHash-2-4 with a result of 128 bits, as its authors publish it (Aumasson and Bernstein, "SipHash: a fast
/// short-input PRF", 2012, and their reference implementation). With the same key it is the same on every machine, and
/// without the key nobody can make two texts with the same hash.
struct SipHash: Sendable {
  let key: (UInt64, UInt64)

  /// The hash as two numbers, the first 8 bytes in the first one, least significant byte first. O(bytes).
  func callAsFunction(_ bytes: some Collection<UInt8>) -> (UInt64, UInt64) {
    bytes.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes(digest)
  }

  private func digest(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    var state = State(key)
    var offset = 0
    while offset + 8 <= bytes.count {
      state.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for index in offset..<bytes.count { last |= UInt64(bytes[index]) << UInt64(8 * (index - offset)) }
    state.add(last)
    return state.finish()
  }

  private struct State {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = 0x736f_6d65_7073_6575 ^ key.0
      v1 = 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee
      v2 = 0x6c79_6765_6e65_7261 ^ key.0
      v3 = 0x7465_6462_7974_6573 ^ key.1
    }

    mutating func add(_ word: UInt64) {
      v3 ^= word
      mix(rounds: 2)
      v0 ^= word
    }

    mutating func finish() -> (UInt64, UInt64) {
      v2 ^= 0xee
      mix(rounds: 4)
      let first = v0 ^ v1 ^ v2 ^ v3
      v1 ^= 0xdd
      mix(rounds: 4)
      return (first, v0 ^ v1 ^ v2 ^ v3)
    }

    private mutating func mix(rounds: Int) {
      for _ in 0..<rounds {
        v0 &+= v1
        v1 = Self.rotated(v1, 13) ^ v0
        v0 = Self.rotated(v0, 32)
        v2 &+= v3
        v3 = Self.rotated(v3, 16) ^ v2
        v0 &+= v3
        v3 = Self.rotated(v3, 21) ^ v0
        v2 &+= v1
        v1 = Self.rotated(v1, 17) ^ v2
        v2 = Self.rotated(v2, 32)
      }
    }

    private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
      value &<< bits | value &>> (64 - bits)
    }
  }
}
