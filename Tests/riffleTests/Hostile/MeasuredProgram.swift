import Foundation

/// The built program with its peak of memory.
struct MeasuredProgram {
  let status: Int32
  let errors: String
  /// Resident, in MiB.
  let peak: Int

  /// Runs to the end a search that fails.
  ///
  /// The peak stands in `/proc` as long as the process lives (what `wait4` tells counts that of the process which
  /// started it). So the statistics, which come last, go to a pipe that nobody reads before it is looked up.
  static func run(_ arguments: [String]) async throws -> MeasuredProgram {
    try await withFile("folder", "") { file in
      let pipe = (file as NSString).deletingLastPathComponent + "/statistics"
      guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      let process = Program.process(arguments + ["--stats", pipe])
      let messages = Pipe()
      process.standardOutput = FileHandle.nullDevice
      process.standardError = messages
      try process.run()
      return await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let errors = messages.fileHandleForReading.availableData
          let peak = Self.peak(of: process.processIdentifier) ?? .max
          let reader = open(pipe, O_RDONLY | O_NONBLOCK)
          process.waitUntilExit()
          close(reader)
          continuation.resume(
            returning: MeasuredProgram(
              status: process.terminationStatus, errors: String(decoding: errors, as: UTF8.self), peak: peak))
        }
      }
    }
  }

  /// The most that was resident so far (`VmHWM`), in MiB; nil when the process is over.
  static func peak(of process: Int32) -> Int? {
    let facts = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = facts.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 }
  }
}
