import Demo
import Foundation
import Glibc
import Locking
import TestSupport
import Testing

/// Tests sessions without a screen (`--plain`), in a real pseudo-terminal.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct LineModeTests {
  private static let rows = #"""
    [{"name": "one", "stars": 1, "html_url": "https://a.example/1"}, {"name": "two", "stars": null},
     {"name": "three", "stars": 3}]
    """#

  private static func document(_ server: ScriptedServer) -> String {
    """
    schema = 1
    id = "mine"
    title = "Mine"
    request.url = "\(server.baseURL)"
    rows.link = "html_url"
    [[columns]]
    path = "name"
    [[columns]]
    path = "stars"
    """
  }

  /// Types each line once the one before was answered, and returns all that was shown, as lines.
  private func session(
    _ arguments: [String] = [], command: String = "browse", environment: [String] = [], rows: String = rows,
    answering answer: ScriptedServer.Answer? = nil, typing lines: [String]
  ) async throws -> (text: [String], ending: PseudoTerminal.Ending?, output: String) {
    let server = try ScriptedServer { _ in answer ?? .json(rows) }
    defer { server.stop() }
    return try await withFile("mine.toml", Self.document(server)) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try Program.onTerminal(
        [command, file, "--plain"] + arguments,
        environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"] + environment,
        outputFile: command == "pick" ? "\(home)/out" : nil)
      for (number, line) in lines.enumerated() {
        let isAsked = terminal.waits(atMost: .seconds(20)) {
          ("\n" + $0.output.replacing("\r\n", with: "\n")).ranges(of: "\n> ").count > number
        }
        try #require(isAsked, "\(terminal.output)")
        terminal.type(line)
      }
      let ending = terminal.ending()
      #expect(terminal.isAsFound)
      let text = terminal.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
      return (text, ending, (try? String(contentsOfFile: "\(home)/out", encoding: .utf8)) ?? "")
    }
  }

  @Test(arguments: ["xterm-256color", "dumb"])
  func `[30] Rows are sentences, and no sequence moves the cursor or redraws.`(term: String) async throws {
    let (text, ending, _) = try await session(environment: ["TERM=\(term)"], typing: ["q\n"])
    #expect(
      text == [
        "1. Name: one, Stars: 1", "2. Name: two", "3. Name: three, Stars: 3",
        "Rows 1 to 3 of 3 loaded, end of results", "> q",
      ])
    #expect(!text.joined().contains("␛"))
    #expect(ending == .exit(0))
  }

  @Test func `[30] A number shows the row in full, and other commands do what the keys do.`() async throws {
    let (text, ending, _) = try await session(
      typing: ["3\n", "7\n", "&t\n", "& nosuch\n", "&\n", "o 2\n", "x 1\n", "z\n", "w\n", "\n", "?\n", "q\n"])
    let shown = text.joined(separator: "\n")
    for part in [
      "> 3\nRow 3:\nName: three\nStars: 3\n",
      "> 7\nno row 7: 3 rows loaded\n",
      "> & nosuch\nNo loaded rows match \"nosuch\"\n(& TERMS: edit the filter)\n",
      "> &\n1. Name: one",
      "> o 2\nthis row has no link\n",
      "> x 1\nonly riffle pick prints rows\n",
      "> z\nunknown command z (?: help, s WORDS: search for it)\n",
      "> w\nnothing written: no file name\n",
      "> \nno more rows\n",
      "> ?\nEnter: show the next rows\nN: show all fields of row N\ns WORDS: search for other words\n",
    ] { #expect(shown.contains(part), "\(part)\nin\n\(shown)") }
    #expect(ending == .exit(0))
  }

  @Test(arguments: [
    ([], [], "search.max_wait"), (["--max-wait", "5m"], ["RIFFLE_SEARCH_MAX_WAIT=1m"], "--max-wait"),
  ])
  func `A wait that exceeds the limit names the option or the setting that set it.`(
    arguments: [String], environment: [String], name: String
  ) async throws {
    let (text, _, _) = try await session(
      arguments, environment: environment, answering: .status(429, "{}", ("Retry-After", "3600")),
      typing: ["q\n"])
    let shown = text.joined(separator: "\n")
    #expect(shown.contains("The service asks you to wait 1 h, longer than \(name)"), "\(shown)")
  }

  private static let owned = #"""
    [{"name": "one", "owner": {"login": "ann", "admin": false}, "isFork": false},
     {"name": "two", "owner": {"login": "bob", "admin": true}, "isFork": true}]
    """#

  @Test func `Any field filters the rows, and a name that is none is reported alone.`() async throws {
    let (text, _, _) = try await session(
      rows: Self.owned, typing: ["& owner.login=bob\n", "& isFork=no\n", "& owner.logn=bob\n", "q\n"])
    let shown = text.joined(separator: "\n")
    let question = "Did you mean \"owner.login\"? To find this text, quote it: \"owner.logn=bob\""
    for part in [
      "> & owner.login=bob\n1. Name: two\nRow 1 of 1 that match, of 2 loaded, end of results\n",
      "> & isFork=no\n1. Name: one\nRow 1 of 1 that match, of 2 loaded, end of results\n",
      "> & owner.logn=bob\ncannot filter: no column or field \"owner.logn\". \(question)\n>",
    ] { #expect(shown.contains(part), "\(part)\nin\n\(shown)") }
  }

  @Test(arguments: ["owner.login=bob", "owner.admin=yes", "isFork=yes"])
  func `A list begins filtered by any field (--filter), even if it is not among its columns.`(
    filter: String
  ) async throws {
    let (text, _, _) = try await session(["--filter", filter], rows: Self.owned, typing: ["q\n"])
    #expect(
      text == ["1. Name: two", "Row 1 of 1 that match, of 2 loaded, end of results", "> q"])
  }

  @Test func `[30] pick prints the rows that are named.`() async throws {
    let (text, ending, output) = try await session(command: "pick", typing: ["x 3 9\n", "x 3 1\n"])
    #expect(output == "one\t1\nthree\t3\n")
    #expect(text.contains { $0.hasPrefix("no row 9") })
    #expect(ending == .exit(0))
    let (_, canceled, none) = try await session(command: "pick", typing: ["q\n"])
    #expect(none.isEmpty)
    #expect(canceled == .exit(130))
  }

  /// The number of requests that are answered at once; the next one is never answered.
  @Test(arguments: [0, 1])
  func
    `[52] Ctrl-C stops a load and leads back to the prompt, where it ends the program as an interrupt does.`(
      answered: Int
    ) async throws
  {
    let isOver = Lock(false)
    let server = try ScriptedServer { request in
      while request.number >= answered, !isOver.withLock({ $0 }) { usleep(10_000) }
      return .json(Self.rows)
    }
    defer {
      isOver.withLock { $0 = true }
      server.stop()
    }
    try await withFile("mine.toml", Self.document(server)) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try PseudoTerminal(
        "riffle", arguments: ["browse", file, "--plain"], environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
      func prompts(_ count: Int) -> Bool {
        terminal.waits(atMost: .seconds(30)) {
          ("\n" + $0.output.replacing("\r\n", with: "\n")).ranges(of: "\n> ").count == count
        }
      }
      if answered > 0 {
        try #require(prompts(1), "\(terminal.output)")
        terminal.type("r\n")
      }
      try #require(terminal.waits(atMost: .seconds(30)) { _ in server.requests.count > answered })
      terminal.type("\u{3}")
      try #require(prompts(answered + 1), "\(terminal.output)")
      #expect(terminal.output.contains("Stopped"), "\(terminal.output)")
      #expect(terminal.output.ranges(of: "1. Name: one").count == 2 * answered)
      terminal.type("\u{3}")
      #expect(terminal.ending() == .signal(SIGINT))
      #expect(terminal.isAsFound)
    }
  }

  @Test func `[30] The end of the input quits.`() async throws {
    let (_, ending, _) = try await session(typing: ["\u{4}"])
    #expect(ending == .exit(0))
  }

  @Test func `[30] A failure reads as elsewhere, and r retries.`() async throws {
    let (text, _, _) = try await session(rows: "[{", typing: ["r\n", "q\n"])
    let failures = text.filter { $0.contains("Page 1 failed: ") && !$0.contains("Retrying") }
    #expect(failures.count == 2, "\(text)")
    #expect(text.filter { $0 == "(r: retry, s WORDS: edit the query)" }.count == 2, "\(text)")
  }

  @Test func `[30] Enter shows the next rows, and words are a new query.`() async throws {
    let server = try await DemoServer.start()
    let terminal = try Program.onTerminal(
      ["unicode", "--plain", "--set", "server=\(server.baseURL)"], environment: ["HOME=/dev/null"])
    func step(_ line: String, _ shown: String) throws {
      terminal.type(line)
      let isShown = terminal.waits(atMost: .seconds(20)) { $0.output.contains(shown) }
      try #require(isShown, "\(line): \(terminal.output.suffix(2_000))")
    }
    try step("arrow\n", "10. Char: ")
    try step("", "Rows 1 to 10 of 30 loaded, 644 found")
    try step("\n", "Rows 11 to 20 of ")
    try step("\n", "Rows 21 to 30 of 60 loaded, 644 found")
    try step("s snowman\n", "SNOWMAN")
    terminal.type("q\n")
    #expect(terminal.ending() == .exit(0))
    try await server.stop()
  }

  @Test func `[30] Without a source, one is chosen by its name.`() async throws {
    let terminal = try Program.onTerminal(["--plain"], environment: ["HOME=/dev/null"])
    for (line, shown) in [
      ("", "Type a name, or words to list the sources that have them, or q"),
      ("nosuchname\n", "No sources match \"nosuchname\""),
      ("unicode\n", "(s WORDS: type a query)"),
      ("arrow\n", "Rows 1 to 10 of 30 loaded, 644 found"), ("q\n", "sources that have them"),
    ] {
      terminal.forget()
      terminal.type(line)
      let isShown = terminal.waits(atMost: .seconds(20)) { $0.output.contains(shown) }
      try #require(isShown, "\(line): \(terminal.output.suffix(2_000))")
    }
    terminal.type("q\n")
    #expect(terminal.ending() == .exit(0))
  }

  @Test(arguments: [
    (["--plain", "--height", "15"], "--plain and --height cannot be used together"),
    (["--plain", "--record", "x"], "--plain and --record cannot be used together"),
    (["--height", "0"], "invalid value \"0\" for --height: expected 4 or more lines, such as 15"),
    (["--height", "-1"], "invalid value \"-1\" for --height: expected 4 or more lines, such as 15"),
    (["--height", "200%"], "invalid value \"200%\" for --height: expected 4 or more lines"),
    (["--height", "abc"], "invalid value \"abc\" for --height: expected 4 or more lines"),
    (["--height"], "missing value for --height"),
  ]) func `[29] Values and combinations that cannot be used are refused in one message.`(
    arguments: [String], message: String
  ) async throws {
    for command in ["pick", "browse"] {
      let result = try await Program.run([command, "unicode", "arrow"] + arguments)
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix("riffle: \(message)"), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }
}
