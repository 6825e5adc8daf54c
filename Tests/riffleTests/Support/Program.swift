import Foundation
import TestSupport
import Testing

/// Runs the built program as a user's script would.
enum Program {
  struct Result {
    let status: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
  }

  static var path: String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.appendingPathComponent("riffle").path
  }

  /// Runs to the end, without a home folder and with an empty stdin.
  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await result(of: process(path, arguments, environment))
  }

  /// Runs a shell line in which `riffle` is the built program.
  static func shell(_ line: String, environment: [String: String] = [:]) async throws -> Result {
    let script = "set -o pipefail; riffle() { \"\(path)\" \"$@\"; }; \(line)"
    return try await result(of: process("/bin/bash", ["-c", script], environment))
  }

  /// The built program, not started yet.
  static func process(_ arguments: [String]) -> Process { process(path, arguments) }

  private static func process(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ["HOME": "/dev/null", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private static func result(of process: Process) async throws -> Result {
    TakesTurns.atEnd {}
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    async let text = everything(from: output)
    async let problems = everything(from: errors)
    let said = await (text, problems)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: said.0, errors: said.1)
  }

  private static func everything(from pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
      }
    }
  }
}

extension Process {
  /// Starts the process and returns the time at which it ends. No thread is blocked: the other tests need them.
  func start() throws -> AsyncStream<ContinuousClock.Instant> {
    let (end, continuation) = AsyncStream<ContinuousClock.Instant>.makeStream()
    terminationHandler = { _ in
      continuation.yield(.now)
      continuation.finish()
    }
    try run()
    return end
  }
}

extension AsyncStream<ContinuousClock.Instant> {
  /// Waits for the end of the process. The time is when the process ended, not when the test resumed, which may have
  /// to wait for a thread.
  ///
  /// - Throws: `CancellationError` if the test's time limit is exceeded while the process runs.
  @discardableResult func end() async throws -> ContinuousClock.Instant {
    for await instant in self { return instant }
    throw CancellationError()
  }
}

/// Whether no process has this identifier. A process that has ended keeps it until its parent has read its status.
func hasEnded(_ identifier: Int32) -> Bool { kill(identifier, 0) != 0 }

/// Runs `body` with a temporary file.
func withFile<Value>(
  _ name: String, _ text: String, _ body: (String) async throws -> Value
) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("riffle-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent(name)
  try Data(text.utf8).write(to: file)
  return try await body(file.path)
}

/// A source whose service never answers.
func hangingSource(_ baseURL: String) -> String {
  """
  schema = 1
  id = "slow"
  [request]
  url = "\(baseURL)/characters"
  params = { q = "{query}", fault = "hang" }
  [rows]
  path = "items"
  """
}
