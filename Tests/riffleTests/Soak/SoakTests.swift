import DemoTesting
import Foundation
import TestSupport
import Testing

/// Tests that run long enough to reveal leaks: `RIFFLE_SOAK=30 swift test --filter SoakTests`.
@Suite(.takesTurns, .serialized) struct SoakTests {
  @Test func `A session with random keys and faults leaks no memory, descriptors or threads.`() async throws {
    let server = try await TestServer.start()
    let faults = "500,truncate,429,html,503,empty,duplicates,escapes,badutf8,redirect,loop,secondary"
    let source = Self.source(
      at: server, "fault = '\(faults)', every = '6', run = '{query}', retry_after = '1'")
    try await withFile("soak.toml", source) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "arrow"], columns: 100, rows: 24,
        environment: ["HOME=\(home)", "PATH=/nonexistent"])
      #expect(terminal.shows("demo"))
      let rounds = try Self.rounds(of: terminal)
      Self.report(rounds)
      if SoakLength.isLong {
        // Connections and rows come and go, so peaks vary, but a leak raises even the minimum.
        let (first, last) = (rounds.prefix(rounds.count / 3), rounds.suffix(rounds.count / 3))
        #expect(last.map(\.memory).min()! <= first.map(\.memory).max()! + 2_048)
        #expect(last.map(\.descriptors).min()! <= first.map(\.descriptors).max()!)
        #expect(last.map(\.threads).min()! <= first.map(\.threads).max()!)
      }
      #expect(Self.fallsAsleep(terminal))
      terminal.type("\u{03}\u{03}\u{03}")
      #expect(terminal.ending() == .signal(2))
      #expect(terminal.isAsFound)
    }
    try await server.stop()
  }

  @Test func `[D63] Random keys over 2,000 rows never freeze a session.`() async throws {
    let server = try await TestServer.start()
    try await withFile("soak.toml", Self.source(at: server, "run = '1'", pageSize: 100)) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "e"], columns: 120, rows: 40,
        environment: ["HOME=\(home)", "PATH=/nonexistent"])
      try #require(terminal.shows("100 loaded"))
      terminal.type("19M")
      try #require(terminal.shows("of 2,000"), "\(terminal.output.suffix(2_000))")
      var random = SeededGenerator(seed: 63)
      let end = ContinuousClock.now + .seconds(60 * SoakLength.minutes)
      var rounds = 0
      while .now < end || rounds < 10 {
        let keys = (0..<Int.random(in: 1...20, using: &random)).map { _ in
          Self.keys.randomElement(using: &random) ?? "j"
        }
        for key in keys { terminal.type(key) }
        if random.next() % 8 == 0 {
          terminal.resize(
            columns: UInt16.random(in: 15...140, using: &random),
            rows: UInt16.random(in: 3...45, using: &random))
        }
        // Once the screen is redrawn, the keys have been handled.
        guard terminal.shows("␛[2J", within: .seconds(20)) else {
          Issue.record(
            "stands still after \(rounds) rounds and \(keys): \(UnresponsiveProgram(of: terminal))")
          break
        }
        terminal.forget()
        rounds += 1
      }
      print("\(rounds) rounds of random keys over 2,000 rows")
      terminal.type("\u{03}\u{03}\u{03}")
      #expect(terminal.ending() == .signal(2))
    }
    try await server.stop()
  }

  @Test func `A run of many pages with faults writes every row once, in constant memory.`() async throws {
    let server = try await TestServer.start()
    let clean = try await Self.run(pages: SoakLength.pages / 10, at: server, "")
    let faults = "fault = '500,truncate,429,503', every = '50', retry_after = '1'"
    let whole = try await Self.run(pages: SoakLength.pages, at: server, faults)
    #expect(clean.status == 0 && whole.status == 0, "\(clean.errors)\(whole.errors)")
    let rows = whole.rows.split(separator: "\n")
    #expect(rows.count == SoakLength.pages * Self.pageSize)
    #expect(Set(rows).count == rows.count)
    #expect(whole.rows.hasPrefix(clean.rows))
    print(
      "\(SoakLength.pages) pages: \(whole.peak) KiB at most; a tenth of them, without faults: \(clean.peak) KiB"
    )
    // A short run ends before its peak is measured.
    if SoakLength.isLong { #expect(whole.peak < clean.peak + 16_384) }
    try await server.stop()
  }

  private static let pageSize = 5

  private static func source(
    at server: TestServer, _ faults: String, pageSize: Int = pageSize
  ) -> String {
    """
    schema = 1
    id = "demo"
    [request]
    url = "\(server.baseURL)/pages"
    params = { q = "{query}", \(faults) }
    [pagination]
    type = "page"
    param = "page"
    size = { param = "per_page", default = \(pageSize), max = 100 }
    next = "link:next"
    [rows]
    path = "items"
    id = "code_point"
    total = "total_count"
    [[columns]]
    path = "code_point"
    [[columns]]
    path = "name"
    [limits]
    concurrency = 4
    """
  }
}

