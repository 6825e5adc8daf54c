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
          let peak = (ProcessFacts(of: process.processIdentifier)?.peak).map { $0 / 1024 } ?? .max
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
}
