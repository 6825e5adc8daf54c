import Foundation
import TestSupport
import Testing

@testable import App
@testable import Search
@testable import riffle

/// Tests `riffle plan` and the runs of its shards as scripts run them, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(5))) struct ShardProgramTests {
  private static let pageSize = 3

  /// Lists with as many rows as their path says: `/page/10`, `/offset/10`, `/cursor/10`, `/silent/10` (without a
  /// total), and the projects 1 to 12 at `/projects`, of which project 7 has 7 rows at `/projects/7/issues`.
  @Sendable private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let parts = request.target.split(separator: "?")
    let path = parts[0].split(separator: "/")
    func number(_ name: String, _ standard: Int) -> Int {
      let items = parts.dropFirst().first?.split(separator: "&") ?? []
      return items.compactMap { $0.hasPrefix("\(name)=") ? Int($0.dropFirst(name.count + 1)) : nil }.first
        ?? standard
    }
    let size = number("limit", pageSize)
    let count = path.count == 1 ? 12 : Int(path[1]) ?? 0
    let start = path[0] == "offset" ? number("at", 0) : (number("at", 1) - 1) * size
    let first = path.count == 3 ? count * 100 : 1
    let ids = start < count ? Array(start..<min(count, start + size)) : []
    let rows = ids.map { "{\"id\": \($0 + first)}" }.joined(separator: ", ")
    let total = path[0] == "silent" ? "" : ", \"total\": \(count)"
    return .json("{\"items\": [\(rows)]\(total), \"next\": \(start + size < count ? "\"c\"" : "null")}")
  }

  private struct Home {
    let path: String
    let server: ScriptedServer

    func run(_ words: String..., input: String = "", environment: [String: String] = [:]) async throws
      -> Program.Result
    {
      try await Program.pipe(input, to: words, environment: ["HOME": path].merging(environment) { $1 })
    }

    /// The rows of all lines of a plan, each of which is run by itself.
    func rows(of plan: Program.Result) async throws -> (ids: [Int], errors: String) {
      var (ids, errors): ([Int], String) = ([], plan.errors)
      for line in plan.lines {
        let run = try await run(
          "search", "--shard-from-stdin", "-f", "csv", "--no-header", "-c", "id", "-q", input: "\(line)\n")
        ids += run.lines.compactMap { Int($0) }
        if run.status != 0 { errors += "\(line): status \(run.status), " }
        errors += run.errors
      }
      return (ids, errors)
    }

    func add(_ id: String, _ text: String) throws {
      try text.write(toFile: "\(path)/.config/riffle/sources/\(id).toml", atomically: true, encoding: .utf8)
    }
  }

  private static func source(_ id: String, _ url: String, _ pagination: String, _ rest: String = "") -> String
  {
    """
    schema = 1
    id = "\(id)"
    \(rest)
    [request]
    url = "\(url)"
    [options.color]
    default = "any"
    [pagination]
    \(pagination)
    [rows]
    path = "items"
    id = "id"
    total = "total"
    [limits]
    min_interval = "1ms"
    concurrency = 4
    [[columns]]
    name = "id"
    path = "id"
    """
  }

  private static let size = "size = { param = \"limit\", default = \(pageSize), max = 100 }"

  /// - Parameter count: The number of rows of `pages`, `offsets`, `cursors` and `silent`.
  private func withHome(_ count: Int, _ body: (Home) async throws -> Void) async throws {
    let server = try ScriptedServer(Self.answer)
    defer { server.stop() }
    try await withFile("config.toml", "[search]\npage_size = \(Self.pageSize)\n") { file in
      let home = Home(path: (file as NSString).deletingLastPathComponent, server: server)
      try FileManager.default.createDirectory(
        atPath: home.path + "/.config/riffle/sources", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try FileManager.default.moveItem(atPath: file, toPath: home.path + "/.config/riffle/config.toml")
      let base = server.baseURL
      let kinds = [
        ("pages", "page", "type = \"page\"\nparam = \"at\""),
        ("offsets", "offset", "type = \"offset\"\nparam = \"at\""),
        ("silent", "silent", "type = \"page\"\nparam = \"at\""),
        ("cursors", "cursor", "type = \"cursor\"\nparam = \"at\"\nnext = \"next\""),
      ]
      for (id, path, pagination) in kinds {
        try home.add(
          id,
          Self.source(id, "\(base)/\(path)/\(count)?q={query}&color={color}", "\(pagination)\n\(Self.size)"))
      }
      let numbered = "type = \"page\"\nparam = \"at\"\n\(Self.size)"
      try home.add("projects", Self.source("projects", "\(base)/projects", numbered))
      try home.add(
        "issues",
        Self.source(
          "issues", "\(base)/projects/{project}/issues", numbered,
          "[parent]\nsource = \"projects\"\nname = \"project\"\nvalue = \"id\""))
      try await body(home)
    }
  }

  // MARK: Rows

  /// Four shards over lists of 0, 1, 3, 4 and 5 pages.
  @Test(arguments: ["pages", "offsets"], Seeds.every(2, of: [0, 1, 3, 8, 9, 10, 12, 13, 15]))
  func `The shards of a plan have all rows of one run, each once.`(source: String, count: Int) async throws {
    try await withHome(count) { home in
      let plan = try await home.run("plan", source, "x", "--shards", "4", "--json", "-q")
      #expect(plan.status == 0)
      #expect(plan.lines.count == max(1, min(4, (count + 2) / 3)))
      #expect(home.server.requests.count == 1)
      let (ids, errors) = try await home.rows(of: plan)
      #expect(ids == Array(1..<count + 1))
      #expect(errors == "")
    }
  }

  @Test(arguments: [1, 5, 20]) func `Shards by parents have the lists of all parents, each once.`(
    shards: Int
  ) async throws {
    try await withHome(0) { home in
      let whole = try await home.run(
        "search", "issues", "--each", "--all", "-f", "csv", "--no-header", "-c", "id")
      let before = home.server.requests.count
      let plan = try await home.run("plan", "issues", "--each", "--shards", "\(shards)", "--json", "-q")
      #expect(plan.lines.count == shards)
      #expect(home.server.requests.count == before)
      let (ids, errors) = try await home.rows(of: plan)
      #expect(ids.sorted() == whole.lines.compactMap { Int($0) }.sorted())
      #expect(Set(ids).count == 78)
      #expect(errors == "")
    }
  }

  @Test func `Sixteen shards send as many requests as one run, and the plan sends one.`() async throws {
    try await withHome(480) { home in
      _ = try await home.run("search", "pages", "x", "--all", "-q")
      let one = home.server.requests.count
      let plan = try await home.run("plan", "pages", "x", "--shards", "16", "--json")
      #expect(plan.lines.count == 16)
      let (ids, _) = try await home.rows(of: plan)
      #expect(ids == Array(1...480))
      let sixteen = home.server.requests.count - one
      #expect(one == 160)
      #expect(sixteen == one + 1)
    }
  }

  @Test func `Several lines on stdin are one document, and an empty input has no rows.`() async throws {
    try await withHome(10) { home in
      let plan = try await home.run("plan", "pages", "x", "--shards", "3", "--json")
      let all = try await home.run(
        "search", "--shard-from-stdin", "-f", "csv", "-c", "id", input: plan.output)
      #expect(all.output == "id\n" + (1...10).map { "\($0)\n" }.joined(), "\(all.errors)")
      #expect(all.status == 0)
      let named = try await home.run("search", "pages", "x", "--shard-from-stdin", "-q", input: plan.output)
      #expect(named.output == (1...10).map { "{\"id\": \($0)}\n" }.joined(), "\(named.errors)")
      for input in ["", "\n \n"] {
        #expect(
          try await home.run("search", "--shard-from-stdin", "-f", "jsonl", input: input)
            == Program.Result(status: 0, output: "", errors: ""))
      }
    }
  }

  // MARK: Lines

  @Test func `A plan is one command for each shard.`() async throws {
    try await withHome(10) { home in
      let pages = try await home.run(
        "plan", "pages", "it's", "--set", "color=dark blue", "--shards", "2", "--filter=-9", "-c", "id")
      #expect(
        pages.output == """
          riffle search pages 'it'\\''s' --shard pages:1-2@3 --set 'color=dark blue' --page-size 3 '--filter=-9' \
          --rate-share 1/2 --columns id --all --format jsonl
          riffle search pages 'it'\\''s' --shard pages:3-@3 --set 'color=dark blue' --page-size 3 '--filter=-9' \
          --rate-share 1/2 --columns id --all --format jsonl

          """, "\(pages.errors)")
      let parents = try await home.run("plan", "issues", "--each", "--shards", "3", "--workers", "1")
      #expect(
        parents.lines.first == "riffle search issues --shard parents:1/3 --each --all --format jsonl",
        "\(parents.errors)")
      let json = try await home.run("plan", "offsets", "x", "--shards", "1", "--json")
      #expect(
        json.output == """
          {"arguments":["--page-size","3","--all","--format","jsonl"],"query":"x","shard":"pages:1-@3",\
          "source":"offsets","version":1}

          """, "\(json.errors)")
    }
  }

  @Test func `A shell runs the lines of a plan.`() async throws {
    try await withHome(10) { home in
      let plan = try await home.run("plan", "pages", "it's {a}", "-s", "color=$x `y`", "--shards", "2")
      var rows = ""
      for line in plan.lines {
        let run = try await Program.shell("\(line)", environment: ["HOME": home.path])
        #expect(run.status == 0, "\(run.errors)")
        rows += run.output
      }
      #expect(rows == (1...10).map { "{\"id\": \($0)}\n" }.joined())
      #expect(home.server.requests.allSatisfy { $0.contains("q=it%27s%20%7Ba%7D&color=%24x%20%60y%60") })
    }
  }

  @Test func `A shard is resumed by itself, and not as another shard.`() async throws {
    try await withHome(30) { home in
      let file = home.path + "/part.jsonl"
      let words = [
        "search", "pages", "x", "--shard", "pages:3-6@3", "--page-size", "3", "--all", "-q", "-o", file,
        "--resume",
      ]
      let environment = ["HOME": home.path]
      let first = try await Program.run(words + ["--max-pages", "2"], environment: environment)
      #expect(first.status == 0, "\(first.errors)")
      let second = try await Program.run(words, environment: environment)
      #expect(second.status == 0, "\(second.errors)")
      #expect(
        try String(contentsOfFile: file, encoding: .utf8) == (7...18).map { "{\"id\": \($0)}\n" }.joined())
      let asked = home.server.requests.count
      #expect(try await Program.run(words, environment: environment).status == 0)
      #expect(home.server.requests.count == asked)
      let other = try await Program.run(
        words.map { $0 == "pages:3-6@3" ? "pages:3-7@3" : $0 }, environment: environment)
      #expect(other.status == 64)
      #expect(other.errors.contains("different query"), "\(other.errors)")
    }
  }

  @Test func `A shard reports its own completeness.`() async throws {
    try await withHome(30) { home in
      let run = try await home.run(
        "search", "pages", "x", "--shard", "pages:3-6@3", "--page-size", "3", "--all", "--fail-incomplete",
        "--stats", "-", "-f", "csv")
      #expect(run.status == 0)
      #expect(run.errors.contains("\"rows\": 12, \"pages\": 4, \"requests\": 4"), "\(run.errors)")
      #expect(
        run.errors.contains("\"ended_by\": \"shard\", \"cap\": null, \"complete\": true"), "\(run.errors)")
    }
  }

  // MARK: Refusals

  @Test func `A list that cannot be divided says why, and what to do.`() async throws {
    try await withHome(10) { home in
      let cases = [
        (
          ["cursors", "x"],
          "the pages of source cursors have no numbers: each follows from the one before it, so they cannot be divided. Run it as one search, with riffle search --all"
        ),
        (
          ["silent", "x"],
          "source silent does not report how many rows or pages it has, so its pages cannot be divided. Run it as one search, with riffle search --all"
        ),
        (["pages", "x", "--each"], "--each cannot be used: source pages has no [parent]"),
        (["pages", "x", "-n", "5"], "--limit cannot be used with plan. A plan divides all rows"),
        (
          ["pages", "x", "--sort", "id"],
          "--sort cannot be used with plan. The rows of each shard would be sorted separately"
        ),
        (
          ["pages", "x", "-o", "f.csv"],
          "--output cannot be used with plan. Add it to the commands of the plan"
        ),
        (
          ["pages", "x", "-H", "Authorization: Bearer abc"],
          "--request-header Authorization contains a credential, which the plan would print. Write $NAME in its place, and set that variable"
        ),
        (
          ["pages", "x", "--param", "api_key=abc"],
          "--param api_key contains a credential, which the plan would print. Let the source read it from a variable, with from = \"env:NAME\""
        ),
        (
          ["pages", "a\nb"],
          "\"a\\nb\" has a line break, which the line of a command cannot contain. Use --json"
        ),
      ]
      for (words, message) in cases {
        let run = try await Program.run(
          ["plan"] + words + ["--shards", "2"], environment: ["HOME": home.path])
        #expect(run == Program.Result(status: 64, output: "", errors: "riffle: \(message)\n"))
      }
    }
  }

  @Test func `No credential is in a plan.`() async throws {
    try await withHome(10) { home in
      let url = "\(home.server.baseURL)/page/10"
      let secret = "s3cr3t-token-value"
      try home.add(
        "private",
        Self.source("private", url, "type = \"page\"\nparam = \"at\"\n\(Self.size)")
          + "\n[auth]\ntype = \"bearer\"\nfrom = [\"env:MINE\"]\n")
      let words = ["plan", "private", "--shards", "2"]
      let environment = ["HOME": home.path, "MINE": secret]
      for own in [[], ["--json"], ["-H", "X-Token: $MINE"]] {
        let run = try await Program.run(words + own, environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count == 2)
        #expect(!(run.output + run.errors).contains(secret))
      }
      let typed = try await Program.run(words + ["--set", "color=\(secret)"], environment: environment)
      #expect(typed.status == 64)
      #expect(!(typed.output + typed.errors).contains(secret), "\(typed)")
    }
  }

  @Test func `A shard that the command line contradicts is refused.`() async throws {
    try await withHome(10) { home in
      let cases: [([String], String)] = [
        (["--shard", "pages:1-2@3"], "--shard needs --all. See riffle help search"),
        (
          ["--all", "--shard", "pages:2-1@3"],
          "invalid value \"pages:2-1@3\" for --shard: expected \(Shard.notation). See riffle help search"
        ),
        (["--all", "--shard", "parents:1/2"], "--shard parents:1/2 needs --each. See riffle help search"),
        (
          ["--all", "--each", "--shard", "pages:1-2@3"],
          "--shard pages:1-2@3 cannot be used with --each. See riffle help search"
        ),
        (
          ["--all", "--rate-share", "2/3"],
          "invalid value \"2/3\" for --rate-share: expected 1/N, such as 1/16. See riffle help search"
        ),
      ]
      for (words, message) in cases {
        let run = try await Program.run(["search", "pages", "x"] + words, environment: ["HOME": home.path])
        #expect(run == Program.Result(status: 64, output: "", errors: "riffle: \(message)\n"))
      }
      let cursor = try await home.run("search", "cursors", "x", "--all", "--shard", "pages:2-3@3")
      #expect(
        cursor.errors == "riffle: --shard pages:2-3@3 cannot be used: source cursors has no page numbers\n")
      #expect(home.server.requests == [])
    }
  }

  @Test func `A bad line on stdin is refused before anything is requested.`() async throws {
    try await withHome(10) { home in
      func line(
        version: String = "1", query: String = "x", shard: String = "pages:1-2@3", _ arguments: String = ""
      ) -> String {
        "{\"version\":\(version),\"source\":\"pages\",\"query\":\"\(query)\",\"shard\":\"\(shard)\",\"arguments\":[\"--all\"\(arguments)]}"
      }
      let use = "Use lines of riffle plan --json"
      let cases: [([String], String, String)] = [
        ([], "{\"version\": 1", "stdin, line 1: this is not a shard. \(use)"),
        ([], "riffle search pages x", "stdin, line 1: this is not a shard. \(use)"),
        ([], "\(line())\n[]", "stdin, line 2: this is not a shard. \(use)"),
        ([], line(version: "2"), "stdin, line 1: this riffle does not support version 2 of shards. \(use)"),
        (
          ["pages", "y"], line(),
          "shard 1 on stdin belongs to the search pages x, not pages y. Omit source and query, or use its plan"
        ),
        (
          [], "\(line())\n\(line(query: "z"))",
          "shard 2 on stdin belongs to a different search than the first one. Use the lines of one plan"
        ),
        (
          [], line(shard: "all"),
          "stdin, line 1: expected \(Shard.notation), found \"all\". \(use)"
        ),
        (
          [], line(", \"--output\", \"/tmp/x\""),
          "a shard on stdin is invalid: its arguments contain --output. \(use)"
        ),
        (
          ["--limit", "3"], line(),
          "--shard-from-stdin and --limit cannot be used together: the shards set it. Add --limit to riffle plan"
        ),
        (
          ["-f", "json"], "\(line())\n\(line(shard: "pages:3-@3"))",
          "format json cannot hold 2 shards. Use --format csv, tsv or jsonl"
        ),
      ]
      for (words, input, message) in cases {
        let run = try await Program.pipe(
          input, to: ["search", "--shard-from-stdin"] + words, environment: ["HOME": home.path])
        #expect(run == Program.Result(status: 64, output: "", errors: "riffle: \(message)\n"))
      }
      #expect(home.server.requests == [])
    }
  }
}