/// The state of a program that no longer responds: its last output, its threads, and their stacks if gdb is
/// installed.
private struct UnresponsiveProgram: CustomStringConvertible {
  let description: String

  init(of terminal: PseudoTerminal) {
    let folder = "/proc/\(terminal.processID)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let states = threads.map { thread in
      let facts = ["comm", "wchan", "syscall"].map { name in
        ((try? String(contentsOfFile: "\(folder)/\(thread)/\(name)", encoding: .utf8)) ?? "?")
          .trimmingCharacters(in: .newlines)
      }
      return "\(thread) \(facts.joined(separator: " "))"
    }
    description = """
      \(terminal.output.suffix(4_000))
      \(states.joined(separator: "\n"))
      \(Self.stacks(of: terminal.processID))
      """
  }

  private static func stacks(of processID: Int32) -> String {
    let debugger = Process()
    debugger.executableURL = URL(filePath: "/usr/bin/gdb")
    debugger.arguments = ["-p", "\(processID)", "-batch", "-ex", "thread apply all backtrace"]
    let output = Pipe()
    debugger.standardOutput = output
    debugger.standardError = FileHandle.nullDevice
    guard (try? debugger.run()) != nil else { return "no gdb, no stacks" }
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

// MARK: The session

extension SoakTests {
  /// Keys for everything that neither leaves nor stops the program.
  private static let keys = [
    "j", "5j", "k", "␛[6~", "␛[5~", "G", "g", "M", "3M", "N", "r", "R", "&left\r", "&\u{15}\r", "/arrow\r",
    "n", "N", "]",
    "=", "h", "l", "v", "J", "x", "X", "L", "?", "␛[B", "␛[A", "\t", " ", "b", "d", "u", "<", ">", "z",

    "s\u{15}double\r", "s\u{15}left\r", "s\u{15}arrow\r", "s\u{15}no such thing\r", "␛[200~pasted␛[201~",
    "\u{0C}",
  ]

  /// Measurements, one after each round of keys.
  private static func rounds(of terminal: PseudoTerminal) throws -> [ProcessFacts] {
    var random = SeededGenerator(seed: 7)
    var rounds: [ProcessFacts] = []
    let end = ContinuousClock.now + .seconds(60 * SoakLength.minutes)
    while .now < end || rounds.count < 6 {
      for _ in 0..<40 {
        terminal.type(Self.keys.randomElement(using: &random) ?? "j")
        if random.next() % 16 == 0 {
          terminal.resize(columns: UInt16.random(in: 30...140, using: &random), rows: 24)
        }
        // Once the screen is redrawn, the key has been handled.
        try #require(terminal.shows("␛[2J"), "\(terminal.output.suffix(2_000))")
      }
      terminal.forget()
      rounds.append(try #require(ProcessFacts(of: terminal.processID)))
    }
    return rounds
  }

  private static func report(_ rounds: [ProcessFacts]) {
    for index in stride(from: 0, to: rounds.count, by: max(1, rounds.count / 6)) {
      let facts = rounds[index]
      print(
        "round \(index + 1) of \(rounds.count): \(facts.memory) KiB, \(facts.descriptors) descriptors, \(facts.threads) threads"
      )
    }
  }

  /// Whether the program becomes idle: within 90 seconds, none of its threads wakes for a second.
  private static func fallsAsleep(_ terminal: PseudoTerminal) -> Bool {
    var before = ProcessFacts(of: terminal.processID)?.sleeps
    for _ in 0..<90 {
      _ = terminal.waits(for: "nothing that is ever written", within: .seconds(1))
      let now = ProcessFacts(of: terminal.processID)?.sleeps
      if now == before { return true }
      before = now
    }
    return false
  }
}

// MARK: The run in a script

extension SoakTests {
  private struct Run {
    let status: Int32
    let errors: String
    let rows: String
    /// The peak memory in KiB, as last measured.
    let peak: Int
  }

  private static func run(pages: Int, at server: TestServer, _ faults: String) async throws -> Run {
    try await withFile("soak.toml", source(at: server, faults.isEmpty ? "run = '1'" : faults)) { file in
      let rows = file + ".tsv"
      let process = Program.process([
        "search", file, "e", "--all", "--max-pages", "\(pages)", "--page-size", "\(pageSize)", "--no-header",
        "--retries", "5", "-f", "tsv", "-o", rows,
      ])
      let messages = Pipe()
      process.standardError = messages
      let end = try process.start()
      async let watched = peak(of: process.processIdentifier)
      try await end.end()
      return Run(
        status: process.terminationStatus,
        errors: String(decoding: messages.fileHandleForReading.availableData, as: UTF8.self),
        rows: try String(contentsOfFile: rows, encoding: .utf8), peak: await watched)
    }
  }

  private static func peak(of process: Int32) async -> Int {
    var peak = 0
    while let now = ProcessFacts.peak(of: process) {
      peak = now
      try? await Task.sleep(for: .milliseconds(20))
    }
    return peak
  }
}
