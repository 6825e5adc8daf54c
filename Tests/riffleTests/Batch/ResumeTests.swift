import Config
import DemoTesting
import Foundation
import Glibc
import HTTPValues
import Output
import TestSupport
import Testing
import TransportTesting

@testable import App
@testable import Search
@testable import riffle

/// Tests runs that are stopped and resumed.
@Suite(.takesTurns, .timeLimit(.minutes(2))) struct ResumeTests {
  private func arguments(_ file: String, _ server: TestServer, _ more: [String] = []) -> [String] {
    [
      "search", "unicode", "letter", "-n", "1500", "--page-size", "30", "--output", file, "--set",
      "server=\(server.baseURL)", "--quiet",
    ] + more
  }

  private func size(_ file: String) -> Int {
    var facts = stat()
    return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Starts a run and sends it a signal once the file has grown past `mark`; returns when the run has ended.
  private func run(_ process: Process, sending signal: Int32, past mark: Int, of file: String) async throws {
    let watch = try FolderWatch((file as NSString).deletingLastPathComponent)
    let end = try process.start()
    let identifier = process.processIdentifier
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { [changes = watch.changes] in
        for await _ in changes where size(file) >= mark { kill(identifier, signal) }
      }
      try await end.end()
      tasks.cancelAll()
    }
  }

  /// Starts a run and kills it once the file has grown past `mark`; true if it ended before.
  private func isDone(_ words: [String], killedPast mark: Int, file: String) async throws -> Bool {
    let process = Program.process(words)
    try await run(process, sending: SIGKILL, past: mark, of: file)
    return process.terminationReason == .exit && process.terminationStatus == 0
  }

  @Test(arguments: OutputFormats.all.filter(\.isResumable).map(\.name))
  func `A file written by a run that is repeatedly killed and resumed equals that of an uninterrupted run.`(
    format: String
  ) async throws {
    let server = try await TestServer.start()
    try await withFile("whole.\(format)", "") { whole in
      let part = (whole as NSString).deletingLastPathComponent + "/part.\(format)"
      #expect(try await Program.run(arguments(whole, server)).status == 0)
      var random = SeededGenerator(seed: 7)
      var kills = 0
      var isDone = false
      while !isDone, kills < 3 {
        let mark = size(part) + Int.random(in: 0...20_000, using: &random)
        isDone = try await self.isDone(arguments(part, server, ["--resume"]), killedPast: mark, file: part)
        if !isDone { kills += 1 }
      }
      if !isDone { #expect(try await Program.run(arguments(part, server, ["--resume"])).status == 0) }
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: part)) == Data(contentsOf: URL(fileURLWithPath: whole)))
      #expect(!FileManager.default.fileExists(atPath: whole + ".riffle"), "a finished run leaves no record")
    }
    try await server.stop()
  }

  @Test func `[D29] Resuming a finished run requests nothing and succeeds.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      func run(_ limit: String, _ more: String = "") async throws -> Program.Result {
        let words =
          "search unicode snow \(limit) --page-size 3 --set server=\(server.baseURL) -o \(file) --resume"
        return try await Program.run((words + more).split(separator: " ").map(String.init))
      }
      #expect(try await run("-n 4").status == 0)
      let four = try String(contentsOfFile: file, encoding: .utf8)
      var requests = server.requestLog.count
      for _ in 0..<2 {
        let again = try await run("-n 4", " --fail-empty --stats -")
        #expect(
          again.errors.hasPrefix("riffle: nothing to resume: \(file) already has 4 rows\n{\"rows\": 0, "))
        #expect(again.status == 0)
      }
      #expect(server.requestLog.count == requests)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == four)
      // Now more rows are requested.
      #expect(try await run("--all").status == 0)
      let all = try String(contentsOfFile: file, encoding: .utf8)
      #expect(all.hasPrefix(four))
      #expect(all.split(separator: "\n").count == 1 + LibrarySearch("SNOW").codePoints.count)
      requests = server.requestLog.count
      for limit in ["--all", "-n 4", "-n 1000", "--max-pages 1"] {
        let again = try await run(limit)
        #expect(again.errors.contains("nothing to resume: "), "\(again)")
        #expect(again.status == 0)
      }
      #expect(server.requestLog.count == requests)
      #expect(size(file + ".riffle") < 500, "the keys are not needed any more")
      // A removed file is written again.
      try FileManager.default.removeItem(atPath: file)
      #expect(try await run("--all").status == 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == all)
    }
    try await server.stop()
  }

  @Test(arguments: [
    "type = \"page\"\nparam = \"page\"", "type = \"offset\"\nparam = \"offset\"",
    "type = \"cursor\"\nparam = \"after\"\nnext = \"next\"",
  ])
  func `[S11] A file of all requested rows is extended by the same command with a larger limit.`(
    pagination: String
  ) async throws {
    let server = try ScriptedServer { request in
      let size = max(1, request.number("size"))
      let page = request.target.contains("page=") ? (request.number("page") - 1) * size : 0
      let start = page + request.number("offset") + request.number("after")
      let rows = (start..<max(start, min(137, start + size))).map { "{\"id\": \($0)}" }
      let next = start + size < 137 ? "\(start + size)" : "null"
      return .json("{\"next\": \(next), \"items\": [\(rows.joined(separator: ","))]}")
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "src"
      request.url = "\(server.baseURL)/l"
      rows.path = "items"
      [pagination]
      \(pagination)
      size = { param = "size", default = 10, max = 100 }
      """
    try await withFile("src.toml", source) { source in
      let file = (source as NSString).deletingLastPathComponent + "/a.csv"
      var picture: [String] = []
      for more in ["-n 30", "-n 45", "-n 40", "--all --page-size 50", "--all --filter id>3", "--all"] {
        let words = "search \(source) \(more) --concurrency 1 -o \(file) --resume --progress never"
        let before = server.requests.count
        let run = try await Program.run(words.split(separator: " ").map(String.init))
        let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(Array(rows) == (0..<rows.count).map { "\($0)"[...] })
        let sizes = Set(
          server.requests.dropFirst(before).compactMap {
            $0.firstMatch(of: /[?&]size=(\d+)/).map { "\($0.1)" }
          }
        ).sorted().joined()
        picture.append("\(more): \(rows.count) rows by \(sizes), \(run.errors.replacing(file, with: "FILE"))")
      }
      let advice = "Choose another file, or omit --resume to start over\n"
      #expect(
        picture == [
          "-n 30: 30 rows by 30, ", "-n 45: 45 rows by 30, ",
          "-n 40: 45 rows by , riffle: nothing to resume: FILE already has 45 rows\n",
          "--all --page-size 50: 45 rows by , "
            + "riffle: cannot resume FILE: it was written with page size 30, not 50. \(advice)",
          "--all --filter id>3: 45 rows by , "
            + "riffle: cannot resume FILE: it was written with a different format, columns or filter. \(advice)",
          "--all: 137 rows by 30, ",
        ])
    }
  }

  @Test func `Resuming a finished run repeats that rows may be missing.`() async throws {
    let server = try ScriptedServer { request in
      let first = 10 * (request.number("page") - 1)
      let rows = (first..<first + 10).map { "{\"id\": \($0)}" }.joined(separator: ",")
      return .json("{\"total\": 90, \"items\": [\(first < 20 ? rows : "")]}")
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "src"
      request.url = "\(server.baseURL)/l"
      pagination = { type = "page", param = "page" }
      rows = { path = "items", total = "total" }
      columns = [{ path = "id" }]
      """
    try await withFile("src.toml", source) { source in
      try await withFile("a.csv", "") { file in
        var picture: [String] = []
        for more in ["", "", " --fail-incomplete"] {
          let words = "search \(source) --all --concurrency 1 -q -o \(file) --resume\(more)"
          let run = try await Program.run(words.split(separator: " ").map(String.init))
          picture.append("\(server.requests.count) requests, status \(run.status): \(run.errors)")
        }
        let warning = "riffle: rows may be missing: the service reports 90 rows but returned 20\n"
        #expect(
          picture == [
            "9 requests, status 0: \(warning)", "9 requests, status 0: \(warning)",
            "9 requests, status 3: \(warning)",
          ])
      }
    }
  }

  @Test func `When a run is resumed, --max-pages counts the pages of the earlier run too.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      for (most, rows) in [(2, 60), (3, 90)] {
        let run = try await Program.run(
          arguments(file, server, ["--resume", "--concurrency", "1", "--max-pages", "\(most)"]))
        #expect(run.status == 0, "\(run.errors)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 + rows)
      }
    }
    #expect(server.requestLog.count == 3)
    try await server.stop()
  }

  @Test func `A run that is interrupted after its limit cut a page is resumed row by row.`()
    async throws
  {
    let server = try await TestServer.start()
    func words(_ limit: Int) -> [String] {
      ["search", "unicode", "a", "-n", "\(limit)", "--page-size", "100", "--set", "server=\(server.baseURL)"]
    }
    try await withFile("whole.csv", "") { whole in
      let part = (whole as NSString).deletingLastPathComponent + "/part.csv"
      #expect(try await Program.run(words(250) + ["-o", whole]).status == 0)
      let length = size(whole)
      // The run has written all its rows and waits for a reader of its messages.
      let stalled = try StalledPipe()
      let process = Program.process(words(250) + ["-o", part, "-v"])
      process.standardError = stalled.pipe
      try await run(process, sending: SIGINT, past: length, of: part)
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == SIGINT)
      #expect(size(part) == length)
      #expect(try await Program.run(words(500) + ["-o", whole]).status == 0)
      #expect(try await Program.run(words(500) + ["-o", part, "--resume"]).status == 0)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: part)) == Data(contentsOf: URL(fileURLWithPath: whole)))
    }
    try await server.stop()
  }

  @Test func `A resumed run counts times from the start of the run that it continues.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok(#"{"items": ["a", "b"]}"#)] }
    let source = """
      schema = 1
      id = "mine"
      request.url = "http://127.0.0.1:\(server.port)/list?since={now-1h|epoch_ms}"
      [pagination]
      type = "page"
      param = "page"
      [rows]
      path = "items"
      """
    try await withFile("mine.toml", source) { source in
      let rows = (source as NSString).deletingLastPathComponent + "/rows.csv"
      for count in ["2", "4"] {
        let end = try await Program.run(["search", source, "-n", count, "-o", rows, "-q", "--resume"])
        #expect(end.errors == "")
      }
      let text = try String(contentsOfFile: rows, encoding: .utf8)
      #expect(text == "value\na\nb\na\nb\n")
    }
    let targets = server.requests.compactMap { $0.split(separator: " ").dropFirst().first }
    let pages = targets.map { String($0.suffix(7)) }
    #expect(pages == ["&page=1", "&page=2"])
    #expect(Set(targets.map { String($0.dropLast(7)) }).count == 1)
  }

  @Test func `A file without a record and a file of another query are not touched.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "mine\n") { file in
      let alone = try await Program.run(arguments(file, server, ["--resume"]))
      #expect(alone.status == 64)
      #expect(
        alone.errors == """
          riffle: \(file) exists but its progress file \(file).riffle does not. A run that has written all its rows \
          keeps one only with --resume. Choose another file, or omit --resume to start over

          """)
      let identity = RunIdentity(source: "unicode", request: "1", form: "2")
      let header = ResumeRecord.Line.header(identity, inode: 1, start: nil).bytes
      try Data(header).write(to: URL(fileURLWithPath: file + ".riffle"))
      let other = try await Program.run(arguments(file, server, ["--resume"]))
      #expect(other.status == 64)
      #expect(other.errors.contains("cannot resume \(file): it was written by a different query"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine\n")
    }
    try await server.stop()
  }

  @Test func `A run that ends within its first page leaves a record to resume from.`() async throws {
    let server = try await TestServer.start()
    try await withFile("whole.csv", "") { whole in
      let part = (whole as NSString).deletingLastPathComponent + "/part.csv"
      let words = "search unicode letter -n 90 --page-size 30 --set server=\(server.baseURL) -q"
      // Files may have at most 1,024 bytes, so a write fails in the middle of a row.
      let killed = try await Program.shell("ulimit -f 1; riffle \(words) -o \(part)")
      #expect(killed.status != 0)
      #expect(size(part) == 1_024)
      let rest = try await Program.shell("riffle \(words) -o \(part) --resume && riffle \(words) -o \(whole)")
      #expect(rest.errors == "")
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: part)) == Data(contentsOf: URL(fileURLWithPath: whole)))
    }
    try await server.stop()
  }

  @Test func `A record whose file is gone is reported and kept.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      let faults = ["fault=429", "from=3", "retry_after=3600"].flatMap { ["--param", $0] }
      let words = arguments(file, server) + ["--concurrency", "1"] + faults
      #expect(try await Program.run(words).status == 3)
      try FileManager.default.removeItem(atPath: file)
      let gone = try await Program.run(words + ["--resume"])
      #expect(
        gone.errors == """
          riffle: cannot resume \(file): the file with 60 rows is missing. Choose another file, or omit --resume \
          to start over

          """)
      #expect(gone.status == 64)
      #expect(FileManager.default.fileExists(atPath: file + ".riffle"))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    try await server.stop()
  }

  @Test(arguments: [
    (["--resume"], "--resume needs --output FILE"),
    (["--resume", "-o", "/tmp/x.md"], "--resume needs --format csv, tsv or jsonl"),
    (["--resume", "-o", "/tmp/x.csv", "--sort", "name"], "--resume and --sort cannot be used together"),
    (["--resume", "-o", "/tmp/x.csv", "--from-page", "2"], "cannot be used together"),
  ]) func `A resume that is not possible is refused before anything is requested.`(
    words: [String], message: String
  )
    async throws
  {
    let result = try await Program.run(["search", "unicode", "arrow"] + words)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == 64)
  }

  /// A run of two pages that fails on the third: it leaves a file of 60 rows and its record.
  private func stopped(_ file: String, _ server: TestServer) async throws -> [String] {
    let faults = ["fault=500", "from=3"].flatMap { ["--param", $0] }
    let words = arguments(file, server, ["--concurrency", "1", "--retries", "0"]) + faults
    let run = try await Program.run(words)
    #expect(run.status == 3)
    #expect(
      run.errors.hasSuffix("\nriffle: run the same command with --resume to continue\n"), "\(run.errors)")
    return words + ["--resume"]
  }

  @Test(arguments: [
    ("cp FILE copy; mv copy FILE", "it was replaced after the earlier run"),
    ("truncate -s -1 FILE", "it has become shorter since the earlier run"),
    ("echo more >> FILE", "it has become longer since the earlier run"),
    ("sed -i -n 'p' FILE", "it was replaced after the earlier run"),
    (
      "printf x | dd of=FILE bs=1 seek=$(($(stat -c %s FILE) - 9)) conv=notrunc status=none",
      "its last rows have changed since the earlier run"
    ),
    ("rm FILE.riffle; touch FILE.riffle", "its progress file FILE.riffle is damaged: line 1: truncated"),
    (
      "head -c 70 FILE.riffle > r; mv r FILE.riffle",
      "its progress file FILE.riffle is damaged: line 1: truncated"
    ),
    (
      "sed -i '2s/rows/lows/' FILE.riffle",
      "its progress file FILE.riffle is damaged: line 2: wrong checksum"
    ),
    (
      "mv FILE.riffle r; ln -s r FILE.riffle",
      "cannot read its progress file FILE.riffle: Too many levels of symbolic links"
    ),
    ("rm FILE.riffle; mkdir FILE.riffle", "cannot read its progress file FILE.riffle: Is a directory"),
  ]) func `[D46] A file that does not match its record is not touched.`(
    change: String, problem: String
  ) async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      let words = try await stopped(file, server)
      let folder = (file as NSString).deletingLastPathComponent
      let script = "cd \(folder); " + change.replacing("FILE", with: "a.csv")
      #expect(try await Program.shell(script).status == 0)
      let requests = server.requestLog.count
      let before = try Data(contentsOf: URL(fileURLWithPath: file))
      let result = try await Program.run(words)
      #expect(
        result.errors == """
          riffle: cannot resume \(file): \(problem.replacing("FILE", with: file)). Choose another file, or omit --resume \
          to start over

          """)
      #expect(result.status == 64)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
      #expect(server.requestLog.count == requests)
    }
    try await server.stop()
  }

  @Test func `[D43] The next page in a record is checked like one in a response.`() async throws {
    let external = try ScriptedServer { _ in .json("{}") }
    let server = try ScriptedServer { request in
      request.target.contains("page=2")
        ? .status(500) : .json(#"{"items": [{"id": 1}], "next": "/list?page=2"}"#)
    }
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/list"
      [pagination]
      type = "link"
      next = "next"
      [rows]
      path = "items"
      """
    try await withFile("mine.toml", source) { toml in
      let file = toml + ".csv"
      let words = ["search", toml, "--all", "--retries", "0", "-o", file]
      #expect(try await Program.run(words).status == 3)
      let path = URL(fileURLWithPath: file + ".riffle")
      let record = try ResumeRecord.reading(Array(Data(contentsOf: path))).record
      var resumePoint = try #require(record.resumePoint)
      resumePoint.next.value = .link(try WebURL("\(external.baseURL)/"))
      let lines: [ResumeRecord.Line] = [
        .header(record.identity, inode: record.inode, start: nil),
        .page(record.progress, resumePoint, columns: record.columns),
      ]
      try Data(lines.flatMap(\.bytes)).write(to: path)
      let result = try await Program.run(words + ["--resume"])
      #expect(
        result.errors.hasPrefix(
          "riffle: cannot resume \(file): the next page in \(file).riffle cannot be used: pagination.next of source mine "
            + "returned a link that leads to another origin, \(external.baseURL). If that is the same service"
        ),
        "\(result.errors)")
      #expect(result.status == 64)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "id\n1\n")
    }
    #expect(external.requests.isEmpty)
    #expect(server.requests.count == 2)
  }

  @Test func `[D39] A file that one run is writing is refused to every other run.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      let words = arguments(file, server, ["--concurrency", "1"])
      let process = Program.process(words + ["--param", "fault=hang", "--param", "from=3"])
      let end = try process.start()
      let identifier = process.processIdentifier
      try await once {
        // The third page is asked for before the second one is written.
        let rows = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").count
        return server.requestLog.count >= 3 && rows == 61 || hasEnded(identifier)
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: file))
      for more in [["--resume"], [], ["-f", "json"]] {
        let second = try await Program.run(words + more)
        #expect(second.errors == "riffle: cannot write \(file): another riffle process is writing it\n")
        #expect(second.status == 74)
      }
      // Another file with that name would have the same record.
      try FileManager.default.moveItem(atPath: file, toPath: file + ".old")
      for more in [[], ["--resume"]] {
        let third = try await Program.run(words + more)
        #expect(third.errors == "riffle: cannot write \(file): another riffle process is writing it\n")
        #expect(third.status == 74)
      }
      try? FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: file + ".old", toPath: file)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
      kill(process.processIdentifier, SIGINT)
      try await end.end()
      #expect(before.split(separator: 10).count == 61)
    }
    try await server.stop()
  }

  @Test func `[D41] A resume is not offered when the record cannot be written.`() async throws {
    let server = try await TestServer.start()
    try await withFile("a.csv", "") { file in
      try FileManager.default.createDirectory(atPath: file + ".riffle", withIntermediateDirectories: true)
      let faults = ["fault=500", "from=3"].flatMap { ["--param", $0] }
      let run = try await Program.run(
        arguments(file, server, ["--concurrency", "1", "--retries", "0"]) + faults)
      #expect(run.status == 3)
      #expect(
        run.errors.hasSuffix(
          "\nriffle: cannot write \(file).riffle: Is a directory. This run cannot be resumed\n"),
        "\(run.errors)")
    }
    try await server.stop()
  }

  @Test func `[D50] A record and its draft are new files, whatever links exist.`() async throws {
    try await withFile("victim", "mine") { victim in
      let place = victim + ".riffle"
      try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: victim)
      for text in ["one", "two"] {
        let file = try PrivateFile.replace(place, with: Array(text.utf8))
        close(file.number)
        #expect(try String(contentsOfFile: place, encoding: .utf8) == text)
      }
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
      let folder = (victim as NSString).deletingLastPathComponent
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["victim", "victim.riffle"])
      // Somebody who knew the number of a draft has put a link there.
      let trap = "\(place).\(String(7, radix: 36))"
      for target in [victim, victim + ".new"] {
        try FileManager.default.createSymbolicLink(atPath: trap, withDestinationPath: target)
        #expect(DraftFile(for: place, number: 7) == nil)
        try FileManager.default.removeItem(atPath: trap)
      }
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
      let drafts = try (0..<2).map { _ in try #require(DraftFile(for: place)) }
      defer { for draft in drafts { close(draft.descriptor) } }
      #expect(drafts[0].path != drafts[1].path)
      for draft in drafts {
        #expect(!draft.path.contains("\(getpid())"), "the number of the process can be foreseen")
        #expect(
          try FileManager.default.attributesOfItem(atPath: draft.path)[.posixPermissions] as? Int == 0o600)
      }
    }
  }

  @Test func `A run can start at any page.`() async throws {
    let result = try await Program.run([
      "search", "unicode", "arrow", "--from-page", "3", "--page-size", "50", "-n", "60", "-c",
      "code_point,@page",
    ])
    let whole = try await Program.run(["search", "unicode", "arrow", "--all", "-c", "code_point"])
    #expect(result.lines.map { $0.split(separator: "\t")[0] } == Array(whole.lines[100..<160]))
    #expect(
      result.lines.map { $0.split(separator: "\t")[1] } == Array(repeating: "3", count: 50)
        + Array(repeating: "4", count: 10))
  }
}
