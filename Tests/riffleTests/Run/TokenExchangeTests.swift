import Foundation
import HTTPValues
import Locking
import TestSupport
import Testing

@testable import Search

/// A refresh token that is replaced with each use is not lost, however a program ends while the service has received
/// it and not yet answered.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct TokenExchangeTests {
  /// A service that answers a request for a token when it is allowed to, and where a refresh token works once.
  private final class SlowService: Sendable {
    private let isAllowed = DispatchSemaphore(value: 0)
    private let state = Lock<ScriptedServer?>(nil)

    init() throws {
      let server = try ScriptedServer { [isAllowed] request in
        if request.target == "/token" {
          isAllowed.wait()
          isAllowed.signal()
          guard request.text.contains(TokenService.refresh("ONE")) else {
            return .status(400, "{\"error\": \"invalid_grant\"}")
          }
          return .json(
            "{\"access_token\": \"\(TokenService.access("TWO"))\", \"token_type\": \"Bearer\", \"refresh_token\": \"\(TokenService.refresh("TWO"))\"}"
          )
        }
        return request.text.contains("Bearer \(TokenService.access("TWO"))\n")
          ? .json("{\"items\": [{\"id\": 1}]}") : .status(401)
      }
      state.withLock { $0 = server }
    }

    var server: ScriptedServer? { state.withLock(\.self) }
    var baseURL: String { server?.baseURL ?? "" }
    var isAsked: Bool { server?.requests.contains { $0.hasPrefix("POST /token") } ?? false }

    /// Answers the request for a token that waits, and all later ones.
    func answer() { isAllowed.signal() }

    func stop() {
      answer()
      server?.stop()
    }

    var source: String {
      """
      schema = 1
      id = "mine"
      request.url = "\(baseURL)/list"
      rows = { path = "items", id = "id" }
      [auth]
      type = "oauth"
      grant = "refresh_token"
      token_url = "\(baseURL)/token"
      client_id = "ann"
      refresh_from = "env:REFRESH"
      """
    }
  }

  private func environment(_ state: StateHome) -> [String: String] {
    ["XDG_STATE_HOME": state.path, "REFRESH": TokenService.refresh("ONE"), "HOME": "/dev/null"]
  }

  /// Calls `body` with the source's file, then runs a search, which only succeeds with the stored token.
  private func withService(
    keeps: Bool = true, _ body: (SlowService, _ file: String, [String: String]) async throws -> Void
  ) async throws {
    let service = try SlowService()
    defer { service.stop() }
    try await StateHome.with { state in
      try await withFile("mine.toml", service.source) { file in
        try await body(service, file, environment(state))
        #expect((state.kept == "TWO refresh TWO") == keeps)
        service.answer()
        if keeps {
          let next = try await Program.run(
            ["search", file, "--all", "-f", "csv", "--trust"], environment: environment(state))
          #expect(next.output == "id\n1\n" && next.status == 0, "\(next)")
        }
      }
    }
  }

  /// A program that has begun to request a token.
  private struct StartedRun {
    let process: Process
    let end: AsyncStream<ContinuousClock.Instant>
    let output = Pipe()
    let errors = Pipe()

    init(_ arguments: [String], _ environment: [String: String], _ service: SlowService) async throws {
      process = Program.process(arguments)
      process.environment = environment
      process.standardOutput = output
      process.standardError = errors
      end = try process.start()
      try await once { service.isAsked }
    }

    func kill(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal ends a run after the new token is stored.`(signal: Int32) async throws {
    try await withService { service, file, environment in
      let run = try await StartedRun(
        ["search", file, "--all", "-f", "json", "--trust"], environment, service)
      run.kill(signal)
      // The document is complete before the token arrives.
      #expect(run.output.fileHandleForReading.text(until: "]\n") == "[]\n")
      service.answer()
      try await run.end.end()
      #expect(run.process.terminationReason == .uncaughtSignal && run.process.terminationStatus == signal)
    }
  }

  @Test func `A user who does not want to wait for the new token leaves with a second signal.`() async throws
  {
    try await withService(keeps: false) { service, file, environment in
      let run = try await StartedRun(
        ["search", file, "--all", "-f", "json", "--trust"], environment, service)
      run.kill(SIGINT)
      #expect(
        run.errors.fileHandleForReading.text(until: "\n")
          == "riffle: waiting for a new token, which would be lost (Ctrl-C: leave without it)\n")
      run.kill(SIGINT)
      try await run.end.end()
      #expect(run.process.terminationReason == .uncaughtSignal && run.process.terminationStatus == SIGINT)
    }
  }

  @Test func `[S8] A second signal ends a run at once, even before riffle says what it waits for.`()
    async throws
  {
    try await withService(keeps: false) { service, file, environment in
      let run = try await StartedRun(
        ["search", file, "--all", "-f", "json", "--trust"], environment, service)
      let start = ContinuousClock.now
      run.kill(SIGINT)
      // The first one has been handled.
      #expect(run.output.fileHandleForReading.text(until: "]\n") == "[]\n")
      // One that arrives while the document is being finished is ignored.
      try await once {
        run.kill(SIGINT)
        return !run.process.isRunning
      }
      try await run.end.end()
      #expect(run.process.terminationReason == .uncaughtSignal && run.process.terminationStatus == SIGINT)
      #expect(ContinuousClock.now - start < .seconds(8))
    }
  }

  @Test func `[S8] After q, riffle says what it waits for, and Ctrl-C leaves at once.`() async throws {
    try await withService(keeps: false) { service, file, environment in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "--trust"], columns: 80, rows: 12,
        environment: environment.map { "\($0)=\($1)" })
      try await once { service.isAsked }
      let start = ContinuousClock.now
      terminal.type("q")
      #expect(terminal.waits(for: "Ctrl-C: leave without it"))
      terminal.type("\u{3}")
      #expect(terminal.ending() == .signal(SIGINT))
      #expect(ContinuousClock.now - start < .seconds(8))
    }
  }

  @Test func `[S8] --timeout holds for the request for a token.`() async throws {
    try await withService(keeps: false) { _, file, environment in
      let start = ContinuousClock.now
      let run = try await Program.run(
        ["search", file, "--all", "-f", "json", "--trust", "--timeout", "1s", "--retries", "0"],
        environment: environment)
      #expect(run.errors.contains("within 1 s"), "\(run)")
      #expect(ContinuousClock.now - start < .seconds(8))
    }
  }

  @Test func `[S8] A quit signal leaves the pager at once while a token is requested.`() async throws {
    try await withService(keeps: false) { service, file, environment in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "--trust"], columns: 80, rows: 12,
        environment: environment.map { "\($0)=\($1)" })
      try await once { service.isAsked }
      let start = ContinuousClock.now
      terminal.type("\u{1C}")
      #expect(terminal.ending() == .signal(SIGQUIT))
      #expect(ContinuousClock.now - start < .seconds(8))
    }
  }

  @Test func `An interrupted login stores the token that is in flight.`() async throws {
    try await withService { service, file, environment in
      let login = try await StartedRun(["auth", "login", file, "--trust"], environment, service)
      login.kill(SIGINT)
      #expect(login.errors.fileHandleForReading.text(until: "\n").contains("waiting for a new token"))
      service.answer()
      try await login.end.end()
    }
  }

  @Test func `Leaving the pager stores the token that is in flight.`() async throws {
    try await withService { service, file, environment in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "--trust"], columns: 100, rows: 14,
        environment: environment.map { "\($0.key)=\($0.value)" })
      #expect(terminal.waits(for: "Loading…"))
      try await once { service.isAsked }
      terminal.type("q")
      #expect(terminal.waits(for: "␛[?1049l"))
      service.answer()
      #expect(terminal.ending() == .exit(0))
    }
  }
}

extension FileHandle {
  /// Reads until this text or the end arrives.
  fileprivate func text(until end: String) -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(end) {
      let new = availableData
      if new.isEmpty { break }
      bytes += new
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
