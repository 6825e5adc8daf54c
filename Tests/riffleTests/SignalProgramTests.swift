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
}
