import Foundation
import HTTPValues
import JSON
import TestSupport
import Testing
import Text

@testable import App
@testable import Config
@testable import Pager
@testable import Search
@testable import riffle

@Suite(.takesTurns, .timeLimit(.minutes(3))) struct EffectRequestTests {
  /// Runs `body` with a temporary folder.
  private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    try await withFile("x", "") { try await body(URL(filePath: $0).deletingLastPathComponent().path) }
  }

  private func permissions(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  // MARK: History

  @Test func `Queries are remembered by source, in owner-only files, the latest last.`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/state/riffle/history.jsonl"
      let github = HistoryFile(path: path, source: "github", size: 100)
      #expect(github.queries().isEmpty)
      for query in ["swift tui", "\"a phrase\"\n", "日本"] { #expect(github.append(query) == .done(nil)) }
      _ = HistoryFile(path: path, source: "npm", size: 100).append("left")
      #expect(github.queries() == ["swift tui", "\"a phrase\"\n", "日本"])
      let modes = try [path, "\(folder)/state/riffle"].map(permissions)
      #expect(modes == [0o600, 0o700])
    }
  }

  @Test func `Older queries are dropped when the next session finds twice as many as configured.`()
    async throws
  {
    try await withFolder { folder in
      let path = "\(folder)/h.jsonl"
      let history = HistoryFile(path: path, source: "a", size: 3)
      for number in 1...5 { _ = history.append("q\(number)") }
      #expect(history.queries() == ["q1", "q2", "q3", "q4", "q5"])
      for number in 6...7 { _ = history.append("q\(number)") }
      #expect(history.queries() == ["q5", "q6", "q7"])
      let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      let mode = try permissions(path)
      #expect(kept.count == 3)
      #expect(mode == 0o600)
    }
  }

  @Test func `A damaged line, a line without a query and a missing file are ignored.`() async throws {
    try await withFile(
      "h.jsonl", "{\"source\": \"a\", \"query\": \"one\"}\nnonsense\n{\"source\": \"a\"}\n\n"
    ) { path in
      #expect(HistoryFile(path: path, source: "a", size: 9).queries() == ["one"])
    }
    #expect(HistoryFile(path: nil, source: "a", size: 9).append("x") == .done(nil))
    #expect(HistoryFile(path: "/proc/none/h", source: "a", size: 9).append("x") == .done(nil))
  }

  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/riffle/history.jsonl"),
    (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/riffle/history.jsonl"), ([:], nil),
  ]) func `The history file is in the XDG state folder.`(environment: [String: String], path: String?) {
    #expect(HistoryFile.path(environment: environment) == path)
  }

  // MARK: Files

  @Test func `A file is removed if its rows cannot be read.`() async throws {
    let source = Source(
      id: "things", title: "Things", endpoint: Endpoint(url: try Template("https://api.example.org/")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()))
    let document = try JSONDocument(Array("[{}]".utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/"))
    // Its rows are in no archive.
    let cells = CellTable(
      DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode))), columns: [],
      link: nil,
      context: FormatContext(now: 0))
    var rows = RowStore()
    rows.append(
      Page(content: .cells(cells), continuation: .end(.last)), kept: [0],
      at: Position(ordinal: 0, value: .start), resumePoint: nil)
    let selection = RowSelection(rows: rows, numbers: [0], columns: [])
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    try await withFolder { folder in
      let file = RowFile(source: source, reader: reader, home: nil, zone: .utc, settings: Settings.Output())
      guard case .failed(let why) = file.write(selection, to: "\(folder)/a.csv") else {
        Issue.record("it is written")
        return
      }
      #expect(why.hasPrefix("cannot write \(folder)/a.csv: cannot read the row's JSON: "))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.csv"))
    }
  }

  @Test(arguments: [
    ("", "csv", "name\tlink|=1+1\thttps://example.org/1"),
    ("link = false", "csv", "name|=1+1"),
    ("csv_safe = true, csv_bom = true", "csv", "\u{FEFF}name\tlink|'=1+1\thttps://example.org/1"),
    ("csv_safe = true, csv_bom = true", "tsv", "name\tlink|=1+1\thttps://example.org/1"),
    ("", "md", "| name |\n| ---- |\n| =1+1 |"),
  ]) func `[P4] A file of the pager has a heading, the link of each row, and the form that the settings say.`(
    settings: String, ending: String, text: String
  ) async throws {
    var source = Source(
      id: "things", title: "Things", endpoint: Endpoint(url: try Template("https://api.example.org/")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()))
    source.rows.link = try ValueExpression(parsing: "url")
    let document = try JSONDocument(Array(#"[{"name": "=1+1", "url": "https://example.org/1"}]"#.utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/"))
    let nodes = Array(document.elements(of: document.rootNode))
    var rows = RowStore()
    rows.append(
      Page(content: .document(DocumentRows(response: response, nodes: nodes)), continuation: .end(.last)),
      kept: [0], at: Position(ordinal: 0, value: .start), resumePoint: nil)
    let column = Column(name: "name", value: try ValueExpression(parsing: "name"))
    var output = Settings.Output()
    output.isCSVSafe = settings.contains("csv_safe")
    output.hasByteOrderMark = settings.contains("csv_bom")
    output.addsLink = settings.contains("link") ? false : nil
    let file = RowFile(
      source: source, reader: RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil })),
      home: nil, zone: .utc, settings: output)
    try await withFolder { folder in
      let path = "\(folder)/a.\(ending)"
      let outcome = file.write(RowSelection(rows: rows, numbers: [0], columns: [column]), to: path)
      #expect(
        outcome == .done("wrote 1 row to \(path) as \(ending == "md" ? "markdown" : ending)"))
      let written = try Data(contentsOf: URL(filePath: path))
      let lines = text.split(separator: "|").joined(separator: "\n")
      let expected = ending == "csv" ? lines.replacing("\t", with: ",") : ending == "md" ? text : lines
      #expect(Array(written) == Array((expected + "\n").utf8))
    }
  }

  // MARK: Copies

  @Test func `Copied rows are whole documents, and their text cannot control a terminal.`() throws {
    let source = Source(
      id: "things", title: "Things", endpoint: Endpoint(url: try Template("https://api.example.org/")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()))
    let text = #"[{"name": "a|b\tc", "n": 1}, {"name": "\u001b[31mred\u202e", "n": 2}]"#
    let document = try JSONDocument(Array(text.utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/"))
    var rows = RowStore()
    rows.append(
      Page(
        content: .document(
          DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode)))),
        continuation: .end(.last)),
      kept: [0, 1], at: Position(ordinal: 0, value: .start), resumePoint: nil)
    let columns = try ["name", "n"].map {
      Column(name: $0, title: $0, value: try ValueExpression(parsing: $0))
    }
    let selection = RowSelection(rows: rows, numbers: [0, 1], columns: columns)
    let reader = RowReader(archive: RowArchive(keep: { _ in nil }, read: { _ in nil }))
    let file = RowFile(source: source, reader: reader, home: nil, zone: .utc, settings: Settings.Output())
    func copied(_ format: CopyFormat) throws -> String {
      String(decoding: try file.text(of: selection, as: format), as: UTF8.self)
    }
    #expect(try copied(.tsv) == "name\tn\na|b c\t1\n␛[31mred\t2\n")
    #expect(
      try copied(.jsonl)
        == #"{"name": "a|b\tc", "n": 1}"# + "\n" + #"{"name": "\u001b[31mred\u202e", "n": 2}"# + "\n")
    #expect(
      try copied(.markdown) == """
        | name      | n   |
        | --------- | --- |
        | a\\|b c    | 1   |
        | ␛\\[31mred | 2   |

        """)
  }

  @Test func `Text that is too long for the terminal is not copied, and the message says how long it is.`()
    async
  {
    let clipboard = Clipboard(terminal: TerminalClipboard {}, environment: [:])
    let outcome = await clipboard.copy(
      String(repeating: "x", count: 80_000), what: "3 rows as tsv", showsText: false)
    #expect(
      outcome
        == .failed(
          "cannot copy 3 rows as tsv: 80,000 bytes, more than the 74,994 that a terminal accepts. "
            + "Write the rows to a file, or install wl-copy, xclip or xsel"))
  }

  // MARK: Programs

  @Test func `The output of a program is read, its input arrives, and its failures are reported.`()
    async throws
  {
    #expect(try await ChildProgram.firstLine(of: ["echo", "a  b"]) == "a  b")
    try await withFolder { folder in
      let text = String(repeating: "long ", count: 40_000)
      try await ChildProgram.feed(Array(text.utf8), to: ["sh", "-c", "cat > \(folder)/fed"])
      #expect(try String(contentsOfFile: "\(folder)/fed", encoding: .utf8) == text)
    }
    await #expect(throws: ChildProgram.RunError.ended(status: 3)) {
      try await ChildProgram.feed([], to: ["sh", "-c", "exit 3"])
    }
    await #expect(throws: ChildProgram.RunError.ended(status: 4)) {
      try await ChildProgram.start(["sh", "-c", "exit 4"])
    }
    await #expect(throws: ChildProgram.RunError.notInstalled) {
      try await ChildProgram.firstLine(of: ["no-such-program"])
    }
    await #expect(throws: ChildProgram.RunError.timedOut(.zero)) {
      try await ChildProgram.feed(Array(repeating: 0, count: 1_000_000), to: ["sleep", "60"], within: .zero)
    }
  }

  /// Ways in which a program keeps a run waiting, and the result of each. A wait would exceed the time limit.
  @Test(arguments: [
    ("echo token; sleep 60", "token"), ("yes token", "token"), ("echo token; yes more", "token"),
    ("printf token; exec >&-; sleep 60", "token"), ("sleep 60 & echo token", "token"),
    ("sleep 60 & printf token", "token"), ("sleep 60 &", ""), ("exec >&-; sleep 60", ""),
    ("trap '' TERM INT HUP; echo token; while :; do sleep 60; done", "token"),
    ("setsid sleep 1 & echo token", "token"), ("printf 'token\r\nmore'", "token\r"),
    ("echo token; exit 3", "3"),
    ("echo token; kill -9 $$", "137"), ("seq 20000; exit 5", "5"), ("seq 20000", "1"),
  ]) func `[D26] The first line of a program is taken as soon as it is complete.`(
    script: String, line: String
  ) async throws {
    do {
      #expect(try await ChildProgram.firstLine(of: ["sh", "-c", script], within: .seconds(50)) == line)
    } catch ChildProgram.RunError.ended(let status) {
      #expect("\(status)" == line)
    }
  }

  @Test(arguments: [
    "sleep 60", "trap '' TERM; while :; do sleep 60; done", "while :; do printf x; sleep 0.05; done",
    "sleep 60 & exec sleep 60", "kill -STOP $$",
  ]) func `[D26] A program that prints no line in time is terminated with all its child processes.`(
    script: String
  )
    async throws
  {
    try await withFolder { folder in
      // Long enough for a shell to start on a busy machine.
      let limit = Duration.seconds(5)
      await #expect(throws: ChildProgram.RunError.timedOut(limit)) {
        try await ChildProgram.firstLine(
          of: ["sh", "-c", "echo $$ > \(folder)/pid; \(script)"], within: limit)
      }
      let group = try #require(pid_t(String(contentsOfFile: "\(folder)/pid", encoding: .utf8).dropLast()))
      // A process that was killed ends when it is scheduled next.
      try await once { kill(-group, 0) == -1 && errno == ESRCH || Self.hasOnlyZombies(group) }
    }
  }

  /// Processes that init has not reaped yet have ended all the same.
  private static func hasOnlyZombies(_ group: pid_t) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.allSatisfy { number in
      let facts = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
      let words = facts.split(separator: ")").last?.split(separator: " ") ?? []
      return words.count < 3 || words[2] != "\(group)" || words[0] == "Z" || words[0] == "X"
    }
  }

  @Test func `[D26] A first line without an end is not read forever.`() async {
    await #expect(throws: ChildProgram.RunError.endless(bytes: 65_536)) {
      try await ChildProgram.firstLine(of: ["sh", "-c", "yes | tr -d '\\n'"], within: .seconds(50))
    }
    await #expect(throws: ChildProgram.RunError.endless(bytes: 65_536)) {
      try await ChildProgram.firstLine(of: ["head", "-c", "70000", "/dev/zero"], within: .seconds(50))
    }
  }

  @Test func `[D26] Canceling a run terminates the program that it runs for a credential.`() async throws {
    try await withFolder { folder in
      let watch = try FolderWatch(folder)
      let task = Task {
        try await ChildProgram.firstLine(
          of: ["sh", "-c", "touch \(folder)/started; sleep 60"], within: .seconds(50))
      }
      for await _ in watch.changes { break }
      task.cancel()
      await #expect(throws: ChildProgram.RunError.ended(status: 137)) { try await task.value }
    }
  }

  @Test func `A program that keeps running is left alone.`() async throws {
    try await withFolder { folder in
      let script = "sleep 0.2; touch \(folder)/ended"
      try await ChildProgram.start(["sh", "-c", script], watching: .zero)
      try await once { FileManager.default.fileExists(atPath: "\(folder)/ended") }
    }
  }

  @Test(arguments: ["javascript:alert(1)", "-x", "file:///etc/passwd", "ftp://a/b", ""])
  func `Only web URLs are opened.`(address: String) async {
    let outcome = await Opener(command: ["false", "{url}"]).open(address)
    #expect(outcome == .failed("cannot open \(address): not an http or https URL"))
  }

  @Test func `[D16] A program that cannot open a URL is named with the reason.`() async {
    #expect(
      await Opener(command: ["true", "{url}"]).open("https://a.example/")
        == .done("opened https://a.example/"))
    #expect(
      await Opener(command: ["false"]).open("https://a.example/") == .failed("false failed with status 1"))
    #expect(
      await Opener(command: ["no-such-program", "{url}"]).open("https://a.example/")
        == .failed("cannot run no-such-program: not installed"))
    #expect(
      await Opener(command: ["/dev/null"]).open("https://a.example/")
        == .failed("cannot run /dev/null: Permission denied"))
  }

  // MARK: The archive

  @Test func `Rows are stored in an unnamed file.`() async throws {
    try await withFolder { folder in
      let archive = ArchiveFile(in: ["/nonexistent", folder]).archive
      #expect(archive.keep(Array("first".utf8)) == 0)
      #expect(archive.keep(Array("second".utf8)) == 5)
      #expect(archive.read(5..<11) == Array("second".utf8))
      #expect(archive.read(5..<12) == nil)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["x"])
    }
    #expect(ArchiveFile(in: ["/nonexistent"]).archive.keep([1]) == nil)
  }
}
