import Synchronization

/// Makes another input of the one there is, as libFuzzer's own mutations do, and returns its length
/// (llvm.org/docs/LibFuzzer.html, "Fuzzer-friendly build mode", and libFuzzer's FuzzerInterface.h).
@_cdecl("LLVMFuzzerCustomMutator")
func vary(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  var random = RandomNumbers(state: UInt64(seed))
  guard let vary = Fuzzing.current.withLock({ $0?.vary }), random.next() % 4 > 0 else {
    return mutate(bytes, count, most)
  }
  var input = Array(UnsafeBufferPointer(start: bytes, count: count))
  vary(&input, &random)
  let result = input.prefix(most)
  for (index, byte) in result.enumerated() { bytes[index] = byte }
  return result.count
}

@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// SplitMix64: the same numbers from the same seed, as libFuzzer asks for.
struct RandomNumbers: RandomNumberGenerator {
  fileprivate var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
