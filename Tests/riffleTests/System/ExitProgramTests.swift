import Foundation
import Glibc
import TestSupport
import Testing

/// Leaving never waits for the network, whatever a request is doing: the user does not have to wait the ten seconds
/// that a connection may take.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct ExitProgramTests {
  /// The phase of a request.
  enum Phase: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case connecting, greetingTLS, askingProxy, awaitingHead, readingBody, loadingNextPage, waiting
    /// Waiting for the program that prints a credential.
    case awaitingProgram

    var testDescription: String { rawValue }
    var hasRows: Bool { self == .loadingNextPage || self == .waiting }
    /// Whether `--timeout` applies in this phase.
    var isTimed: Bool { self != .waiting && self != .awaitingProgram }
  }

  private static let longest = Duration.seconds(6)
  private static let page = #"{"items": [{"id": 1}, {"id": 2}], "next": "/list?page=2"}"#

  /// A service that lets a request reach a phase and no further.
  private struct Service {
    let url: String
    var environment: [String: String] = [:]
    var tables = ""
    let isReached: @Sendable () -> Bool
    /// Kept alive while the service is in use.
    let holder: AnyObject

    init(_ phase: Phase, folder: String) async throws {
      switch phase {
      case .connecting:
        let listener = try FullListener()
        holder = listener
        url = "http://127.0.0.1:\(listener.port)"
        isReached = { listener.hasCallers }
      case .awaitingProgram:
        let (program, mark) = ("\(folder)/token", "\(folder)/started")
        try Data("#!/bin/sh\n: > \(mark)\nexec sleep 9\n".utf8).write(to: URL(filePath: program))
        chmod(program, 0o700)
        holder = try await RawServer.start { _, _ in [] }
        url = "http://127.0.0.1:1"
        tables = "[auth]\ntype = \"bearer\"\nfrom = [\"cmd:\(program)\"]"
        isReached = { access(mark, F_OK) == 0 }
      default:
        let server = try await RawServer.start { number, _ in Self.answer(phase, number) }
        holder = server
        let address = "127.0.0.1:\(server.port)"
        switch phase {
        case .greetingTLS:
          url = "https://\(address)"
          isReached = { server.connections > 0 }
        case .askingProxy:
          url = "https://service.example"
          environment = ["https_proxy": "http://\(address)"]
          isReached = { !server.requests.isEmpty }
        default:
          url = "http://\(address)"
          isReached = { server.requests.count > (phase.hasRows ? 1 : 0) }
        }
      }
    }

    private static func answer(_ phase: Phase, _ number: Int) -> [RawServer.Action] {
      switch (phase, number) {
      case (.readingBody, _): [.send("HTTP/1.1 200 OK\nContent-Length: 99\n\n{")]
      case (.loadingNextPage, 0), (.waiting, 0): [.send("HTTP/1.1 200 OK\nContent-Length: 57\n\n\(page)")]
      case (.waiting, _):
        [.send("HTTP/1.1 429 Too Many Requests\nRetry-After: 50\nContent-Length: 0\n\n")]
      default: []
      }
    }

    var source: String {
      """
      schema = 1
      id = "slow"
      [request]
      url = "\(url)/list"
      params = { q = "{query}" }
      [rows]
      path = "items"
      [pagination]
      type = "link"
      next = "next"
      \(tables)
      """
    }
  }

  private func withService(_ phase: Phase, _ body: (Service, String) async throws -> Void) async throws {
    try await withFile("slow.toml", "") { file in
      let service = try await Service(phase, folder: URL(filePath: file).deletingLastPathComponent().path)
      try Data(service.source.utf8).write(to: URL(filePath: file))
      defer { withExtendedLifetime(service.holder) {} }
      try await body(service, file)
    }
  }

  // MARK: Search

  enum SearchExitCause: Equatable, Sendable {
    case signal(Int32)
    /// The reader of the output closes the pipe.
    case reader
    /// The option `--timeout 1s`.
    case timeout
  }

  @Test(arguments: Phase.allCases)
  func `[D37] A signal, a closed reader and --timeout end a search at once in every phase.`(
    phase: Phase
  ) async throws {
    let ways = [.signal(SIGINT), .signal(SIGTERM), .signal(SIGHUP), .reader] as [SearchExitCause]
    for way in ways + (phase.isTimed ? [.timeout] : []) {
      try await withService(phase) { service, file in try await search(file, service, phase, way) }
    }
  }

  private func search(_ file: String, _ service: Service, _ phase: Phase, _ way: SearchExitCause) async throws
  {
    let limits = way == .timeout ? ["--timeout", "1s", "--retries", "0"] : []
    let process = Program.process(["search", file, "x", "--all", "-f", "csv", "--trust"] + limits)
    process.environment?.merge(service.environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let end = try process.start()
    let (identifier, isReached) = (process.processIdentifier, service.isReached)
    let (pipe, rows) = (output.fileHandleForReading.fileDescriptor, phase.hasRows ? "id\n1\n2\n" : "")
    var start = try await once {
      isReached() && Self.unreadBytes(in: pipe) >= rows.utf8.count || hasEnded(identifier)
    } _: {
      if case .signal(let number) = way { kill(identifier, number) }
    }
    if way == .reader { try output.fileHandleForReading.close() }
    if way == .timeout { start += .seconds(1) }
    let left = try await end.end()
    #expect(start.duration(to: left) < Self.longest, "\(way)")
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(said.split(separator: "\n").allSatisfy { $0.hasPrefix("riffle: ") }, "\(way): \(said)")
    switch way {
    case .signal(let number):
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    case .reader: #expect(process.terminationStatus == 0)
    case .timeout:
      #expect(process.terminationStatus == (phase.hasRows ? 3 : 1))
      #expect(said.contains("within 1 s"))
    }
    guard way != .reader else { return }
    #expect(
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == rows, "\(way)")
  }

  private static func unreadBytes(in pipe: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(pipe, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  // MARK: Pager

  enum PagerExitCause: CaseIterable, Sendable {
    case key, interrupts, interrupt, termination, hangUpSignal, hangUp

    /// Whether a process of its own shows more than a run in this one.
    var needsProcess: Bool { self != .key && self != .interrupts }
  }

  @Test(arguments: Phase.allCases)
  func `[D49] A key, a signal and a hangup of the terminal end the pager at once in every phase.`(
    phase: Phase
  ) async throws {
    for cause in PagerExitCause.allCases {
      try await withService(phase) { service, file in try await leave(file, service, cause) }
    }
  }

  private func leave(_ file: String, _ service: Service, _ cause: PagerExitCause) async throws {
    let environment = ["HOME": "/dev/null", "PATH": "/usr/bin:/bin"].merging(service.environment) { $1 }
    let (words, variables) = ([file, "x", "--trust"], environment.map { "\($0)=\($1)" })
    let terminal =
      cause.needsProcess
      ? try PseudoTerminal("riffle", arguments: words, environment: variables)
      : try Program.onTerminal(words, environment: variables)
    // A program for a credential starts before the alternate screen is entered.
    try #require(terminal.waits(for: "␛[?1049h"))
    let (identifier, isReached) = (terminal.processID, service.isReached)
    try await once { isReached() || cause.needsProcess && hasEnded(identifier) }
    let start = ContinuousClock.now
    switch cause {
    case .key: terminal.type("q")
    case .interrupts: terminal.type("\u{3}\u{3}\u{3}")
    case .interrupt: terminal.signal(SIGINT)
    case .termination: terminal.signal(SIGTERM)
    case .hangUpSignal: terminal.signal(SIGHUP)
    case .hangUp: terminal.hangUp()
    }
    let expected: PseudoTerminal.Ending =
      switch cause {
      case .key: .exit(0)
      case .interrupts, .interrupt: .signal(SIGINT)
      case .termination: .signal(SIGTERM)
      case .hangUpSignal, .hangUp: .signal(SIGHUP)
      }
    #expect(terminal.ending() == expected, "\(cause)")
    #expect(start.duration(to: .now) < Self.longest, "\(cause)")
    guard cause != .hangUp else { return }
    #expect(terminal.isAsFound, "\(cause)")
    // Only the title follows the end of the alternate screen.
    let last = terminal.output.split(separator: "␛[?1049l", omittingEmptySubsequences: false).last ?? ""
    #expect(last.split(separator: "␛").count <= 1, "\(cause): \(last)")
  }

  // MARK: Quiet

  @Test func `[D40] A reader that closes the pipe midway causes no message.`()
    async throws
  {
    let run = "riffle search unicode letter --all -f jsonl | head -n 1 > /dev/null"
    let result = try await Program.shell("for i in 1 2 3 4 5 6 7 8; do { \(run); } & done; wait")
    #expect(result.errors == "")
  }

  // MARK: Descriptors

  @Test(arguments: [8, 9, 10, 11, 12, 20])
  func `[D42] Too few file descriptors are reported before anything is opened.`(limit: Int) async throws {
    let result = try await Program.shell("ulimit -n \(limit); riffle search unicode arrow -f csv")
    #expect(result.status == 1)
    #expect(result.output == "")
    let pattern = /riffle: too few file descriptors: ulimit -n is (\d+), at least (\d+) needed\n/
    let found = try #require(result.errors.wholeMatch(of: pattern), "\(result.errors)")
    #expect(found.1 == "\(limit)")
    guard limit == 20 else { return }
    let enough = try await Program.shell("ulimit -n \(found.2); riffle search unicode arrow -f csv -n 2")
    #expect(enough.lines.count == 3 && enough.status == 0, "\(enough.errors)")
  }
}
