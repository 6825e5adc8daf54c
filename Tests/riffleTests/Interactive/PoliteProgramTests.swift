import Foundation
import Glibc
import TestSupport
import Testing

/// Counts the requests of a session in a real pseudo-terminal.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct PoliteProgramTests {
  /// A service that allows ten requests a minute, as GitHub's search does without a token, with 30 rows on a page, or as
  /// many as are requested.
  private func session(
    _ body: (PseudoTerminal, _ targets: () -> [String]) async throws -> Void
  ) async throws {
    let reset = Int(Date().timeIntervalSince1970) + 60
    let server = try ScriptedServer { request in
      let size = request.target.contains("size=100") ? 100 : 30
      let page =
        request.target.split(separator: "page=").last.flatMap { Int($0.prefix(while: \.isNumber)) } ?? 1
      let rows = ((page - 1) * size..<page * size).filter { $0 < 250 }.map {
        #"{"id": \#($0), "name": "row \#($0)"}"#
      }
      return .json(
        #"{"items": [\#(rows.joined(separator: ","))], "total": 250}"#, ("X-RateLimit-Limit", "10"),
        ("X-RateLimit-Remaining", "\(9 - request.number)"), ("X-RateLimit-Reset", "\(reset)"))
    }
    defer { server.stop() }
    let document = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/search"
      params = { q = "{query}" }
      [pagination]
      type = "page"
      param = "page"
      size = { param = "size", default = 30, max = 100 }
      [rows]
      path = "items"
      id = "id"
      total = "total"
      [[columns]]
      path = "name"
      [limits]
      limit = "header:x-ratelimit-limit"
      remaining = "header:x-ratelimit-remaining"
      reset = { from = "header:x-ratelimit-reset", kind = "epoch" }
      min_interval = "2s"
      """
    try await withFile("mine.toml", document) { file in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file], columns: 100, rows: 24,
        environment: ["HOME=/dev/null", "PATH=/usr/bin:/bin"])
      try #require(terminal.shows("query"), "\(terminal.output.suffix(2_000))")
      try await body(terminal) {
        server.requests.map { String($0.split(separator: " ").dropFirst().first?.dropFirst(8) ?? "") }
      }
      terminal.type("\u{3}")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `[P3] A word typed at a person's pace costs two requests, and its second page a key.`()
    async throws
  {
    try await session { terminal, targets in
      for (key, wait) in zip("python", [150, 600, 200, 130, 240, 0]) {
        terminal.type(String(key))
        try await Task.sleep(for: .milliseconds(wait))
      }
      try #require(terminal.shows("250 found"), "\(terminal.output.suffix(2_000))")
      try await Task.sleep(for: .seconds(3))
      #expect(targets().count <= 2 && targets().last?.hasPrefix("q=python&") == true, "\(targets())")
      let before = targets().count
      terminal.type("\r")
      try #require(terminal.shows("of 60 loaded"), "\(terminal.output.suffix(2_000))")
      #expect(targets().count == before + 1)
    }
  }

  @Test func `[P2] All rows are loaded in the largest pages, as often as the source allows.`() async throws {
    try await session { terminal, targets in
      terminal.type("x\r")
      try #require(terminal.shows("of 60 loaded"), "\(terminal.output.suffix(2_000))")
      terminal.type("\u{1B}m")
      try #require(terminal.shows("of 250"), "\(targets())")
      let sizes = targets().map { $0.contains("size=100") ? 100 : 30 }
      #expect(sizes == [30, 30, 100, 100, 100], "\(targets())")
    }
  }
}
