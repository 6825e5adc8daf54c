import DemoTesting
import Foundation
import TestSupport
import Testing

@testable import riffle

/// `riffle search --split` as a script runs it, against a server that returns at most 30 rows of a list.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(5))) struct SplitProgramTests {
  /// The rows as seconds after 2024-01-01, the latest first: dense and sparse ranges, and empty ones between.
  private static let times: [Int] =
    ((0..<90).map { $0 * 40 } + (0..<25).map { 500_000 + $0 * 9_000 } + (0..<60).map { 3_000_000 + $0 })
    .sorted(by: >)
  private static let start = 1_704_067_200
  private static let cap = 30

  @Sendable private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let items = request.target.split(separator: "?").last?.split(separator: "&") ?? []
    func number(_ name: String) -> Int? {
      items.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }
    if request.target.hasPrefix("/failing"), number("since") != nil, number("page") == 2 {
      return .status(500, "{}")
    }
    // Forty rows more in one second.
    let isCrowded = request.target.hasPrefix("/crowded")
    let times = isCrowded ? (times + Array(repeating: 500_000, count: 40)).sorted(by: >) : times
    let list = times.enumerated().filter { row in
      let time = start + row.element
      return time >= number("since") ?? 0 && time <= number("until") ?? .max
    }
    let first = ((number("page") ?? 1) - 1) * 10
    guard first < cap else { return .status(422, "{\"message\": \"only 30 rows\"}") }
    let rows = list.dropFirst(first).prefix(10).map { "{\"id\": \($0.offset)}" }
    return .json("{\"items\": [\(rows.joined(separator: ", "))], \"total\": \(list.count)}")
  }

  private static func source(_ url: String, _ split: String = Self.split) -> String {
    """
    schema = 1
    id = "list"
    [request]
    url = "\(url)"
    [pagination]
    type = "page"
    param = "page"
    size = { param = "size", default = 10, max = 10 }
    cap = { rows = 30 }
    [rows]
    path = "items"
    id = "id"
    total = "total"
    \(split)
    [[columns]]
    name = "id"
    path = "id"
    """
  }

  private static let split = """
    [split]
    by = "created"
    begin = "2024-01-01"
    end = "2024-03-01"
    order = "newest"
    params = { since = "{from|epoch}", until = "{to|epoch}" }
    """

  private func withSource(
    _ path: String = "/list", killer: Killer? = nil, _ body: (String, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { request in
      killer?.noteRequest()
      return Self.answer(request)
    }
    defer { server.stop() }
    try await withFile("list.toml", Self.source("\(server.baseURL)\(path)")) { file in
      try await body(file, server)
    }
  }

  private func run(_ file: String, _ words: String) async throws -> Program.Result {
    try await Program.run(["search", file] + words.split(separator: " ").map(String.init))
  }

  private static let all = "id\n" + times.indices.map { "\($0)\n" }.joined()

  @Test func `A list that the service ends early is read whole, in its order.`() async throws {
    try await withSource { file, server in
      let result = try await run(file, "--all --split -f csv")
      #expect(result.output == Self.all)
      #expect(result.errors == "riffle: 175 rows, 30 reachable: reading about 8 parts, 25 requests\n")
      #expect(result.status == 0)
      #expect(server.requests.count <= 60)
    }
  }

  @Test func `Without --split the run is partial, and says how the rest can be read.`() async throws {
    try await withSource { file, _ in
      let result = try await run(file, "--all -f csv")
      #expect(result.output.split(separator: "\n").count == 31)
      #expect(
        result.errors == """
          riffle: 175 rows, 30 reachable. --split reads all: about 8 parts, 25 requests
          riffle: stopped after 30 rows: the service returns at most 30 of 175 rows. To read all rows in parts, add --split

          """)
      #expect(result.status == 3)
    }
  }

  @Test func `A second with more rows than the service returns is named, and the rest is written.`()
    async throws
  {
    try await withSource("/crowded") { file, _ in
      let result = try await run(file, "--all --split -f csv -q")
      // The heading, and 30 of the 41 rows of one second.
      #expect(result.output.split(separator: "\n").count == 205)
      let gap = "created 2024-01-06T18:53:20Z: the service returns at most 30 of 41 rows\n"
      #expect(result.errors.hasSuffix(gap), "\(result.errors)")
      #expect(result.status == 3)
    }
  }

  @Test func `A plan names the second with more rows than the service returns.`() async throws {
    try await withSource("/crowded") { file, _ in
      let result = try await run(file, "--all --split --dry-run")
      let gap =
        "riffle: created 2024-01-06T18:53:20Z has 41 rows, of which the service returns at most 30\n"
      #expect(result.errors.hasPrefix(gap), "\(result.errors)")
    }
  }

  @Test func `A run that fails in a part is not continued by a page number.`() async throws {
    try await withSource("/failing") { file, _ in
      let result = try await run(file, "--all --split -f csv --retries 0")
      #expect(
        result.errors.hasSuffix("to make a run resumable, use --output FILE\n"), "\(result.errors)")
    }
  }

  @Test func `A capped run that is resumed counts the rows of the whole file, and cannot be split.`()
    async throws
  {
    try await withSource { file, _ in
      let output = (file as NSString).deletingLastPathComponent + "/rows.csv"
      var errors: [String] = []
      for words in ["-n 20", "--all", "--all", "--all --split"] {
        let result = try await run(file, "\(words) -o \(output) --resume -q")
        errors.append("\(words): \(result.errors.replacing(output, with: "FILE"))")
      }
      let capped =
        "riffle: stopped after 30 rows: the service returns at most 30 of 175 rows. To read all rows in parts, add --split\n"
      #expect(
        errors == [
          "-n 20: ", "--all: \(capped)", "--all: \(capped)",
          "--all --split: riffle: cannot resume FILE: it was written without --split. "
            + "Choose another file, or omit --resume to start over\n",
        ])
    }
  }

  @Test func `With --dry-run the parts are counted, and printed.`() async throws {
    try await withSource { file, server in
      let result = try await run(file, "--all --split --dry-run")
      let counts = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
      #expect(counts.allSatisfy { $0.count == 2 && $0[0].contains(" to ") })
      #expect(counts.compactMap { Int($0[1]) }.reduce(0, +) == 175)
      #expect(
        result.errors
          == "riffle: \(counts.count) parts with 175 rows, counted in \(server.requests.count) requests\n")
      #expect(result.status == 0)
    }
  }

  @Test(arguments: [1, 4, 100])
  func `The shards of a plan have all rows, and each is a whole run.`(count: Int) async throws {
    try await withSource { file, server in
      let plan = try await Program.run(["plan", file, "--split", "--shards", "\(count)"])
      #expect(plan.status == 0, "\(plan.errors)")
      let counting = server.requests.count
      let commands = plan.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(commands.count <= count && commands.count >= min(count, 8))
      var ids: [String] = []
      for command in commands {
        let result = try await Program.run(Array(command.dropFirst()))
        // A part may have no rows.
        #expect(result.status == 0 && ["", "riffle: no results\n"].contains(result.errors), "\(result)")
        ids += result.output.matches(of: /"id": (\d+)/).map { String($0.output.1) }
      }
      #expect(ids == Self.times.indices.map(String.init))
      #expect(server.requests.count - counting <= 70)
    }
  }

  /// 5,230 rows, of which one list has 1,000.
  private func withDemo(_ path: String, _ body: (String) async throws -> Void) async throws {
    let server = try await TestServer.start()
    do {
      try await withFile("capped.toml", CappedRows.document(server.baseURL + path), body)
    } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
  }

  @Test func `The pager scrolls from the first to the last of 5,230 rows.`() async throws {
    try await withDemo("/capped") { file in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file], columns: 100, rows: 24,
        environment: ["HOME=/dev/null", "PATH=/usr/bin:/bin"])
      try #require(terminal.shows("5,230 found"), "\(terminal.output.suffix(2_000))")
      try #require(
        terminal.shows("end of results", redrawnBy: "G\u{0C}"),
        "\(terminal.output.suffix(2_000))")
      // The id of the last row.
      try #require(terminal.shows("5229", redrawnBy: "G\u{0C}"), "\(terminal.output.suffix(2_000))")
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `All 5,230 rows are written, and of 1,400 in one second 1,000, which is said.`() async throws {
    try await withDemo("/capped") { file in
      let result = try await run(file, "--all --split -f csv --no-header -q")
      #expect(result.output == (0..<CappedRows.count).map { "\($0)\n" }.joined())
      #expect(result.errors == "" && result.status == 0)
    }
    try await withDemo("/crowded") { file in
      let result = try await run(file, "--all --split -f csv --no-header -q")
      let ids = result.output.split(separator: "\n").compactMap { Int($0) }
      #expect(ids.count == CappedRows.count + 1_000 && ids == ids.sorted())
      let gap = "created 2023-12-09T22:13:20Z: the service returns at most 1,000 of 1,400 rows\n"
      #expect(result.errors.hasSuffix(gap), "\(result.errors)")
      #expect(result.status == 3)
    }
  }

  @Test func `A source that is not divided refuses --split.`() async throws {
    try await withFile("list.toml", Self.source("http://127.0.0.1:1/list", "")) { file in
      let result = try await run(file, "--all --split")
      #expect(
        result.errors
          == "riffle: source list has no [split], so riffle cannot read its list in parts. Omit --split\n")
      #expect(result.status == 64)
    }
  }

  @Test func `A run that is killed at any request and resumed has written the same file.`() async throws {
    let killer = Killer()
    try await withSource(killer: killer) { file, _ in
      let output = (file as NSString).deletingLastPathComponent + "/out.csv"
      try await killer.expectWhole(
        output, is: Self.all, after: 40, ["search", file, "--all", "--split", "-o", output, "--resume"],
        environment: [:])
    }
  }
}
