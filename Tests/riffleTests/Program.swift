import Foundation
import Testing

/// The built program, run as a user's script would run it.
enum Program {
  struct Result {
    let status: Int32
    /// The signal that ended it, if one did.
    let signal: Int32?
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
  }

  static var path: String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.appendingPathComponent("riffle").path
  }

  /// Runs to the end, with an empty home and nothing on stdin.
  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    async let text = everything(from: output)
    async let complaints = everything(from: errors)
    let result = await (text, complaints)
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return Result(
      status: process.terminationStatus, signal: signalled ? process.terminationStatus : nil,
      output: result.0,
      errors: result.1)
  }

  /// Runs a shell line in which `riffle` is the built program.
  static func shell(_ line: String) async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; riffle() { \"\(path)\" \"$@\"; }; \(line)"]
    process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    async let text = everything(from: output)
    async let complaints = everything(from: errors)
    let result = await (text, complaints)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, signal: nil, output: result.0, errors: result.1)
  }

  private static func everything(from pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
      }
    }
  }
}

/// A file that exists while `body` runs.
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
