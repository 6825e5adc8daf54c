import Glibc
import Synchronization

/// Feeds one part of riffle with bytes that libFuzzer makes up, until something does not hold.
///
///     RIFFLE_TOOLS=1 swift run -c release --scratch-path .build/fuzzing --sanitize fuzzer Fuzzing json -max_total_time=30
///
/// What follows the name of the target are libFuzzer's own options and folders of samples.
@main
enum Fuzzing {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let target = Target.all.first(where: { $0.name == arguments[1] }) else {
      let targets = Target.all.map { "  \($0.name)  \($0.summary)\n" }.joined()
      print("usage: Fuzzing TARGET [libFuzzer's options and folders]\n\(targets)", terminator: "")
      exit(64)
    }
    current.withLock { $0 = target }
    var words: [UnsafeMutablePointer<CChar>?] = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) }
    words.append(nil)
    exit(
      words.withUnsafeMutableBufferPointer { words in
        var count = CInt(words.count - 1)
        var start = words.baseAddress
        return runDriver(&count, &start) { bytes, count in
          let target = Fuzzing.current.withLock { $0 }
          target?.feed(Array(UnsafeBufferPointer(start: bytes, count: count)))
          return 0
        }
      })
  }

  /// Set once, before the driver runs.
  static let current = Mutex<Target?>(nil)
}

/// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
