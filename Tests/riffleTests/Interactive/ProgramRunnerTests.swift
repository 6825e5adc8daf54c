import Foundation
import Glibc
import HTTPValues
import JSON
import TestSupport
import Testing

@testable import App
@testable import Pager
@testable import Search

/// Tests programs that run for rows, without the pager.
@Suite(.takesTurns, .timeLimit(.minutes(3))) struct ProgramRunnerTests {
  /// As the program does: one that reads nothing must not end this process.
  init() { signal(SIGPIPE, SIG_IGN) }

  private func run(
    _ words: [String], rows: RowCommand.Rows = .each,
    for json: String = #"[{"name": "one", "n": 1.50}, {"name": "-two"}, {"name": "three $(id)", "n": true}]"#
  ) async throws -> String {
    let document = try JSONDocument(Array(json.utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/"))
    let nodes = Array(document.elements(of: document.rootNode))
    var store = RowStore()
    store.append(
      Page(content: .document(DocumentRows(response: response, nodes: nodes)), continuation: .end(.last)),
      kept: Array(0..<UInt32(nodes.count)), at: Position(ordinal: 0, value: .start),
      resumePoint: nil)
    let program = RowCommand(try words.map { try ValueTemplate($0) }, rows: rows)
    let request = ProgramRequest(
      name: "try", program: program,
      rows: RowSelection(rows: store, numbers: Array(nodes.indices), columns: []),
      places: Array(4..<4 + nodes.count))
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    switch await ProgramRunner(reader: reader, terminal: TerminalPrograms {}).outcome(of: request) {
    case .done(let text): return text ?? ""
    case .failed(let text), .refused(let text): return text
    case .ran(let report):
      return report.runs.map { ([$0.command] + $0.output + ["\($0.end)"]).joined(separator: "\n") }
        .joined(separator: "\n")
    }
  }

  @Test func `Each row is an argument as it is in the response, and what the program prints is kept.`()
    async throws
  {
    #expect(
      try await run(["printf", "%s;", "{name}", "{n}"]) == """
        printf '%s;' one 1.50
        one;1.50;
        status(0)

        notRun("name of row 5 begins with -, so it would be an option. Put \\"--\\" before it in run")
        printf '%s;' 'three $(id)' true
        three $(id);true;
        status(0)
        """)
    #expect(
      try await run(["printf", "%s;", "--", "{name}"], rows: .together) == """
        printf '%s;' -- one -two 'three $(id)'
        --;one;-two;three $(id);
        status(0)
        """)
    #expect(
      try await run(["printf", "x{n}"], for: #"[{"n": null}]"#) == "\nnotRun(\"row 4 has no value at n\")")
  }

  private func pipe(_ input: String, into command: String) async -> (text: String, isForOutput: Bool) {
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    let runner = ProgramRunner(reader: reader, terminal: TerminalPrograms {})
    guard
      case .ran(let report) = await runner.outcome(
        of: command, reading: { try $0(Array(input.utf8), 0) })
    else {
      return ("", false)
    }
    let lines = report.runs.flatMap { $0.output.prefix(3) + ["\($0.end)"] }
    return (lines.joined(separator: "\n"), report.isForOutput)
  }

  @Test(arguments: [
    ("cat", "{\"n\": 1}\n{\"n\": 2}\nstatus(0)"), ("wc -l | tr -d ' '", "2\nstatus(0)"),
    ("no-such-program", "sh: 1: no-such-program: not found\nstatus(127)"), ("exit 3", "status(3)"),
    ("head -n 1", "{\"n\": 1}\nstatus(0)"), ("kill -9 $$", "status(137)"),
  ]) func `[P7] A command of the shell reads the rows, and what it prints and how it ends is reported.`(
    command: String, picture: String
  ) async throws {
    let (text, isForOutput) = await pipe("{\"n\": 1}\n{\"n\": 2}\n", into: command)
    #expect(text == picture && isForOutput)
  }

  @Test func `[P7] More rows than a pipe holds are read, or not, without a deadlock.`() async throws {
    let rows = String(repeating: "{\"name\": \"x\"}\n", count: 100_000)
    #expect(await pipe(rows, into: "wc -l | tr -d ' '").text == "100000\nstatus(0)")
    #expect(await pipe(rows, into: "true").text == "status(0)")
    #expect(await pipe(rows, into: "cat").text.hasPrefix("{\"name\": \"x\"}\n"))
  }

  @Test func `[P7] A command that floods the screen or never ends is ended when it is stopped.`() async throws
  {
    for command in ["yes", "cat > /dev/null; sleep 1000", "trap '' TERM; sleep 1000"] {
      let task = Task { await pipe("{}\n", into: command) }
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      task.cancel()
      _ = await task.value
      #expect(start.duration(to: .now) < .seconds(10), "\(command)")
    }
  }

  @Test(arguments: [
    (["no-such-program"], #"notRun("cannot run no-such-program: not installed")"#),
    (["/dev/null"], #"notRun("cannot run /dev/null: Permission denied")"#), (["false"], "status(1)"),
    (["sh", "-c", "kill -9 $$"], "status(137)"),
    (["sh", "-c", "echo a; echo b >&2; exit 3"], "a\nb\nstatus(3)"),
    (["sh", "-c", "printf '1%%\\r2%%\\rdone\\r\\n\\033[31mred'"], "done\n␛[31mred\nstatus(0)"),
    (["sh", "-c", "cat; tty"], "not a tty\nstatus(1)"), (["sh", "-c", "sleep 60 & echo a"], "a\nstatus(0)"),
    (["sh", "-c", "exec >&- 2>&-; exit 4"], "status(4)"),
    (["sh", "-c", ": > /dev/tty"], "sh: 1: cannot create /dev/tty: No such device or address\nstatus(2)"),
  ]) func `The exit status and output of a program are reported.`(words: [String], picture: String)
    async throws
  {
    let text = try await run(words, for: "[{}]")
    #expect(text.split(separator: "\n", maxSplits: 1).last.map(String.init) == picture)
  }

  @Test func `The beginning of a long output is stored.`() async throws {
    let output = try await ChildProgram.output(of: ["head", "-c", "3000000", "/dev/zero"], upTo: 1_000)
    #expect(
      output == ChildProgram.Output(bytes: Array(repeating: 0, count: 1_000), leftOut: 2_999_000, status: 0))
    #expect(
      ProgramRunner.lines(of: ChildProgram.Output(bytes: Array("a\nb".utf8), leftOut: 1_234))
        == ["a", "b", "(1,234 more bytes)"])
  }

  @Test(arguments: ["sleep 60", "trap '' TERM; while :; do sleep 60; done", "exec >&- 2>&-; sleep 60"])
  func `A program is ended with its children when its run is canceled.`(script: String) async throws {
    try await withFile("x", "") { file in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let watch = try FolderWatch(folder)
      let task = Task {
        try await ChildProgram.output(
          of: ["sh", "-c", "touch \(folder)/started; \(script)"], upTo: 100, grace: .milliseconds(100))
      }
      for await _ in watch.changes { break }
      task.cancel()
      #expect([143, 137].contains(try await task.value.status))
    }
  }

  /// The processes of a group that have not ended.
  private static func living(inGroup leader: pid_t) -> [String] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { process in
      // PID (NAME) STATE PARENT GROUP (proc(5)).
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let facts = text.split(separator: ")").last?.split(separator: " "), facts.count > 2
      else { return false }
      return facts[0] != "Z" && facts[2] == "\(leader)"
    }
  }

  @Test(arguments: [
    "trap '' TERM INT HUP; while :; do sleep 0.1; done", "sleep 60", "trap '' TERM; sleep 60 & wait",
  ]) func `[H3] No program that runs in the background outlives the pager.`(script: String) async throws {
    try await withFile("x", "") { file in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let watch = try FolderWatch(folder)
      let programs = TerminalPrograms {}
      let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
      let runner = ProgramRunner(reader: reader, terminal: programs)
      let task = Task {
        await runner.outcome(
          of: "echo $$ > \(folder)/pid; \(script)", reading: nil)
      }
      func text() -> String { (try? String(contentsOfFile: "\(folder)/pid", encoding: .utf8)) ?? "" }
      for await _ in watch.changes where !text().isEmpty { break }
      // Stopped by the user just before.
      task.cancel()
      programs.close(isUrgent: false)
      _ = await task.value
      try await Task.sleep(for: .milliseconds(100))
      let leader = try #require(pid_t(text().trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Self.living(inGroup: leader) == [])
    }
  }

  @Test func `[H5] What a program has printed so far is reported while it runs.`() async throws {
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    let runner = ProgramRunner(reader: reader, terminal: TerminalPrograms {})
    let (reports, note) = AsyncStream<ProgramReport>.makeStream()
    let task = Task {
      await runner.outcome(of: "echo one; sleep 60", reading: nil) { note.yield($0) }
    }
    var shown: [[String]] = []
    for await report in reports {
      shown.append(report.runs.flatMap { $0.output + ["\($0.end)"] })
      if shown.count == 2 { break }
    }
    #expect(shown == [["running"], ["one", "running"]])
    task.cancel()
    _ = await task.value
  }

  @Test func `[23] How many rows a command has read is reported, and a canceled one reads no more.`()
    async throws
  {
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    let runner = ProgramRunner(reader: reader, terminal: TerminalPrograms {})
    let (reports, note) = AsyncStream<Int>.makeStream()
    let (ends, end) = AsyncStream<Bool>.makeStream()
    let thousand = Array(String(repeating: "{}\n", count: 1_000).utf8)
    let task = Task {
      await runner.outcome(
        of: "head -c 300000 > /dev/null; sleep 60",
        reading: { put in
          do { for number in 1...1_000 { try put(thousand, number * 1_000) } } catch {
            end.yield(true)
            throw error
          }
          end.yield(false)
        }, rows: 1_000_000
      ) { note.yield($0.rowsWritten) }
    }
    for await rows in reports where rows > 0 {
      #expect(rows < 1_000_000)
      break
    }
    task.cancel()
    _ = await task.value
    for await isCut in ends {
      #expect(isCut)
      break
    }
  }

  @Test func `[23] A command whose rows cannot be read to the end is stopped.`() async throws {
    struct Unreadable: Error {}
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    let runner = ProgramRunner(reader: reader, terminal: TerminalPrograms {})
    let outcome = await runner.outcome(
      of: "cat; echo complete",
      reading: { put in
        try put(Array("{}\n".utf8), 1)
        throw Unreadable()
      }, rows: 2)
    guard case .ran(let report) = outcome else { throw Unreadable() }
    #expect(report.failures == 1)
    #expect(!report.runs.flatMap(\.output).contains("complete"))
  }
}
