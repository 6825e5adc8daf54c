import Demo
import Foundation
import Glibc
import Testing

/// A script that is interrupted gets what is complete, and the caller sees the signal.
@Suite struct SignalProgramTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal closes the document and ends the run as that signal.`(
    signal: Int32
  ) async throws {
    let server = try await DemoServer.start()
    let (process, text) = try await withFile("slow.toml", hangingSource(server.baseURL)) { file in
      let process = Program.process(["search", file, "arrow", "--all", "-f", "json"])
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      while server.requestLog.isEmpty, process.isRunning { await Task.yield() }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      return (process, String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
    try await server.stop()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(text == "[]\n")
  }

  @Test func `A reader that stalls keeps no run alive.`() async throws {
    let process = Program.process(["search", "unicode", "letter", "--all", "-f", "jsonl"])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // Nobody reads: the pipe fills, and the writer stands.
    while poll(output), process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    kill(process.processIdentifier, SIGTERM)
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGTERM)
  }

  /// Whether less than 64 KiB, all a pipe holds, stand in it.
  private func poll(_ pipe: Pipe) -> Bool {
    var waiting: Int32 = 0
    _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting)
    return waiting < 60_000
  }
}
