import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests `riffle search --each` as a script runs it, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(5))) struct EachProgramTests {
  /// The rows of each project, in pages of three: none, one page, one row more.
  private static let sizes = [0, 1, 3, 4, 6, 7, 0, 2]

  /// `20` is the first row of project 2.
  private static func rows(_ project: Int) -> [Int] { (0..<sizes[project]).map { project * 10 + $0 } }
  private static let all = sizes.indices.flatMap(rows)

  private static func page(_ items: [String], _ number: Int, size: Int) -> ScriptedServer.Answer {
    let part = items.dropFirst((number - 1) * size).prefix(size).joined(separator: ", ")
    let pages = max(1, (items.count + size - 1) / size)
    return .json("{\"items\": [\(part)], \"pages\": \(pages)}")
  }

  @Sendable private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let parts = request.target.split(separator: "?")
    let number = Int(request.target.firstMatch(of: /page=([0-9]+)/)?.1 ?? "1") ?? 1
    let path = parts[0].split(separator: "/")
    guard path.count == 3, let project = Int(path[1]) else {
      return page(sizes.indices.map { "{\"id\": \($0), \"name\": \"p\($0)\"}" }, number, size: 3)
    }
    return page(rows(project).map { "{\"id\": \($0), \"even\": \($0 % 2 == 0)}" }, number, size: 3)
  }

  private static func source(_ id: String, _ url: String, _ rest: String = "", columns: [String] = ["id"])
    -> String
  {
    let own = columns.map { "[[columns]]\nname = \"\($0)\"\npath = \"\($0)\"\n" }.joined()
    return """
      schema = 1
      id = "\(id)"
      \(rest)
      [request]
      url = "\(url)"
      [pagination]
      type = "page"
      param = "page"
      pages = "pages"
      [rows]
      path = "items"
      id = "id"
      [limits]
      concurrency = 4
      \(own)
      """
  }

  private static let parent = """
    [parent]
    source = "projects"
    name = "project"
    value = "id"
    columns = ["name"]

    """

  /// A home folder with these sources.
  private struct Home {
    let path: String

    func run(_ words: String, environment: [String: String] = [:]) async throws -> Program.Result {
      try await Program.run(
        words.split(separator: " ").map(String.init),
        environment: ["HOME": path].merging(environment) { $1 })
    }

    func add(_ id: String, _ text: String) throws {
      try text.write(toFile: "\(path)/.config/riffle/sources/\(id).toml", atomically: true, encoding: .utf8)
    }
  }

  private func withHome(
    _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = Self.answer,
    auth: String = "", _ body: (Home, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answer)
    defer { server.stop() }
    try await withFile("config.toml", "") { file in
      let home = Home(path: (file as NSString).deletingLastPathComponent)
      try FileManager.default.createDirectory(
        atPath: home.path + "/.config/riffle/sources", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try home.add(
        "projects", Self.source("projects", "\(server.baseURL)/projects", auth, columns: ["id", "name"]))
      try home.add(
        "issues", Self.source("issues", "\(server.baseURL)/projects/{project}/issues", Self.parent + auth))
      try await body(home, server)
    }
  }

  private func ids(_ text: String) -> [Int] {
    text.split(separator: "\n").compactMap { line in
      Int(line.firstMatch(of: /^(?:\{"id": ?)?([0-9]+)/)?.1 ?? "")
    }
  }

  // MARK: Rows

  @Test(arguments: ["csv", "jsonl"]) func `The rows of each nested list are written once, in order.`(
    format: String
  ) async throws {
    try await withHome { home, server in
      let run = try await home.run("search issues --each --all -f \(format)")
      #expect(run.errors == "")
      #expect(run.status == 0)
      #expect(ids(run.output) == Self.all)
      #expect(Set(server.requests).count == server.requests.count)
    }
  }

  @Test func `Each row contains its parent.`() async throws {
    try await withHome { home, _ in
      let csv = try await home.run("search issues --each -f csv -c @parent,parent.name,id -n 2")
      #expect(csv.output == "@parent,parent.name,id\n1,p1,10\n2,p2,20\n", "\(csv.errors)")
      let json = try await home.run("search issues --each -n 1 -f jsonl")
      #expect(json.output == "{\"id\": 10, \"even\": true,\"parent\":{\"name\":\"p1\"}}\n")
    }
  }

  @Test(arguments: [1, 4, 5, 8, 9, 23, 24]) func `A limit counts the rows of all lists.`(count: Int)
    async throws
  {
    try await withHome { home, _ in
      let run = try await home.run("search issues --each -n \(count) -f csv --no-header -c id")
      #expect(ids(run.output) == Array(Self.all.prefix(count)))
      #expect(run.status == 0)
    }
  }

  @Test func `Numbers of pages are those of each list, and without an option it is one.`() async throws {
    try await withHome { home, _ in
      let first = Self.sizes.indices.flatMap { Self.rows($0).prefix(3) }
      let one = try await home.run("search issues --each -f csv -c id")
      #expect(ids(one.output) == first)
      let two = Self.sizes.indices.flatMap { Self.rows($0).prefix(6) }
      let more = try await home.run("search issues --each --all --max-pages 2 -f csv -c id")
      #expect(ids(more.output) == two)
    }
  }

  @Test func `Rows are filtered, sorted and counted over all lists.`() async throws {
    try await withHome { home, _ in
      let filtered = try await home.run("search issues --each --all --filter 1 -f csv -c id")
      #expect(ids(filtered.output) == Self.all.filter { String($0).contains("1") })
      let sorted = try await home.run("search issues --each --all --sort id:desc -f csv -c id")
      #expect(ids(sorted.output) == Self.all.reversed())
      let count = try await home.run("search issues --each --count --all")
      #expect(count.output == "\(Self.all.count)\n")
    }
  }

  @Test func `[U1] The query is that of the last list that needs one.`() async throws {
    try await withHome { home, server in
      func needy(_ text: String) -> String {
        text.replacing("\"\n[pagination]", with: "?q={query}\"\n[pagination]")
      }
      let projects = needy(Self.source("projects", "\(server.baseURL)/projects"))
      let url = "\(server.baseURL)/projects/{project}/issues"
      try home.add("projects", projects)
      let none = try await home.run("search issues --each --all -f csv -c id")
      #expect(
        none.errors
          == "riffle: source projects needs a query: "
          + "riffle search issues QUERY --each --all -f csv -c id. To send an empty query, write ''\n")
      let run = try await home.run("search issues runner --each --all -f csv -c id")
      #expect(ids(run.output) == Self.all, "\(run)")
      #expect(
        server.requests.filter { $0.contains("q=runner") }.allSatisfy { $0.hasPrefix("GET /projects?") })
      #expect(server.requests.contains { $0.contains("q=runner") })
      try home.add("issues", needy(Self.source("issues", url, Self.parent)))
      let two = try await home.run("search issues runner --each")
      #expect(
        two.errors
          == "riffle: --each cannot be used: both projects and issues need a query. "
          + "Choose one list with --set project=…\n")
    }
  }

  @Test func `One list is requested with the value of its parent.`() async throws {
    try await withHome { home, server in
      let list = try await home.run("search issues --set project=4 --all -f csv -c id")
      #expect(ids(list.output) == Self.rows(4))
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET /projects/4/issues") })
      let none = try await home.run("search issues --all")
      #expect(none.status == 64)
      #expect(
        none.errors
          == "riffle: source issues has a list for each project. Choose one with --set project=…, or add --each to search all of them\n"
      )
    }
  }

  @Test func `The parents may be values.`() async throws {
    try await withHome { home, server in
      let url = "\(server.baseURL)/projects/{project}/issues"
      try home.add(
        "two", Self.source("two", url, "[parent]\nname = \"project\"\nvalues = [\"5\", \"2\"]"))
      let two = try await home.run("search two --each --all -f csv -c id,@parent --no-header")
      #expect(ids(two.output) == Self.rows(5) + Self.rows(2))
      try home.add(
        "chosen", Self.source("chosen", url, "[parent]\nname = \"project\"\nvalues_from = \"env:CHOSEN\""))
      let chosen = try await home.run(
        "search chosen --each --all -f csv -c id", environment: ["CHOSEN": " 3 ,1"])
      #expect(ids(chosen.output) == Self.rows(3) + Self.rows(1))
      let missing = try await home.run("search chosen --each --all")
      #expect(missing.status == 64)
      #expect(missing.errors.contains("CHOSEN"), "\(missing.errors)")
    }
  }

  @Test func `A dry run prints the first request, and requests nothing.`() async throws {
    try await withHome { home, server in
      let run = try await home.run("search issues --each --all --dry-run")
      #expect(run.output.contains("\(server.baseURL)/projects?"), "\(run)")
      #expect(server.requests == [])
    }
  }

  @Test func `A recording of the run is replayed with the same rows.`() async throws {
    try await withHome { home, server in
      let file = home.path + "/walk.riffle"
      let run = try await home.run("search issues --each --all -f csv -c id --record \(file)")
      #expect(ids(run.output) == Self.all)
      let requests = server.requests.count
      let replay = try await home.run("replay \(file)")
      #expect(replay.status == 0, "\(replay.errors)")
      #expect((replay.output + replay.errors).contains("\(Self.all.count)"), "\(replay)")
      #expect(server.requests.count == requests)
    }
  }

  // MARK: Failures

  @Sendable private static func broken(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    request.target.hasPrefix("/projects/3/") ? .status(404, "{\"message\": \"no issues\"}") : answer(request)
  }

  @Test func `A skipped list stays skipped, and no later run reports the file as complete.`()
    async throws
  {
    let isRefused = Lock(true)
    try await withHome({ isRefused.withLock(\.self) ? Self.broken($0) : Self.answer($0) }) { home, _ in
      let file = home.path + "/rows.csv"
      let words = "search issues --each --all --on-parent-error skip -c id --resume -o \(file)"
      let rest = Self.all.filter { $0 / 10 != 3 }
      let first = try await home.run(words)
      #expect(first.status == 3 && first.errors.contains("1 of 8 lists is incomplete"), "\(first)")
      for isRefusedAgain in [true, false] {
        isRefused.withLock { $0 = isRefusedAgain }
        let again = try await home.run(words)
        #expect(again.status == 3, "\(again)")
        #expect(again.errors.contains("project 3 was incomplete in an earlier run"), "\(again.errors)")
        #expect(
          again.errors.contains("1 list was incomplete in earlier runs. Omit --resume to load all again"),
          "\(again.errors)")
        #expect(ids(try String(contentsOfFile: file, encoding: .utf8)) == rest)
      }
      let new = try await home.run(words.replacing(" --resume", with: ""))
      #expect(new.status == 0 && new.errors == "", "\(new)")
      #expect(ids(try String(contentsOfFile: file, encoding: .utf8)) == Self.all)
    }
  }

  @Test func `A list that fails ends the run after the rows before it, or is named and left out.`()
    async throws
  {
    try await withHome(Self.broken) { home, _ in
      let before = (0..<3).flatMap(Self.rows)
      let stopped = try await home.run("search issues --each --all -f csv -c id --stats -")
      #expect(ids(stopped.output) == before)
      #expect(stopped.status == 3)
      #expect(
        stopped.errors.contains("stopped after 4 rows: project 3: page 1 failed: "), "\(stopped.errors)")
      #expect(stopped.errors.contains("\"lists\": 3, \"lists_failed\": 0"), "\(stopped.errors)")

      let rest = Self.all.filter { $0 / 10 != 3 }
      let skipped = try await home.run(
        "search issues --each --all --on-parent-error skip -f csv -c id --stats -")
      #expect(ids(skipped.output) == rest)
      #expect(skipped.status == 3)
      #expect(skipped.errors.contains("project 3 is incomplete: "), "\(skipped.errors)")
      #expect(skipped.errors.contains("1 of 8 lists is incomplete"), "\(skipped.errors)")
      #expect(skipped.errors.contains("\"lists\": 7, \"lists_failed\": 1"), "\(skipped.errors)")
    }
  }

  // MARK: Resuming

  private static let comments = source(
    "comments", "SERVER/issues/{issue}/comments",
    "[parent]\nsource = \"issues\"\nname = \"issue\"\nvalue = \"id\"\n")

  @Test(arguments: [("issues", "csv"), ("issues", "jsonl"), ("comments", "csv")])
  func `A run that is killed at any request and resumed has written the same file.`(
    source: String, format: String
  ) async throws {
    let killer = Killer()
    @Sendable func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
      killer.noteRequest()
      guard request.target.hasPrefix("/issues/") else { return Self.answer(request) }
      let issue = Int(request.target.split(separator: "/")[1]) ?? 0
      let number = Int(request.target.firstMatch(of: /page=([0-9]+)/)?.1 ?? "1") ?? 1
      return Self.page((0..<issue % 3).map { "{\"id\": \(issue * 10 + $0)}" }, number, size: 1)
    }
    try await withHome(answer) { home, server in
      try home.add("comments", Self.comments.replacing("SERVER", with: server.baseURL))
      let (whole, part) = (home.path + "/out/whole.\(format)", home.path + "/out/part.\(format)")
      try FileManager.default.createDirectory(atPath: home.path + "/out", withIntermediateDirectories: true)
      let words = "search \(source) --each --all --quiet --resume -o"
      #expect(try await home.run("\(words) \(whole)").status == 0)
      let expected = try String(contentsOfFile: whole, encoding: .utf8)
      let requests = server.requests.count
      #expect(requests >= 15)
      try await killer.expectWhole(
        part, is: expected, after: requests, "\(words) \(part)".split(separator: " ").map(String.init),
        environment: ["HOME": home.path])
    }
  }

  @Test func `A run that failed under a parent resumes there, and a parent that is gone is named.`()
    async throws
  {
    let isBroken = Flag()
    try await withHome({ isBroken.isSet ? Self.broken($0) : Self.answer($0) }) { home, server in
      let file = home.path + "/rows.csv"
      isBroken.set(true)
      let first = try await home.run("search issues --each --all -c id -o \(file) --resume")
      #expect(first.status == 3)
      isBroken.set(false)
      let before = server.requests.count
      let second = try await home.run("search issues --each --all -c id -o \(file) --resume")
      #expect(second.status == 0, "\(second.errors)")
      #expect(ids(try String(contentsOfFile: file, encoding: .utf8)) == Self.all)
      #expect(!server.requests.dropFirst(before).contains { $0.hasPrefix("GET /projects/1/") })
    }
  }

  // MARK: Credentials

  private static let auth = "[auth]\ntype = \"bearer\"\nfrom = [\"env:TOKEN\"]\n"
  private static let secret = "s3cr3t-of-the-projects"

  @Test func `Parents and rows of one origin are requested with one token, which appears nowhere.`()
    async throws
  {
    try await withHome(auth: Self.auth) { home, server in
      let (file, recording) = (home.path + "/rows.csv", home.path + "/walk.riffle")
      let run = try await home.run(
        "search issues --each --all -v --stats - -o \(file) --resume --record \(recording)",
        environment: ["TOKEN": Self.secret])
      #expect(run.status == 0, "\(run.errors)")
      #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer \(Self.secret)") })
      var texts = [run.output, run.errors]
      for path in [file, recording] {
        texts.append(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self))
      }
      texts.append(
        try await home.run("search issues --each --all --dry-run", environment: ["TOKEN": Self.secret]).output
      )
      #expect(texts.allSatisfy { !$0.contains(Self.secret) })
    }
  }

  @Test func `A token is not sent along with values from another origin, unless hosts allows it.`()
    async throws
  {
    try await withHome { home, server in
      let other = try ScriptedServer(Self.answer)
      defer { other.stop() }
      let url = "\(other.baseURL)/projects/{project}/issues"
      try home.add("issues", Self.source("issues", url, Self.parent + Self.auth))
      let refused = try await home.run("search issues --each --all", environment: ["TOKEN": Self.secret])
      #expect(refused.status == 78, "\(refused)")
      #expect(
        refused.errors.contains(
          "[parent] source: its rows come from \(server.baseURL), but this source sends a credential to \(other.baseURL). To allow that, add hosts = [\"127.0.0.1:\(server.port)\"]"
        ), "\(refused.errors)")
      #expect(server.requests == [] && other.requests == [])
      let hosts = "hosts = [\"127.0.0.1:\(server.port)\"]\n"
      try home.add("issues", Self.source("issues", url, Self.parent + hosts + Self.auth))
      let run = try await home.run(
        "search issues --each --all -f csv -c id", environment: ["TOKEN": Self.secret])
      #expect(ids(run.output) == Self.all)
      #expect(server.requests.allSatisfy { !$0.contains(Self.secret) })
      #expect(other.requests.allSatisfy { $0.contains(Self.secret) })
    }
  }

  // MARK: Command line

  @Test func `A missing parent is a problem of its source.`() async throws {
    try await withHome { home, server in
      let parent = Self.parent.replacing("\"projects\"", with: "\"project\"")
      try home.add("tasks", Self.source("tasks", "\(server.baseURL)/{project}", parent))
      let problem =
        "sources/tasks.toml:4:10: [parent] source: unknown source \"project\". Did you mean \"projects\"?\n"
      for words in ["sources check tasks", "sources check", "search tasks --each", "doctor"] {
        let run = try await home.run(words)
        #expect((run.errors + run.output).contains(problem), "\(words): \(run)")
        #expect(run.status == (words == "doctor" ? 1 : 78), "\(words)")
      }
      #expect(server.requests == [])
    }
  }

  @Test func `Options that cannot apply to each parent are rejected.`() async throws {
    try await withHome { home, server in
      func errors(_ words: String) async throws -> String {
        let run = try await home.run("search " + words)
        #expect(run.status == 64, "\(words): \(run)")
        return run.errors
      }
      #expect(
        try await errors("projects --each")
          == "riffle: --each cannot be used: source projects has no [parent]\n")
      #expect(
        try await errors("issues --each --set project=1")
          == "riffle: --each and --set project=… cannot be used together\n")
      for (words, option) in [
        ("issues --each --from-page 2", "--from-page"),
        ("issues --set project=1 --on-parent-error skip", "--on-parent-error"),
        ("issues --each --count", "--count"),
      ] {
        let message = try await errors(words)
        #expect(message.contains(option), "\(message)")
      }
      #expect(server.requests == [])
    }
  }
}

/// A value that tests and servers share.
private final class Flag: Sendable {
  private let value = Lock(false)
  var isSet: Bool { value.withLock { $0 } }
  func set(_ isSet: Bool) { value.withLock { $0 = isSet } }
}
