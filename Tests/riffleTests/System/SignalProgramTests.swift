import DemoTesting
import Foundation
import Glibc
import TestSupport
import Testing

/// An interrupted script gets the complete rows, and its caller sees the signal.
@Suite(.takesTurns, .timeLimit(.minutes(2))) struct SignalProgramTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal completes the document and ends the run with that signal.`(
    signal: Int32
  ) async throws {
    let server = try await TestServer.start()
    let (process, text) = try await withFile("slow.toml", hangingSource(server.baseURL)) { file in
      let process = Program.process(["search", file, "arrow", "--all", "-f", "json"])
      let output = Pipe()
      process.standardOutput = output
      let end = try process.start()
      let identifier = process.processIdentifier
      try await once {
        !server.requestLog.isEmpty || hasEnded(identifier)
      } _: {
        kill(identifier, signal)
      }
      try await end.end()
      return (process, String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
    try await server.stop()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(text == "[]\n")
  }

  @Test func `A signal that was ignored when the run started stays ignored.`() async throws {
    let server = try ScriptedServer { request in
      let numbers = request.target.split { !$0.isNumber }.compactMap { Int32($0) }
      guard let program = numbers.first else { return .status(400) }
      kill(program, SIGHUP)
      let page = numbers.count > 1 ? numbers[1] : 1
      let next = page < 5 ? ", \"next\": \"?program=\(program)&page=\(page + 1)\"" : ""
      return .json("{\"items\": [{\"id\": \(page)}]\(next)}")
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/list"
      [rows]
      path = "items"
      [pagination]
      type = "link"
      next = "next"
      """
    try await withFile("mine.toml", source) { file in
      let run = try await Program.shell(
        "trap '' HUP; bash -c 'exec \(Program.path) search \(file) --all -f csv --param program=$$'")
      #expect(run.output == "id\n1\n2\n3\n4\n5\n", "\(run.errors)")
      #expect(run.status == 0)
    }
  }

  @Test(arguments: [["letter"], ["arrow", "--sort", "name"]])
  func `A stalled reader does not keep a run alive.`(words: [String]) async throws {
    let process = Program.process(["search", "unicode", "--all", "-f", "jsonl"] + words)
    let output = Pipe()
    let descriptor = output.fileHandleForReading.fileDescriptor
    // The pipe holds less than a page and is not read, so the writer blocks as soon as there is something to read.
    #expect(fcntl(descriptor, Self.setPipeSize, 4_096) == 4_096)
    process.standardOutput = output
    let end = try process.start()
    await isReadable(descriptor)
    kill(process.processIdentifier, SIGTERM)
    try await end.end()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGTERM)
  }

  @Test(arguments: [["-v"], [], ["--stats", "-"]])
  func `A stalled reader of the messages does not keep a run alive.`(words: [String]) async throws {
    let server = try await TestServer.start()
    let stalled = try StalledPipe()
    // The first page is logged, the second never arrives.
    let faults = ["fault=hang", "from=2"].flatMap { ["--param", $0] }
    let process = Program.process(
      ["search", "unicode", "letter", "--all", "--set", "server=\(server.baseURL)"] + faults + words)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = stalled.pipe
    let end = try process.start()
    let identifier = process.processIdentifier
    try await once {
      server.requestLog.count >= 2 || hasEnded(identifier)
    } _: {
      kill(identifier, SIGINT)
    }
    try await end.end()
    try await server.stop()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
  }

  @Test func `A finished run ends at once on a signal, even when its last messages are not read.`()
    async throws
  {
    let server = try await TestServer.start()
    let stalled = try StalledPipe()
    // The run has a failure to report.
    let process = Program.process(
      ["search", "unicode", "letter", "--param", "fault=unknown", "--set", "server=\(server.baseURL)"])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = stalled.pipe
    let end = try process.start()
    let identifier = process.processIdentifier
    try await once {
      !server.requestLog.isEmpty && !isTaken(SIGINT, by: identifier) || hasEnded(identifier)
    } _: {
      kill(identifier, SIGINT)
    }
    try await end.end()
    try await server.stop()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
  }

  /// Whether the process catches or ignores a signal (proc(5)).
  private func isTaken(_ signal: Int32, by process: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return (status ?? "").split(separator: "\n").contains { line in
      guard line.hasPrefix("SigCgt:") || line.hasPrefix("SigIgn:"),
        let mask = UInt64(line.dropFirst("SigCgt:\t".count), radix: 16)
      else { return false }
      return mask & 1 << UInt64(signal - 1) != 0
    }
  }

  /// `F_SETPIPE_SZ` (fcntl(2)).
  private static let setPipeSize: Int32 = 1031

  /// Returns when the descriptor has something to read, without reading it.
  private func isReadable(_ descriptor: Int32) async {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    await withCheckedContinuation { continuation in
      source.setEventHandler { source.cancel() }
      source.setCancelHandler { continuation.resume() }
      source.resume()
    }
  }
}
