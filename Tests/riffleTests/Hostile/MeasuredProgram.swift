import Foundation

/// A run of the built program with its peak memory.
struct MeasuredProgram {
  let status: Int32
  let errors: String
  /// Resident memory, in MiB.
  let peak: Int

  /// Runs a search that fails to its end.
  ///
  /// The peak is in `/proc` only while the process lives (the value from `wait4` includes that of the process which
  /// started it). So the statistics, which are written last, go to a pipe that nobody reads until the peak has been
  /// looked up.
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
        Thread.detachNewThread {
          let errors = messages.fileHandleForReading.availableData
          let peak = ProcessFacts.peak(of: process.processIdentifier).map { $0 / 1024 } ?? .max
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
