import DemoTesting
import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests sessions that the program records and replays without a network.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct RecordingProgramTests {
  private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    try await withFile("x", "") { try await body(URL(filePath: $0).deletingLastPathComponent().path) }
  }

  /// Records a session on the demo server, which is stopped afterwards.
  private func record(
    in folder: String, _ arguments: [String] = ["--record", "s.riffle"],
    _ body: (PseudoTerminal) throws -> Void
  ) async throws {
    let server = try await TestServer.start()
    let words = arguments.map { $0 == "s.riffle" ? "\(folder)/s.riffle" : $0 }
    let terminal = try Program.onTerminal(
      ["unicode", "arrow", "--set", "server=\(server.baseURL)"] + words, columns: 100,
      rows: 14, environment: ["HOME=\(folder)"])
    try body(terminal)
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    try await server.stop()
  }

  @Test func `A session that cannot start leaves no recording.`() async throws {
    try await withFolder { folder in
      let file = "\(folder)/s.riffle"
      let terminal = try Program.onTerminal(
        ["browse", "nosuchsource", "--record", file], environment: ["HOME=\(folder)"])
      #expect(terminal.ending() != .exit(0))
      #expect(terminal.output.contains("nosuchsource"))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func `Each input is one line of a recording.`() async throws {
    try await withFolder { folder in
      try await record(in: folder, ["--record", "s.riffle", "-H", "X-Key: hunter2"]) { terminal in
        #expect(terminal.shows("644 found"))
        terminal.type("j\u{1B}[<64;5;6M\u{1B}[200~a\nb\u{1B}[201~\u{1B}[O")
        #expect(terminal.shows("cannot paste here"))
      }
      let lines = try String(contentsOfFile: "\(folder)/s.riffle", encoding: .utf8).split(separator: "\n")
      #expect(lines.first?.contains(#""-H","X-Key: SECRET"]"#) == true)
      let inputs = lines.dropFirst().map { $0.replacing(/^{"at":[0-9.e-]+,/, with: "{") }
      let found = inputs.compactMap { $0.firstMatch(of: /^{"found":{"name":"([a-z ]+)"/)?.1 }
      #expect(
        Set(found) == [
          "source unicode", "document unicode", "credentials unicode", "access unicode", "history of unicode",
          "children of unicode",
        ])
      let others = inputs.filter { !$0.hasPrefix(#"{"found""#) }.map { $0.prefix(90) }
      #expect(others.contains { $0.hasPrefix(#"{"response":{"arrivedAt":"#) })
      #expect(
        others.filter { !$0.contains(/^{"(response|size)"|"ctrl-l"/) } == [
          #"{"key":"j"}"#,
          #"{"mouse":{"action":{"wheelUp":{}},"column":4,"row":5}}"#,
          #"{"paste":"a\nb"}"#, #"{"focus":false}"#, #"{"key":"q"}"#, #"{"isLast":true}"#,
        ])
    }
  }

  @Test func `A recorded session is replayed to its end, from an owner-only file.`() async throws {
    try await withFolder { folder in
      try await record(in: folder) { terminal in
        #expect(terminal.shows("644 found"))
        terminal.type("jj&double\r")
        #expect(terminal.shows("of 30 rows match"))
      }
      let path = "\(folder)/s.riffle"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let result = try await Program.run(["replay", path])
      #expect(result.status == 0)
      #expect(result.errors == "")
      #expect(result.lines.count == 14)
      #expect(result.output.contains("query› arrow"))
      #expect(result.output.contains("of 30 rows match"))
      #expect(result.output.contains("COMBINING DOUBLE RIGHTWARDS ARROW BELOW"))
      let again = try await Program.run(["search", "unicode", "arrow", "--record", path])
      #expect(again.status == 74)
      #expect(
        again.errors == "riffle: --record: \(path) already exists. Choose another name\n")
    }
  }

  @Test func `A replay can be skipped to its end and browsed, and performs no action.`() async throws {
    try await withFolder { folder in
      try await record(in: folder) { #expect($0.shows("644 found")) }
      let terminal = try Program.onTerminal(
        ["replay", "\(folder)/s.riffle"], columns: 110, rows: 16,
        environment: ["HOME=\(folder)"])
      #expect(terminal.waits(for: "(replay)"))
      #expect(terminal.shows("644 found"))
      func reported(_ keys: String, _ message: String) throws {
        terminal.type(keys)
        try #require(terminal.shows(message), "\(keys): \(terminal.output.suffix(1_000))")
      }
      try reported("yy", "nothing is opened, copied, run or written")
      // A key in between dismisses the message.
      for keys in ["o", "w\(folder)/rows.csv\r"] {
        terminal.type("j")
        #expect(terminal.shows("644 found"))
        try reported(keys, "nothing is opened, copied, run or written")
      }
      try reported("M", "this recording has no response for GET")
      terminal.type("gjv")
      #expect(terminal.shows("row 2 of 30"))
      terminal.type("vq")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.isAsFound)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/rows.csv"))
    }
  }

  @Test(arguments: [
    (typed: "yy", shown: "nothing is opened, copied, run or written"),
    (typed: "%␛[<0;20;8M␛[<0;20;8mv", shown: "row 5 of 30"),
    (typed: "&␛[200~U+2␛[201~\r", shown: "1 of 30 loaded rows matches"),
  ])
  func `Keys typed after the one that skips a replay are not lost.`(_ typed: String, _ shown: String)
    async throws
  {
    try await withFolder { folder in
      try await record(in: folder) { #expect($0.shows("644 found")) }
      let terminal = try Program.onTerminal(
        ["replay", "\(folder)/s.riffle"], columns: 110, rows: 16,
        environment: ["HOME=\(folder)"], typedAhead: " \(typed)")
      #expect(terminal.shows(shown))
      terminal.type("qq")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `A replay can be left while it plays.`() async throws {
    try await withFolder { folder in
      try await record(in: folder) { #expect($0.shows("644 found")) }
      for key in ["q", "\u{3}"] {
        let terminal = try Program.onTerminal(
          ["replay", "\(folder)/s.riffle"], columns: 40, rows: 8,
          environment: ["HOME=\(folder)"])
        #expect(terminal.waits(for: "riffle"))
        terminal.type(key)
        #expect(terminal.ending() == .exit(0))
        #expect(terminal.isAsFound)
      }
    }
  }

  @Test
  func `After a failure, the messages say how to record the next session, which shows the failure again.`()
    async throws
  {
    try await withFolder { folder in
      let server = try ScriptedServer { _ in .status(422, "{\"message\": \"no such field\"}") }
      defer { server.stop() }
      let source = hangingSource(server.baseURL)
      try await withFile("mine.toml", source) { file in
        let terminal = try Program.onTerminal(
          [file, "x", "--record", "~/s.riffle"], columns: 100, rows: 14, environment: ["HOME=\(folder)"])
        #expect(terminal.shows("422"))
        terminal.type("!")
        #expect(terminal.shows("record the next session with --record FILE"))
        terminal.type("qq")
        #expect(terminal.ending() == .exit(0))
      }
      let result = try await Program.run(["replay", "\(folder)/s.riffle"])
      #expect(result.output.contains("no such field"), "\(result)")
      #expect(result.status == 0)
    }
  }

  @Test func `A recorded search is replayed to its report.`() async throws {
    let server = try await TestServer.start()
    try await withFolder { folder in
      let path = "\(folder)/s.riffle"
      let run = try await Program.run([
        "search", "unicode", "arrow", "-n", "150", "--set", "server=\(server.baseURL)", "--record", path,
      ])
      #expect(run.status == 0)
      try await server.stop()
      let result = try await Program.run(["replay", path])
      #expect(
        result.output == """
          source: unicode
          query: arrow
          rows: 150
          pages: 2
          requests: 2
          retries: 0
          bytes: 44508
          total: 644
          total_kind: exact
          duplicates: 0
          ended_by: limit
          complete: false
          reason: the limit is reached
          status: 0

          """)
      #expect(result.status == 0)
    }
  }

  @Test func `[D45] The replay of a search that stopped ends with the same advice.`() async throws {
    let server = try ScriptedServer { request in
      request.number == 0
        ? .json(#"{"items": [{"a": 1}], "next": "?p=2"}"#) : .status(500, #"{"message": "down"}"#)
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      rows.path = "items"
      [pagination]
      type = "link"
      next = "next"
      """
    try await withFile("mine.toml", source) { file in
      let path = "\(file).riffle"
      let run = try await Program.run([
        "search", file, "--all", "--retries", "0", "--fail-empty", "--record", path,
      ])
      #expect(run.status == 3)
      let said = run.errors.split(separator: "\n").map { String($0.dropFirst("riffle: ".count)) }
      #expect(said.count == 2 && said.last?.contains("--output FILE") == true, "\(said)")
      let replay = try await Program.run(["replay", path])
      #expect(replay.output.split(separator: "\n").suffix(2).map(String.init) == said, "\(replay)")
      let none = try await Program.run(
        ["search", "unicode", "no such character", "--fail-empty", "--record", "\(path).2"])
      #expect(none.status == 1)
      #expect(try await Program.run(["replay", "\(path).2"]).output.contains("\nstatus: 1\n"))
    }
  }

  @Test func `A run whose sorted output cannot be written says so, and so does its replay.`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/s.riffle"
      let run = try await Program.shell(
        "riffle search unicode arrow --all --sort name -q --stats - --record \(path) > /dev/full")
      #expect(run.status == 74)
      #expect(run.errors.contains("{\"rows\": 0, "))
      let failure =
        "cannot write output: No space left on device. Not all sorted rows were written\n"
      #expect(run.errors.contains("riffle: \(failure)"))
      let replay = try await Program.run(["replay", path])
      #expect(replay.output.contains("\nrows: 0\n"))
      #expect(
        replay.output.hasSuffix("\nended_by: output\ncomplete: false\nreason: output\nstatus: 74\n\(failure)")
      )
    }
  }

  @Test func `A full disk ends the recording with a note, not the run.`() async throws {
    // A file may grow to one block. The recording exceeds it; stdout is a pipe.
    let result = try await Program.shell(
      """
      cd $(mktemp -d); ulimit -f 1; trap '' XFSZ
      riffle search unicode arrow -n 400 --record s.riffle | wc -l; tail -c 1 s.riffle | od -An -c; riffle replay s.riffle
      """)
    #expect(result.lines.first == "400")
    #expect(result.output.contains(#"\n"#))
    #expect(result.errors.contains("recording stopped: cannot write s.riffle: File too large"))
    #expect(result.errors.contains("the recording ends here, before its session did"))
  }

  @Test func `[U14] A recording that was cut after a whole line is replayed with a note.`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/s.riffle"
      _ = try await Program.run(["search", "unicode", "arrow", "--record", path])
      #expect(try await Program.run(["replay", path]).errors == "")
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropLast()
      try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      let result = try await Program.run(["replay", path])
      #expect(
        result.errors
          == "riffle: \(path), line \(lines.count): the recording ends here, before its session did\n")
      #expect(result.status == 0 && result.output.contains("rows: 30"), "\(result)")
    }
  }

  @Test func `A recording that was cut before its source says so.`() async throws {
    let server = try ScriptedServer { _ in .json("[{\"name\": \"a\"}]") }
    defer { server.stop() }
    try await withFolder { home in
      let sources = "\(home)/.config/riffle/sources"
      try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
      try "schema = 1\nid = \"mine\"\nrequest.url = \"\(server.baseURL)\"\n"
        .write(toFile: "\(sources)/mine.toml", atomically: true, encoding: .utf8)
      let path = "\(home)/s"
      _ = try await Program.run(["search", "mine", "--record", path], environment: ["HOME": home])
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      var cuts: [String] = []
      for count in 1..<lines.count {
        let start = lines.prefix(count).map { "\($0)\n" }.joined()
        try start.write(toFile: path, atomically: true, encoding: .utf8)
        cuts.append(try await Program.run(["replay", path]).errors)
      }
      #expect(
        cuts.contains(
          "riffle: the recording ends before source \"mine\" was read. Record the session again\n"))
      #expect(!cuts.contains { $0.contains("unknown source") }, "\(cuts)")
    }
  }

  @Test func `A recording with a broken line is played up to that line and is an error.`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/s.riffle"
      let run = try await Program.run(["search", "unicode", "arrow", "--record", path])
      #expect(run.status == 0)
      let whole = try String(contentsOfFile: path, encoding: .utf8)
      try (whole + "{\"key\":\"j\"}\n").write(toFile: path, atomically: true, encoding: .utf8)
      let result = try await Program.run(["replay", path])
      #expect(result.output.contains("rows: 30"))
      #expect(result.errors.contains("\"at\" is missing"), "\(result.errors)")
      #expect(result.status == 1)
    }
  }

  @Test(arguments: [
    ("", "line 1: the file is empty"),
    ("{\"riffle_recording\":1", "line 1: not a recording, or truncated"),
    ("no\n", "line 1: not a recording made by riffle"),
    (
      "{\"riffle_recording\":1,no\n",
      "line 1: invalid JSON at column 23: expected a name in quotes, found \"n\""
    ),
    ("{}\n", "line 1: not a recording made by riffle"),
    (
      "{\"riffle_recording\":2,\"riffle\":\"9.9\"}\n",
      "line 1: recorded by riffle 9.9 in format 2, but riffle 0.1.0 reads format 6. Replay it with riffle 9.9"
    ),
    ("{\"riffle_recording\":6,\"riffle\":\"1\",\"time\":1}\n", "line 1: \"arguments\" is missing"),
  ]) func `A file that is not a recording is refused with the reason.`(text: String, problem: String)
    async throws
  {
    try await withFile("s.riffle", text) { path in
      let result = try await Program.run(["replay", path])
      #expect(result.errors.contains("riffle: \(path), \(problem)"), "\(result.errors)")
      #expect(result.output == "")
      #expect(result.status == 1)
    }
    let missing = try await Program.run(["replay", "/none"])
    #expect(missing.errors == "riffle: cannot read /none: no such file\n")
  }

  @Test func `All sessions of a run are recorded, and replayed from the list of sources.`() async throws {
    try await withFolder { folder in
      let terminal = try Program.onTerminal(
        ["--record", "\(folder)/s.riffle"], columns: 100, rows: 14,
        environment: ["HOME=\(folder)"])
      #expect(terminal.shows("choose a source"))
      terminal.type("unicode\r")
      #expect(terminal.shows("Type to search Unicode characters"))
      terminal.type("arrow\r")
      #expect(terminal.shows("644 found"))
      terminal.type("q")
      #expect(terminal.shows("choose a source"))
      terminal.type("\r")
      #expect(terminal.shows("Type to search Unicode characters"))
      terminal.type("U+2192\r")
      #expect(terminal.shows("RIGHTWARDS ARROW"))
      terminal.type("q")
      #expect(terminal.shows("choose a source"))
      terminal.type("\u{3}")
      #expect(terminal.ending() == .exit(0))
      let path = "\(folder)/s.riffle"
      let whole = try String(contentsOfFile: path, encoding: .utf8)
      #expect(try await Program.run(["replay", path]).output.contains("choose a source"))
      let lines = whole.split(separator: "\n")
      for text in ["arrow", "2192"] {
        let end = try #require(lines.lastIndex { $0.contains(text) && $0.contains("\"response\"") })
        try (lines[...end].joined(separator: "\n") + "\n").write(
          toFile: path, atomically: true, encoding: .utf8)
        let replay = try await Program.run(["replay", path])
        #expect(replay.output.contains(text == "arrow" ? "644 found" : "U+2192"), "\(replay)")
      }
    }
  }

  @Test func `Settings, key bindings, own sources and programs for credentials are not needed for a replay.`()
    async throws
  {
    let server = try ScriptedServer { request in
      request.text.contains("token-two")
        ? .json(#"{"items": [{"a": "one"}, {"a": "two"}]}"#) : .status(401, "{}")
    }
    defer { server.stop() }
    try await withFolder { folder in
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: "\(folder)/.config/riffle/sources", withIntermediateDirectories: true)
      try "[keys.table]\nquit = \"Z\"\n".write(
        toFile: "\(folder)/.config/riffle/config.toml", atomically: true, encoding: .utf8)
      try """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      rows.path = "items"
      [auth]
      type = "bearer"
      from = ["cmd:sh \(folder)/token.sh"]
      """.write(
        toFile: "\(folder)/.config/riffle/sources/mine.toml", atomically: true, encoding: .utf8)
      try "if mkdir \(folder)/used; then echo token-one; else echo token-two; fi".write(
        toFile: "\(folder)/token.sh", atomically: true, encoding: .utf8)
      let path = "\(folder)/s.riffle"
      let terminal = try Program.onTerminal(
        ["mine", "--record", path], columns: 60, rows: 8, environment: ["HOME=\(folder)"])
      #expect(terminal.shows("two"))
      terminal.type("jq")
      #expect(terminal.shows("q is not bound here"))
      terminal.type("Z")
      #expect(terminal.ending() == .exit(0))
      #expect(server.requests.count == 2)
      try manager.removeItem(atPath: "\(folder)/.config")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("token-one") && !text.contains("token-two"))
      let replay = try await Program.run(["replay", path])
      #expect(replay.output.contains("two") && replay.errors == "", "\(replay)")
      #expect(server.requests.count == 2)
    }
  }
}
