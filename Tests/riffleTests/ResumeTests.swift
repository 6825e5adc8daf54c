import Demo
import Foundation
import Glibc
import Output
import Search
import TestSupport
import Testing

@testable import riffle

/// Runs that are stopped and gone on with.
@Suite(.timeLimit(.minutes(2))) struct ResumeTests {
  private func arguments(_ file: String, _ server: DemoServer, _ more: [String] = []) -> [String] {
    [
      "search", "unicode", "letter", "-n", "1500", "--page-size", "30", "--output", file, "--set",
      "server=\(server.baseURL)", "--quiet",
    ] + more
  }

  private func size(_ file: String) -> Int {
    var facts = stat()
    return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Starts a run and sends it a signal when the file has grown past `mark`; returns when it has ended.
  private func run(_ process: Process, sending signal: Int32, past mark: Int, of file: String) async throws {
    let watch = try FolderWatch((file as NSString).deletingLastPathComponent)
    let end = try process.start()
    let identifier = process.processIdentifier
    await withTaskGroup { tasks in
      tasks.addTask { [changes = watch.changes] in
        for await _ in changes where size(file) >= mark { kill(identifier, signal) }
      }
      await end.end()
      tasks.cancelAll()
    }
  }

  /// Starts a run and kills it when the file has grown past `mark`; true when it ended by itself before.
  private func isDone(_ words: [String], killedPast mark: Int, file: String) async throws -> Bool {
    let process = Program.process(words)
    try await run(process, sending: SIGKILL, past: mark, of: file)
    if process.terminationReason == .exit { return process.terminationStatus == 0 }
    // The end may come behind the last row.
    return size(file) > 0 && !FileManager.default.fileExists(atPath: file + ".riffle")
  }

  @Test(arguments: ["csv", "tsv", "jsonl"])
  func `A file written by a run that is killed again and again equals that of an unbroken run.`(
    format: String
  ) async throws {
    let server = try await DemoServer.start()
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
      #expect(!FileManager.default.fileExists(atPath: part + ".riffle"), "a complete run leaves no record")
    }
    try await server.stop()
  }

  @Test func `A run whose limit cut a page, and that is killed before its end, is gone on with row by row.`()
    async throws
  {
    let server = try await DemoServer.start()
    func words(_ limit: Int) -> [String] {
      ["search", "unicode", "a", "-n", "\(limit)", "--page-size", "100", "--set", "server=\(server.baseURL)"]
    }
    try await withFile("whole.csv", "") { whole in
      let part = (whole as NSString).deletingLastPathComponent + "/part.csv"
      #expect(try await Program.run(words(250) + ["-o", whole]).status == 0)
      let length = size(whole)
      // It has written everything, and waits for a reader of its messages.
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

  @Test func `A file without a record, and one of another query, are left alone.`() async throws {
    let server = try await DemoServer.start()
    try await withFile("a.csv", "mine\n") { file in
      let alone = try await Program.run(arguments(file, server, ["--resume"]))
      #expect(alone.status == 64)
      #expect(alone.errors.contains("is there, and no \(file).riffle that says how far it is"))
      let identity = RunIdentity(source: "unicode", request: "1", form: "2")
      let record = ResumeRecord(identity: identity)
      try Data(record.json.utf8).write(to: URL(fileURLWithPath: file + ".riffle"))
      let other = try await Program.run(arguments(file, server, ["--resume"]))
      #expect(other.status == 64)
      #expect(other.errors.contains("it was written for another query, other options or another page size"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine\n")
    }
    try await server.stop()
  }

  @Test func `A run that ends within its first page leaves a record to begin from.`() async throws {
    let server = try await DemoServer.start()
    try await withFile("whole.csv", "") { whole in
      let part = (whole as NSString).deletingLastPathComponent + "/part.csv"
      let words = "search unicode letter -n 90 --page-size 30 --set server=\(server.baseURL) -q"
      // Files may not be longer than 1,024 bytes: a write fails in the middle of a row.
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

  @Test func `A record whose file is gone is told, and stays.`() async throws {
    let server = try await DemoServer.start()
    try await withFile("a.csv", "") { file in
      let faults = ["fault=429", "from=3", "retry_after=3600"].flatMap { ["--param", $0] }
      let words = arguments(file, server) + ["--concurrency", "1"] + faults
      #expect(try await Program.run(words).status == 3)
      try FileManager.default.removeItem(atPath: file)
      let gone = try await Program.run(words + ["--resume"])
      #expect(
        gone.errors == """
          riffle: --resume: \(file) is gone, and \(file).riffle says that it held 60 rows; put it back, or remove \
          the record to begin anew

          """)
      #expect(gone.status == 64)
      #expect(FileManager.default.fileExists(atPath: file + ".riffle"))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    try await server.stop()
  }

  @Test(arguments: [
    (["--resume"], "--resume goes on with the file of --output"),
    (["--resume", "-o", "/tmp/x.md"], "only csv, tsv and jsonl can be resumed"),
    (["--resume", "-o", "/tmp/x.csv", "--sort", "name"], "only csv, tsv and jsonl can be resumed"),
    (["--resume", "-o", "/tmp/x.csv", "--from-page", "2"], "exclude each other"),
  ]) func `What cannot be resumed is told before anything is asked.`(words: [String], message: String)
    async throws
  {
    let result = try await Program.run(["search", "unicode", "arrow"] + words)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == 64)
  }

  @Test func `A record is read back as it was.`() throws {
    let record = ResumeRecord(
      identity: RunIdentity(source: "github", request: "ab12", form: "ff"), bytes: 4096, rows: 100,
      resumption: Resumption(
        next: Position(ordinal: 4, value: .token(JSONToken("a\"b"))), received: 101, keys: [1, .max]),
      columns: [SettledColumn(name: "name", path: nil), SettledColumn(name: "a b", path: "[\"a b\"]")])
    #expect(ResumeRecord(Array(record.json.utf8)) == record)
    for cut in [0, 1, 20, 90] { #expect(ResumeRecord(Array(record.json.utf8.prefix(cut))) == nil) }
  }

  @Test func `A run goes on only with a file of the same source, request and form.`() {
    let run = RunIdentity(source: "a", request: "1", form: "x")
    #expect(run.refusal(of: run) == nil)
    #expect(
      run.refusal(of: RunIdentity(source: "b", request: "1", form: "x"))
        == "it was written from source b, not a")
    #expect(run.refusal(of: RunIdentity(source: "a", request: "2", form: "x")) != nil)
    #expect(run.refusal(of: RunIdentity(source: "a", request: "1", form: "y")) != nil)
  }

  @Test func `A run can begin at a page.`() async throws {
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
