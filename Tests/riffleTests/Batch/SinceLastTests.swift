import Foundation
import Glibc
import HTTPValues
import Locking
import TestSupport
import Testing

@testable import App
@testable import Config
@testable import Search
@testable import riffle

/// Tests `riffle search --since-last` as a script runs it, against a server whose rows change between runs.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(5))) struct SinceLastTests {
  /// A service with lists of rows, each a JSON object, in pages of three. How it answers can be changed.
  private final class Service: Sendable {
    struct Content {
      /// The rows of a list, by the path of its requests.
      var lists: [String: [String]] = [:]
      var total: Int?
      var failingPage: Int?
      /// How long the second page takes, in seconds.
      var delay = 0.0
      /// The value of `Date`, for the first page and for others.
      var dates = ("Sat, 28 Nov 2026 12:00:00 GMT", "Sat, 28 Nov 2026 12:30:00 GMT")
    }

    let content = Lock(Content())

    func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
      let content = content.withLock(\.self)
      let parts = request.target.split(separator: "?")
      let number = Int(request.target.firstMatch(of: /[?&]page=([0-9]+)/)?.1 ?? "1") ?? 1
      if number == 2 { Thread.sleep(forTimeInterval: content.delay) }
      if content.failingPage == number { return .status(400, #"{"message": "no"}"#) }
      var rows = content.lists[String(parts[0])] ?? []
      if let since = request.target.firstMatch(of: /[?&]since=([^&]*)/)?.1.removingPercentEncoding {
        rows = rows.filter { row in
          row.firstMatch(of: /"updated": "([^"]*)"/).map { String($0.1) >= since } ?? false
        }
      }
      let page = rows.dropFirst((number - 1) * 3).prefix(3).joined(separator: ", ")
      let total = content.total.map { ", \"total\": \($0)" } ?? ""
      return .json(
        "{\"items\": [\(page)], \"pages\": \(max(1, (rows.count + 2) / 3))\(total)}",
        ("Date", number == 1 ? content.dates.0 : content.dates.1))
    }
  }

  /// A home folder with sources of a service.
  private struct Home {
    let path: String
    let service: Service
    let server: ScriptedServer

    var states: String { "\(path)/.local/state/riffle/since" }

    func run(_ words: String, environment: [String: String] = [:]) async throws -> Program.Result {
      try await Program.run(
        words.split(separator: " ").map { String($0).replacing("HOME", with: path) },
        environment: ["HOME": path].merging(environment) { $1 })
    }

    /// The rows that `search notes --since-last` writes, and its messages.
    func news(_ options: String = "") async throws -> (rows: [String], errors: String, status: Int32) {
      let run = try await run("search notes --since-last --state mine -f csv --no-header \(options)")
      return (run.output.split(separator: "\n").map(String.init), run.errors, run.status)
    }

    func set(_ rows: [String], list: String = "/notes") {
      service.content.withLock { $0.lists[list] = rows }
    }

    /// Nil without a state. A run that saves none may hold an empty file until it ends.
    func bytes(_ name: String = "mine") -> Data? {
      FileManager.default.contents(atPath: "\(states)/\(name).state").flatMap { $0.isEmpty ? nil : $0 }
    }

    func add(_ id: String, _ text: String) throws {
      try text.write(toFile: "\(path)/.config/riffle/sources/\(id).toml", atomically: true, encoding: .utf8)
    }
  }

  private static func source(_ id: String, _ url: String, _ rest: String = "", key: String = "id") -> String {
    """
    schema = 1
    id = "\(id)"
    \(rest)
    [input]
    min_length = 0
    [request]
    url = "\(url)"
    params = { q = "{query?}" }
    [pagination]
    type = "page"
    param = "page"
    pages = "pages"
    [rows]
    path = "items"
    total = "total"
    \(key.isEmpty ? "" : "id = \"\(key)\"")
    [[columns]]
    name = "id"
    path = "id"
    [[columns]]
    name = "title"
    path = "title"
    """
  }

  private static func row(_ id: Int, _ title: String, _ updated: String? = nil) -> String {
    "{\"id\": \(id), \"title\": \"\(title)\"" + (updated.map { ", \"updated\": \"\($0)\"" } ?? "") + "}"
  }

  private func withHome(
    _ rest: String = "", key: String = "id", _ body: (Home) async throws -> Void
  ) async throws {
    let service = Service()
    let server = try ScriptedServer { service.answer($0) }
    defer { server.stop() }
    try await withFile("config.toml", "") { file in
      let path = (file as NSString).deletingLastPathComponent
      let home = Home(path: path, service: service, server: server)
      try FileManager.default.createDirectory(
        atPath: path + "/.config/riffle/sources", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try home.add("notes", Self.source("notes", "\(server.baseURL)/notes", rest, key: key))
      home.set((1...7).map { Self.row($0, "n\($0)") })
      try await body(home)
    }
  }

  // MARK: What is written

  @Test func `The first run writes all rows, and each later one those that are new or changed.`() async throws
  {
    try await withHome { home in
      let first = try await home.news()
      #expect(first.rows == (1...7).map { "\($0),n\($0)" })
      #expect(
        first.errors
          == "riffle: saved the state mine with 7 rows. The next run writes only what is new or changed\n")
      let cases: [(String, [String], [String])] = [
        ("nothing", (1...7).map { Self.row($0, "n\($0)") }, []),
        ("one new", (1...8).map { Self.row($0, "n\($0)") }, ["8,n8"]),
        ("one changed", (1...8).map { Self.row($0, $0 == 4 ? "x" : "n\($0)") }, ["4,x"]),
        ("in another order", (1...8).reversed().map { Self.row($0, $0 == 4 ? "x" : "n\($0)") }, []),
        ("one deleted", (2...8).map { Self.row($0, $0 == 4 ? "x" : "n\($0)") }, []),
        ("it is back", (1...8).map { Self.row($0, $0 == 4 ? "x" : "n\($0)") }, ["1,n1"]),
      ]
      for (name, rows, expected) in cases {
        home.set(rows)
        let run = try await home.news()
        #expect(run.rows == expected, "\(name)")
        #expect(run.status == 0)
        let says = run.errors.wholeMatch(of: /riffle: nothing new since [-0-9]{10} [0-9:]{5}\n/) != nil
        #expect(says == expected.isEmpty, "\(run.errors)")
      }
      let limited = try await home.news("--limit 2")
      #expect(limited.rows == [])
      #expect(
        limited.errors.contains(/^riffle: nothing new since [-0-9]{10} [0-9:]{5} in the first 3 rows\n/),
        "\(limited.errors)")
      let quiet = try await home.news("-q --fail-empty")
      #expect(quiet.rows == [] && quiet.errors == "" && quiet.status == 1)
    }
  }

  @Test func `The state is a private file of 24 bytes for each row and a header.`() async throws {
    try await withHome { home in
      home.set((1...1_000).map { Self.row($0, "n\($0)") })
      _ = try await home.news()
      let bytes = try #require(home.bytes())
      let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
      #expect(bytes.count == header + 24_000 && header < 500)
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(home.states)/mine.state")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.states) == ["mine.state"])
    }
  }

  @Test func `A row without an id is its contents, so that a changed one is new.`() async throws {
    try await withHome(key: "") { home in
      home.set([Self.row(1, "a"), Self.row(1, "b"), Self.row(1, "b")])
      #expect(try await home.news().rows == ["1,a", "1,b", "1,b"], "rows of one run are not compared")
      home.set([Self.row(1, "a"), Self.row(1, "c")])
      #expect(try await home.news().rows == ["1,c"])
      let run = try await home.news("--deleted HOME/gone").errors
      #expect(run.contains("no rows.id"))
    }
  }

  @Test func `With --columns, only a change of these columns counts.`() async throws {
    try await withHome { home in
      func run(_ columns: String) async throws -> String {
        try await home.run("search notes --since-last \(columns) -q -f jsonl").output
      }
      home.set([#"{"id": 1, "title": "a", "views": 5, "tit": 1}"#])
      #expect(try await run("-c title") == "{\"title\":\"a\"}\n")
      let all = try await run("-c *")
      #expect(all.contains("views"))
      let whole = try await run("")
      #expect(whole.contains("views"))
      #expect(try await run("-c tit") == "{\"tit\":1}\n")
      home.set([#"{"id": 1, "title": "a", "views": 6, "tit": 1}"#])
      #expect(try await run("-c title") == "")
      #expect(try await run("-c tit") == "")
      let changed = try await run("-c *")
      #expect(changed.contains("\"views\":6"))
      let changedRow = try await run("")
      #expect(changedRow.contains("6"))
      home.set([#"{"id": 1, "title": "a", "views": 6, "tit": 2}"#])
      #expect(
        try await run("-c tit") == "{\"tit\":2}\n", "a field that is also the start of a column's name")
      // In any format, the same rows are known.
      let table = try await home.run("search notes --since-last -q -f csv").output
      #expect(table.contains("1,a"))
      #expect(try await run("") == "")
    }
  }

  @Test func `Filtered, sorted and limited runs write what is new of their rows.`() async throws {
    try await withHome { home in
      #expect(try await home.news("--sort title:desc --filter id<4").rows == ["3,n3", "2,n2", "1,n1"])
      home.set((0...7).map { Self.row($0, $0 == 2 ? "z" : "n\($0)") })
      #expect(try await home.news("--sort title:desc --filter id<4").rows == ["2,z", "0,n0"])
      let all = try await home.run(
        "search notes --since-last --sort title -f jsonl", environment: ["RIFFLE_SEARCH_LIMIT": "1"])
      #expect(all.lines.count == 8, "it implies --all")
      let filtered = try await home.news("--filter id<3")
      #expect(
        filtered.status == 64 && filtered.errors.contains("was created with other options, columns or filter")
      )
    }
  }

  @Test func `With --each, equal ids of different lists are different rows.`() async throws {
    try await withHome { home in
      let parent = "[parent]\nsource = \"notes\"\nname = \"note\"\nvalue = \"id\"\n"
      try home.add("replies", Self.source("replies", "\(home.server.baseURL)/notes/{note}/replies", parent))
      home.set([Self.row(1, "a"), Self.row(2, "b")])
      home.set([Self.row(1, "x"), Self.row(2, "y")], list: "/notes/1/replies")
      home.set([Self.row(1, "x")], list: "/notes/2/replies")
      let command = "search replies --each --since-last -q -f csv --no-header -c @parent,id,title"
      #expect(try await home.run(command).output == "1,1,x\n1,2,y\n2,1,x\n")
      home.set([Self.row(1, "x"), Self.row(2, "y")], list: "/notes/2/replies")
      #expect(try await home.run(command).output == "2,2,y\n")
      let deleted = "\(command) --deleted HOME/gone"
      #expect(try await home.run(deleted).output == "")
      home.set([Self.row(2, "y")], list: "/notes/1/replies")
      #expect(try await home.run(deleted).output == "")
      #expect(
        try String(contentsOfFile: "\(home.path)/gone", encoding: .utf8)
          == #"{"id": "1", "parents": ["1"]}"# + "\n")
    }
  }

  @Test func `A saved search has a state of its own.`() async throws {
    try await withHome { home in
      let config = "[searches.mine]\nsource = \"notes\"\ncolumns = [\"title\"]\n"
      try FileManager.default.createDirectory(
        atPath: home.path + "/.config/riffle", withIntermediateDirectories: true)
      try config.write(
        toFile: home.path + "/.config/riffle/config.toml", atomically: true, encoding: .utf8)
      let saved = try await home.run("search @mine --since-last -q -f csv --no-header").output
      #expect(saved.hasPrefix("n1\nn2\n"))
      #expect(try await home.run("search @mine --since-last -q -f csv --no-header").output == "")
      let own = try await home.run("search notes --since-last -q -f csv --no-header").output
      #expect(own.hasPrefix("1,n1\n"))
    }
  }

  // MARK: Which runs move the state

  @Test func `Only a complete run whose output is written changes the state.`() async throws {
    let cases: [(options: String, change: @Sendable (inout Service.Content) -> Void, reason: String?)] = [
      ("", { _ in }, nil),
      ("--limit 20", { _ in }, nil),
      ("--fail-empty --filter id<0", { _ in }, nil),
      ("--limit 4", { _ in }, "the limit is reached. The next run writes these rows again"),
      ("--sort id --limit 4", { _ in }, "the limit is reached. The next run writes these rows again"),
      ("--max-pages 1", { _ in }, "1 page loaded. The next run writes these rows again"),
      ("", { $0.failingPage = 2 }, "the run failed. The next run writes these rows again"),
      ("", { $0.failingPage = 1 }, "the run failed"),
      ("", { $0.total = 9 }, "rows may be missing. The next run writes these rows again"),
      ("-o /dev/full", { _ in }, "the output could not be written. The next run writes these rows again"),
      (
        "--stats /dev/full", { _ in },
        "the report could not be written. The next run writes these rows again"
      ),
      ("-c nosuch", { _ in }, "the columns do not suit the rows. The next run writes these rows again"),
    ]
    for (options, change, reason) in cases {
      for isFirst in [true, false] {
        try await withHome { home in
          if !isFirst {
            home.set([Self.row(0, "old")])
            // The state of the same filter and columns.
            let own = options.firstMatch(of: /(--filter|-c) \S+/).map { String($0.0) } ?? ""
            if own.hasPrefix("-c") { return }
            _ = try await home.news(own)
            home.set((1...7).map { Self.row($0, "n\($0)") })
          }
          let before = home.bytes()
          home.service.content.withLock { change(&$0) }
          let run = try await home.news(options)
          let name = "\(options) \(reason ?? "complete") \(isFirst)"
          #expect((home.bytes() != before) == (reason == nil), "\(name)")
          let state = isFirst ? "no state was saved" : "the state mine is unchanged"
          let said = run.errors.split(separator: "\n").filter { $0.contains(/no state|is unchanged/) }
          #expect(said == (reason.map { ["riffle: \(state): \($0)"] } ?? []), "\(name)")
          if reason == nil { return }
          // The next complete run writes every row.
          home.service.content.withLock { content in (content.failingPage, content.total) = (nil, nil) }
          if !options.hasPrefix("-c") { #expect(try await home.news().rows.count == 7, "\(name)") }
        }
      }
    }
  }

  @Test func `A run that a signal ends, or whose reader goes, leaves the state as it is.`() async throws {
    try await withHome { home in
      // A shell function would run in a process of its own, which the signals would reach.
      let command = "\(Program.path) search notes --since-last --state mine -f csv"
      let environment = ["HOME": home.path]
      home.set((1...3_000).map { Self.row($0, "n\($0)") })
      let closed = try await Program.shell("\(command) | head -2; true", environment: environment)
      #expect(closed.errors.contains("no state was saved: the reader closed the output"))
      #expect(home.bytes() == nil)
      home.service.content.withLock { $0.delay = 2 }
      let stopped = try await Program.shell(
        "\(command) -o \(home.path)/all.csv & sleep 0.5; kill -TERM $!; wait $!; true",
        environment: environment)
      #expect(stopped.errors.contains("no state was saved: the run was interrupted"), "\(stopped)")
      #expect(home.bytes() == nil)
      let killed = try await Program.shell(
        "\(command) -o \(home.path)/all.csv & sleep 0.5; kill -9 $!; wait $!; true", environment: environment)
      #expect(killed.output == "" && home.bytes()?.isEmpty ?? true)
      home.service.content.withLock { $0.delay = 0 }
      home.set((1...7).map { Self.row($0, "n\($0)") })
      #expect(try await home.news().rows.count == 7)
    }
  }

  @Test
  func `A run that is killed while it writes the state leaves the old one, and the next removes the rest.`()
    async throws
  {
    try await withHome { home in
      _ = try await home.news()
      let old = try #require(home.bytes())
      home.set((1...8).map { Self.row($0, "n\($0)") })
      _ = try await home.news()
      let new = try #require(home.bytes())
      var random = SystemRandomNumberGenerator()
      for _ in 0..<20 {
        try old.write(to: URL(filePath: "\(home.states)/mine.state"))
        let part = new.prefix(Int.random(in: 0...new.count, using: &random))
        try Data(part).write(to: URL(filePath: "\(home.states)/mine.state.\(random.next())"))
        #expect(try await home.news().rows == ["8,n8"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.states) == ["mine.state"])
      }
    }
  }

  // MARK: Files that cannot be used

  @Test func `A file that is no state of this list is refused and left as it is.`() async throws {
    @Sendable func replaced(_ data: Data, _ old: String, _ new: String) -> Data {
      let header = String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return Data(header.replacing(old, with: new).utf8) + data.dropFirst(header.utf8.count)
    }
    let cases: [(name: String, change: @Sendable (Data) -> Data, says: String, status: Int32)] = [
      ("cut off", { $0.dropLast(5) }, "is damaged: it is cut off", 1),
      ("header alone", { $0.prefix { $0 != UInt8(ascii: "\n") } }, "is damaged: it has no header", 1),
      ("longer", { $0 + [1] }, "is damaged: it is too long", 1),
      ("changed", { $0.dropLast() + [$0[$0.endIndex - 1] ^ 1] }, "is damaged: its checksum is wrong", 1),
      ("text", { _ in Data("hello\n".utf8) }, "is damaged: its header is not JSON", 1),
      (
        "newer", { replaced($0, "\"version\":1", "\"version\":2") },
        "was written by a newer version of riffle", 1
      ),
      (
        "huge", { replaced($0, "\"rows\":7", "\"rows\":7000000000000") },
        "is damaged: its header: rows: 7000000000000 is out of range", 1
      ),
    ]
    for (name, change, says, status) in cases {
      try await withHome { home in
        _ = try await home.news()
        let path = "\(home.states)/mine.state"
        let bad = change(try #require(home.bytes()))
        try bad.write(to: URL(filePath: path))
        let run = try await home.news()
        #expect(
          run.errors
            == "riffle: the state mine \(says). To write all rows again, run: riffle state reset mine\n",
          "\(name)")
        #expect(run.status == status && run.rows == [] && home.bytes() == bad, "\(name)")
        #expect(home.server.requests.count == 3, "nothing is requested")
        let list = try await home.run("state list")
        let hasHeader = !["cut off", "longer", "changed"].contains(name)
        #expect(list.errors.contains(says) == hasHeader && list.status == (hasHeader ? 1 : 0), "\(name)")
        let shown = try await home.run("state show mine").errors
        #expect(shown.contains(says))
        #expect(try await home.run("state reset mine").status == 0)
        #expect(try await home.news().rows.count == 7)
      }
    }
  }

  @Test func `A state that is a directory or a link is refused with a remedy that works.`() async throws {
    try await withHome { home in
      _ = try await home.news()
      let path = "\(home.states)/mine.state"
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path + "/in", withIntermediateDirectories: true)
      let remedy = "riffle: the state mine is a directory. To remove it, run: rm -r \(path)\n"
      for command in [
        "state", "state show mine", "state reset mine", "search notes tea --since-last --state mine",
      ] {
        let run = try await home.run(command)
        #expect(run.errors == remedy && run.status == 1, "\(command): \(run)")
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
      let list = try await home.run("state")
      #expect(list.errors.hasSuffix("To write all rows again, run: riffle state reset mine\n"), "\(list)")
      #expect(try await home.run("state reset mine").status == 0)
      #expect(try await home.run("search notes tea --since-last --state mine -q").status == 0)
    }
  }

  @Test func `A state of another source or query is refused.`() async throws {
    try await withHome { home in
      try home.add("others", Self.source("others", "\(home.server.baseURL)/notes"))
      _ = try await home.run("search notes tea --since-last --state mine")
      let before = home.bytes()
      for command in ["search notes coffee", "search others tea"] {
        let run = try await home.run("\(command) --since-last --state mine")
        #expect(
          run.errors
            == "riffle: the state mine belongs to source notes, query \"tea\". Choose another name with --state, or remove it: riffle state reset mine\n"
        )
        #expect(run.status == 64)
      }
      let other = try await home.run("search notes tea --since-last --state mine --param a=1")
      #expect(other.status == 64 && other.errors.contains("was created with other options"))
      #expect(home.bytes() == before)
    }
  }

  @Test func `Where the state cannot be written, nothing is requested.`() async throws {
    try await withHome { home in
      try "".write(toFile: "\(home.path)/file", atomically: true, encoding: .utf8)
      let run = try await home.run(
        "search notes --since-last", environment: ["XDG_STATE_HOME": "\(home.path)/file"])
      #expect(
        run.errors
          == "riffle: cannot write the state \(home.path)/file/riffle/since: Not a directory. Make it writable, or set XDG_STATE_HOME to another directory\n"
      )
      #expect(run.status == 74 && home.server.requests.isEmpty)
    }
  }

  @Test func `Of two runs with the same state, the second is refused.`() async throws {
    try await withHome { home in
      _ = try await home.news()
      let file = try StateFolderFiles(environment: ["HOME": home.path]).open("mine")
      let run = try await home.news()
      #expect(
        run.errors
          == "riffle: another riffle process is using the state mine. Wait until it ends, or choose another name with --state\n"
      )
      #expect(run.status == 1 && run.rows == [])
      #expect(try await home.run("state show mine").status == 0)
      withExtendedLifetime(file) {}
    }
  }

  // MARK: Only what changed

  private static let since = "[since]\nvalue = \"updated\"\nparam = \"since\"\noverlap = \"60s\"\n"

  private func targets(_ home: Home) -> [String] {
    home.server.requests.map { String($0.split(separator: " ")[1]) }
  }

  @Test func `With [since], a run requests only what changed, and knows the rest.`() async throws {
    try await withHome(Self.since) { home in
      func rows(_ changed: [Int: String]) -> [String] {
        (1...7).map { Self.row($0, "n\($0)", changed[$0] ?? "2026-11-20T08:00:0\($0).5Z") }
      }
      home.set(rows([:]))
      #expect(try await home.news().rows.count == 7)
      #expect(targets(home).sorted() == ["/notes?page=1", "/notes?page=2", "/notes?page=3"])
      #expect(try await home.news().rows == [], "the overlap has rows that are known")
      #expect(targets(home)[3] == "/notes?since=2026-11-20T07%3A59%3A07Z&page=1")
      home.set(rows([3: "2026-11-21T10:00:00Z"]))
      let run = try await home.news("--stats HOME/stats")
      #expect(run.rows == ["3,n3"])
      home.set(rows([3: "2026-11-21T10:00:00Z"]).dropFirst() + [Self.row(8, "n8", "2026-11-21T11:00:00Z")])
      let count = targets(home).count
      #expect(try await home.news().rows == ["8,n8"])
      #expect(targets(home)[count...] == ["/notes?since=2026-11-21T09%3A59%3A00Z&page=1"])
      let state = try await home.run("state show mine").output
      #expect(state.contains("rows: 8\n"), "known rows stay known")
      #expect(state.contains("since: 2026-11-21T11:00:00Z\n"))
    }
  }

  @Test func `A row that changes while later pages are read is found by the next run.`() async throws {
    try await withHome(Self.since) { home in
      home.set((1...4).map { Self.row($0, "a", "2026-11-28T1\($0 == 4 ? "2:29" : "1:00"):00Z") })
      _ = try await home.news()
      // Changed at 12:05, after page 1 was sent at 12:00, and before page 2 was at 12:30.
      home.set([Self.row(1, "b", "2026-11-28T12:05:00Z"), Self.row(4, "a", "2026-11-28T12:29:00Z")])
      #expect(try await home.news().rows == ["1,b"])
    }
  }

  @Test func `The time of a row counts no later than the service's own.`() async throws {
    try await withHome(Self.since) { home in
      home.set([Self.row(1, "a", "2999-01-01T00:00:00Z"), Self.row(2, "b", "2026-11-20T00:00:00Z")])
      _ = try await home.news()
      _ = try await home.news()
      #expect(targets(home).last == "/notes?since=2026-11-28T11%3A59%3A00Z&page=1")
      #expect(try await home.news().rows == [])
    }
  }

  @Test func `With --each, lists are read as a whole, because one may be new.`() async throws {
    try await withHome { home in
      let parent = "[parent]\nsource = \"notes\"\nname = \"note\"\nvalue = \"id\"\n"
      try home.add(
        "replies", Self.source("replies", "\(home.server.baseURL)/notes/{note}/replies", parent + Self.since))
      home.set([Self.row(1, "a")])
      home.set([Self.row(5, "x", "2026-11-27T00:00:00Z")], list: "/notes/1/replies")
      home.set([Self.row(6, "old", "2020-01-01T00:00:00Z")], list: "/notes/2/replies")
      let command = "search replies --each --since-last -q -f csv --no-header"
      #expect(try await home.run(command).output == "5,x\n")
      home.set([Self.row(1, "a"), Self.row(2, "b")])
      #expect(try await home.run(command).output == "6,old\n")
      // One list alone.
      for _ in 0..<2 { _ = try await home.run("search replies --since-last --set note=1") }
      #expect(targets(home).last == "/notes/1/replies?since=2026-11-26T23%3A59%3A00Z&page=1")
    }
  }

  @Test func `A run that fails does not move the time either.`() async throws {
    try await withHome(Self.since) { home in
      home.set([Self.row(1, "a", "2026-11-20T00:00:00Z")])
      _ = try await home.news()
      home.set((1...4).map { Self.row($0, "b", "2026-11-2\($0)T00:00:00Z") })
      home.service.content.withLock { $0.failingPage = 2 }
      _ = try await home.news()
      home.service.content.withLock { $0.failingPage = nil }
      #expect(try await home.news().rows.count == 4)
      #expect(targets(home).suffix(2).first == "/notes?since=2026-11-19T23%3A59%3A00Z&page=1")
    }
  }

  @Test func `--deleted names rows that disappeared, and reads the whole list.`() async throws {
    try await withHome(Self.since) { home in
      func gone() throws -> String { try String(contentsOfFile: "\(home.path)/gone", encoding: .utf8) }
      home.set((1...5).map { Self.row($0, "n", "2026-11-20T00:00:00Z") })
      _ = try await home.news()
      let first = try await home.news("--deleted HOME/gone")
      #expect(
        first.errors.contains(
          "--deleted reads the entire list, not only the rows that changed since the last run"))
      #expect(
        first.errors.contains("the state mine has no ids yet. Deleted rows are named from the next run on"))
      #expect(try gone() == "")
      home.set([2, 4, 5, 6].map { Self.row($0, "n", "2026-11-20T00:00:00Z") })
      #expect(try await home.news("--deleted HOME/gone --limit 2").status == 0)
      #expect(try gone() == "", "the run was not complete")
      #expect(try await home.news("--deleted HOME/gone").rows == ["6,n"])
      #expect(try gone().split(separator: "\n").sorted() == [#"{"id": "1"}"#, #"{"id": "3"}"#])
      #expect(!targets(home).last!.contains("since"))
      // A run in between that reads only what changed keeps the ids.
      home.set([Self.row(7, "n", "2026-11-21T00:00:00Z")])
      #expect(try await home.news().rows == ["7,n"])
      #expect(targets(home).last!.contains("since"))
      let last = try await home.news("--deleted -")
      #expect(last.errors.matches(of: /\{"id": "[0-9]"\}/).count == 4)
      let failed = try await home.news("--deleted /dev/full")
      #expect(failed.status == 0, "nothing to write")
      home.set([])
      let before = home.bytes()
      #expect(try await home.news("--deleted HOME/none/gone").status == 74)
      #expect(home.bytes() == before)
    }
  }

  @Test(arguments: [
    ("template = \"{query} updated:>={since}\"", "q=tea%20updated%3A%3E%3D2026-11-20T00%3A00%3A00Z"),
    ("param = \"from\"\nformat = \"date\"", "q=tea&from=2026-11-20"),
    ("param = \"from\"\nformat = \"epoch\"", "q=tea&from=1795132800"),
    ("param = \"from\"\nformat = \"epoch_ms\"", "q=tea&from=1795132800000"),
  ]) func `[since] writes the time as the service reads it.`(_ rule: String, _ query: String) async throws {
    let overlap = "overlap = \"1m\"\n"
    try await withHome("[since]\nvalue = [\"touched\", \"updated\"]\n\(overlap)\(rule)\n") { home in
      home.set([Self.row(1, "a", "2026-11-20T00:01:00.9Z")])
      for _ in 0..<2 { #expect(try await home.run("search notes tea --since-last").status == 0) }
      #expect(targets(home).last == "/notes?\(query)&page=1")
      let dry = try await home.run("search notes tea --since-last --dry-run")
      #expect(dry.output.contains(query) && dry.status == 0)
    }
  }

  @Test func `A number is sent as it is, and options can switch [since] off.`() async throws {
    let rule = """
      [options.sort]
      values = ["new", "top"]
      [since]
      value = "id"
      param = "after"
      format = "number"
      options = { sort = "new" }
      """
    try await withHome(rule) { home in
      home.set([Self.row(1_146_123_456_789_012_345, "a")])
      for _ in 0..<2 { _ = try await home.run("search notes --since-last") }
      #expect(targets(home).last == "/notes?after=1146123456789012345&page=1")
      for _ in 0..<2 { _ = try await home.run("search notes --since-last --set sort=top") }
      #expect(targets(home).last == "/notes?page=1")
    }
  }

  @Test(arguments: [
    ("github-issues", "2026-11-20T00:01:00Z", "q=tea%20updated%3A%3E%3D2026-11-20T00%3A00%3A00Z"),
    ("github-repository-issues", "2026-11-20T00:01:00Z", "since=2026-11-20T00%3A00%3A00Z"),
    ("gitlab-issues", "2026-11-20T00:01:00.123Z", "updated_after=2026-11-20T00%3A00%3A00Z"),
    ("stackoverflow", "1795132860", "min=1795132800"),
  ]) func `Built-in sources request what changed as their documentation says.`(
    _ name: String, _ value: String, _ expected: String
  ) throws {
    let catalog = Catalog(builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0)
    var source = try catalog.entry(named: name).source
    let rule = try #require(source.since)
    var query = Query(
      "tea",
      options: ["repository": "a/b", "project": "7"].filter { pair in
        source.options.contains { $0.name == pair.key }
      })
    rule.apply(try #require(SinceMark(value, as: rule.format)), to: &source, &query)
    let request = try source.request(
      for: PageRequest(first: source, query), in: RunContext(pageSize: nil, version: "1"))
    #expect(request.url.description.replacing("+", with: "%20").contains(expected))
  }

  @Test func `A replay requests what the recorded run requested, and leaves the state.`() async throws {
    try await withHome(Self.since) { home in
      home.set([Self.row(1, "a", "2026-11-20T00:00:00Z")])
      _ = try await home.news()
      home.set([Self.row(2, "b", "2026-11-21T00:00:00Z")])
      #expect(try await home.news("--record HOME/run.riffle-session").rows == ["2,b"])
      let before = home.bytes()
      let replay = try await home.run("replay HOME/run.riffle-session")
      #expect(replay.status == 0 && replay.output.contains("rows: 1\n"), "\(replay)")
      #expect(home.bytes() == before)
    }
  }

  // MARK: The command line

  @Test(arguments: [
    (
      "--watch 60s",
      "--since-last and --watch cannot be used together: --watch ends only when it is interrupted"
    ),
    ("--resume -o HOME/a.csv", "--since-last and --resume cannot be used together: a run that stops"),
    ("--from-page 2", "--since-last and --from-page cannot be used together: a run that skips pages"),
    ("--count", "--since-last and --count cannot be used together: --count writes no rows"),
    ("--state ../x", "invalid state name \"../x\". Use at most 100"),
    ("--limit 3 --all", "--limit and --all cannot be used together"),
  ]) func `What cannot be combined is refused with a reason.`(_ options: String, _ says: String) async throws
  {
    try await withHome { home in
      let run = try await home.run("search notes --since-last \(options)")
      #expect(run.errors.hasPrefix("riffle: \(says)") && run.status == 64, "\(run.errors)")
      #expect(home.server.requests.isEmpty)
    }
  }

  @Test func `--state and --deleted need --since-last.`() async throws {
    try await withHome { home in
      let named = try await home.run("search notes --state a").errors
      #expect(named.hasPrefix("riffle: --state needs --since-last"))
      let deleted = try await home.run("search notes --deleted a").errors
      #expect(deleted.hasPrefix("riffle: --deleted needs --since-last"))
    }
  }

  @Test func `A state has a readable name of source, query and options.`() async throws {
    try await withHome { home in
      let commands = [
        "notes", "notes Green tea", "notes Green tea --param a=b", "notes Green tea --filter id<3",
        "notes ぬ",
      ]
      for command in commands { _ = try await home.run("search \(command) --since-last -q") }
      for command in commands.dropLast() {
        _ = try await home.run("search \(command) --since-last --format json")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: home.states).sorted()
      #expect(
        names.map { $0.replacing(/-[0-9a-f]{8}\.state/, with: "-#") } == [
          "notes-#", "notes-#", "notes-green-tea-#", "notes-green-tea-#", "notes-green-tea-#",
        ])
    }
  }

  @Test func `riffle state lists, shows and resets states.`() async throws {
    try await withHome { home in
      let none = try await home.run("state")
      #expect(none.output == "")
      #expect(none.errors == "riffle: no saved states. To create one, run riffle search with --since-last\n")
      _ = try await home.run("search notes tea --since-last --state mine -q")
      _ = try await home.run("search notes --since-last --state all.2 -q")
      let list = try await home.run("state list")
      #expect(
        list.output.replacing(/[-0-9]{10} [0-9:]{5}/, with: "TIME")
          == "all.2  notes       7 rows  TIME\nmine   notes  tea  7 rows  TIME\n")
      #expect(
        try await home.run("state show mine").output.replacing(/[-0-9]{10} [0-9:]{5}/, with: "TIME") == """
          name: mine
          source: notes
          query: tea
          rows: 7
          last complete run: TIME
          file: \(home.states)/mine.state

          """)
      let reset = try await home.run("state reset mine")
      #expect(reset.errors == "riffle: removed the state mine. The next run writes all rows\n")
      #expect(try await home.run("search notes tea --since-last --state mine -q -f csv").lines.count == 8)
      for command in ["show", "reset"] {
        let run = try await home.run("state \(command) mina")
        #expect(run.errors == "riffle: no state mina. Did you mean \"mine\"?\n" && run.status == 64)
      }
    }
  }
}
