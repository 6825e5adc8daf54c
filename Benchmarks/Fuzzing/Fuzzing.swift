import Glibc
import Synchronization

/// Feeds one part of riffle with bytes that libFuzzer makes up, until something does not hold.
///
///     RIFFLE_TOOLS=1 swift run -c release --scratch-path .build/fuzzing --sanitize fuzzer Fuzzing json -max_total_time=30
///
/// What follows the name of the target are libFuzzer's own options and folders of samples.
enum Fuzzing {
  /// Set once, before the first input.
  static let current = Mutex<Target?>(nil)
}

/// Called by libFuzzer once (llvm.org/docs/LibFuzzer.html, "Startup initialization"): takes the name of the target.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let name = count.pointee > 1 ? words.pointee[1].map { String(cString: $0) } : nil
  guard let target = Target.all.first(where: { $0.name == name }) else {
    let targets = Target.all.map { "  \($0.name)  \($0.summary)\n" }.joined()
    print("usage: Fuzzing TARGET [libFuzzer's options and folders]\n\(targets)", terminator: "")
    exit(64)
  }
  Fuzzing.current.withLock { $0 = target }
  words.pointee[1] = words.pointee[0]
  words.pointee += 1
  count.pointee -= 1
  return 0
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func feed(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let target = Fuzzing.current.withLock { $0 }
  target?.feed(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
