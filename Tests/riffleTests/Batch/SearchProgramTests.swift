import Config
import DemoTesting
import Foundation
import Search
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests `riffle search` as a script runs it, against the embedded server.
@Suite(.takesTurns) struct SearchProgramTests {
  @Test func `Rows and statistics cannot go to the same file.`() async throws {
    try await withFile("a.csv", "old") { file in
      let name = (file as NSString).lastPathComponent
      let run = try await Program.shell(
        "cd $(dirname \(file)); riffle search unicode arrow -o \(name) --stats ./\(name)")
      #expect(run.status == 64)
      #expect(run.errors.contains("--output and --stats cannot use the same file"), "\(run)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    }
  }

  @Test(arguments: [("WT_SESSION=1", true), ("WT_SESSION2=1", false)])
  func `A terminal that shows progress of its own shows it during a run, and no more at its end.`(
    variable: String, isShown: Bool
  ) async throws {
    try await withFile("a.csv", "") { file in
      let terminal = try Program.onTerminal(
        ["search", "unicode", "arrow", "-n", "50", "-f", "csv"], environment: [variable], outputFile: file)
      #expect(terminal.ending() == .exit(0))
      let output = terminal.output
      let parts = output.components(separatedBy: "]9;4;").dropFirst().map { String($0.prefix(1)) }
      #expect(parts == (isShown ? ["3", "0"] : []), "\(output)")
    }
  }

  @Test func `--dry-run prints the request of the page given by --from-page.`() async throws {
    let run = try await Program.run(["search", "unicode", "arrow", "--from-page", "4", "--dry-run"])
    #expect(run.output.contains("page=4"), "\(run)")
  }

  @Test func `Sorting by an unknown column stops after the first pages.`() async throws {
    let run = try await Program.run(
      ["search", "unicode", "arrow", "--all", "--sort", "nope", "--page-size", "10", "--stats", "-"])
    #expect(run.status == 64)
    let requests = try #require(run.errors.firstMatch(of: /"requests": ([0-9]+)/)?.1)
    #expect(try #require(Int(requests)) < 12, "\(run)")
  }

  @Test func `Keys that first appear after page 1 are reported once when all columns are requested.`()
    async throws
  {
    let server = try ScriptedServer { request in
      request.target.contains("page=2")
        ? .json(#"{"items": [{"a": 3, "new": 4}], "next": null}"#)
        : .json(#"{"items": [{"a": 1, "b": 2}], "next": "/list?page=2"}"#)
    }
    defer { server.stop() }
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
    try await withFile("mine.toml", source) { file in
      let run = try await Program.run(["search", file, "--all", "-f", "csv", "-c", "*"])
      #expect(run.output == "a,b\n1,2\n3,\n")
      #expect(
        run.errors
          == "riffle: fields missing from the first page are not written: new. Add them with --columns, or use jsonl\n"
      )
    }
  }

  @Test func `A named pipe is written while it is being read.`() async throws {
    let run = try await Program.shell(
      """
      cd $(mktemp -d); mkfifo pipe; head -2 pipe & riffle search unicode letter --all -c code_point -f csv -o pipe
      echo "status $?"; riffle search unicode letter --all -f csv -o /dev/stdout | head -1
      wait; ls
      """)
    #expect(
      run.output == "code_point\nU+0041\nstatus 0\ncharacter,code_point,name,category,age,numeric\npipe\n",
      "\(run)")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func `The embedded source works for an unprivileged user.`() async throws {
    let run = try await Program.shell(
      "setpriv --reuid=65534 --regid=65534 --clear-groups \"\(Program.path)\" search unicode snowman -n 1 -c name --no-header -f csv"
    )
    #expect(run.output == "SNOWMAN\n", "\(run)")
  }

  private static let arrows = LibrarySearch("ARROW").codePoints

  @Test func `Every matching character is one line of valid JSON, in order, without duplicates.`()
    async throws
  {
    let server = try await TestServer.start()
    let result = try await Program.run([
      "search", "unicode", "arrow", "--all", "--format", "jsonl", "--set", "server=\(server.baseURL)",
    ])
    let requests = server.requestLog
    try await server.stop()
    #expect(result.errors == "")
    #expect(result.status == 0)
    let points = try result.lines.map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return row?["code_point"] as? String ?? ""
    }
    #expect(points == Self.arrows)
    #expect(requests.count == (Self.arrows.count + 99) / 100, "one request a page")
    #expect(Set(requests).count == requests.count)
  }

  @Test func `The embedded source needs only the program.`() async throws {
    let result = try await Program.run(["search", "unicode", "U+2192"])
    #expect(result.output == "→\tU+2192\tRIGHTWARDS ARROW\tMath Symbol\t1.1\t\n")
    #expect(result.status == 0)
  }

  @Test func `A limit stops at the row and requests no extra page.`() async throws {
    let server = try await TestServer.start()
    let result = try await Program.run([
      "search", "unicode", "arrow", "-n", "150", "-f", "csv", "--no-header", "-c", "code_point", "-s",
      "server=\(server.baseURL)",
    ])
    let requests = server.requestLog
    try await server.stop()
    #expect(result.output == Self.arrows.prefix(150).map { "\($0)\n" }.joined())
    #expect(requests.count == 2)
  }

  @Test func `A closed pipe ends the run at once without a message.`() async throws {
    let result = try await Program.shell("riffle search unicode letter --all --format csv | head -3")
    #expect(result.lines.first == "character,code_point,name,category,age,numeric")
    #expect(result.lines.count == 3)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func `A full disk is an error that reports how many rows were written.`() async throws {
    let result = try await Program.shell("riffle search unicode arrow --all --format csv > /dev/full")
    #expect(result.status == 74)
    #expect(
      result.errors.contains(
        "cannot write output: No space left on device. No complete row was written"))
  }

  @Test func `A template formats each row.`() async throws {
    let result = try await Program.run([
      "search", "unicode", "U+2192", "--template", #"{name}\t{code_point}\n--"#,
    ])
    #expect(result.output == "RIGHTWARDS ARROW\tU+2192\n--\n")
  }

  @Test func `A search without rows succeeds.`() async throws {
    let result = try await Program.run(["search", "unicode", "no such character", "-f", "json"])
    #expect(result.output == "[]\n")
    #expect(result.status == 0)
  }

  @Test func `Sorted rows are in the order of their values, not of their pages.`() async throws {
    let result = try await Program.run([
      "search", "unicode", "arrow", "--all", "--sort", "code_point:desc", "-c", "code_point",
    ])
    #expect(result.output == Self.arrows.sorted(by: >).map { "\($0)\n" }.joined())
    #expect(result.status == 0)
  }

  @Test(arguments: [
    (["--count", "--filter", "x"], "--count with --filter needs --all or --limit", Int32(64)),
    (["--count", "-f", "json"], "--count and --format cannot be used together", 64),
    (["--count", "-c", "name"], "--count and --columns cannot be used together", 64),
    (["--count", "--all", "--sort", "name"], "--count and --sort cannot be used together", 64),
    (["--count", "--from-page", "3"], "--count and --from-page cannot be used together", 64),
    (["--from-page", "3000000000000000000"], "for --from-page: must be at most 1000000000", 64),
  ]) func `An impossible count or start page is reported.`(
    words: [String], message: String, status: Int32
  ) async throws {
    let result = try await Program.run(["search", "unicode", "arrow"] + words)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == status)
  }

  @Test func `A page beyond the service's cap is not requested.`() async throws {
    for more in [[], ["--dry-run"]] {
      let beyond = try await Program.run(["search", "github", "x", "--from-page", "40"] + more)
      #expect(
        beyond.errors
          == "riffle: page 40 is beyond the last page of source github, page 34: it returns only the first 1,000 "
          + "rows\n")
      #expect(beyond.status == 64)
    }
  }

  @Test(arguments: [
    "sources list", "sources show unicode", "sources path", "config", "--help", "search --help", "--version",
    "--generate-completion-script bash",
  ]) func `A full disk is an error for any output.`(words: String) async throws {
    let result = try await Program.shell("export HOME=/tmp; riffle \(words) > /dev/full")
    #expect(result.errors == "riffle: cannot write output: No space left on device\n")
    #expect(result.status == 74)
  }

  @Test func `A full disk is an error even for a count.`() async throws {
    #expect(try await Program.shell("riffle search unicode arrow --count > /dev/full").status == 74)
  }

  @Test func `A short option may be joined to its value.`() async throws {
    let result = try await Program.run(["search", "unicode", "arrow", "-n2", "-fcsv", "-cname"])
    #expect(result.lines.count == 3)
  }

  @Test func `The count is the service's total, or with --all the number of rows read.`() async throws {
    for arguments in [["--count"], ["--count", "--all"]] {
      let result = try await Program.run(["search", "unicode", "arrow"] + arguments)
      #expect(result.output == "\(Self.arrows.count)\n")
    }
  }

  /// Statistics with letters for what differs from run to run.
  private static func masked(_ text: String) -> String {
    text.replacing(/"bytes": [1-9][0-9]*/, with: "\"bytes\": N")
      .replacing(/"seconds": [0-9]+(\.[0-9]{1,3})?,/, with: "\"seconds\": S,")
  }

  @Test func `[U25] Statistics are one JSON object with stable names.`() async throws {
    let result = try await Program.run([
      "search", "unicode", "arrow", "-n", "150", "--stats", "-", "-f", "csv", "-c", "name",
    ])
    #expect(
      Self.masked(result.errors) == """
        {"rows": 150, "pages": 2, "requests": 2, "retries": 0, "bytes": N, "seconds": S, "total": \(Self.arrows.count), \
        "total_kind": "exact", "duplicates": 0, "ended_by": "limit", "cap": null, \
        "complete": false, "reason": "the limit is reached", "status": 0}

        """)
  }

  @Test func `Each request is logged with -v.`() async throws {
    let result = try await Program.run(["search", "unicode", "arrow", "-n", "150", "-v", "-f", "csv"])
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("riffle: page 1: GET http://127.0.0.1:") == true)
    #expect(lines.last?.contains("page=2&per_page=100 · 200 · ") == true)
    #expect(lines.last?.contains(" · 100 rows · 9998/10000 left") == true)
  }

  @Test func `[D45] With --fail-empty, no rows is status 1, also in the statistics.`() async throws {
    let words = ["search", "unicode", "no such character", "--fail-empty", "--stats", "-"]
    let result = try await Program.run(words)
    #expect(result.output == "")
    #expect(result.errors.hasSuffix("\"status\": 1}\n"))
    #expect(result.status == 1)
    let some = try await Program.run(["search", "unicode", "snowman", "--fail-empty", "--stats", "-"])
    #expect(some.errors.hasSuffix("\"status\": 0}\n"))
    #expect(some.status == 0)
  }

  @Test(arguments: ["--max-wait", "--timeout"])
  func `[D45] A duration without a unit is wrong usage, and the message suggests a unit.`(option: String)
    async throws
  {
    let result = try await Program.run(["search", "unicode", "snowman", option, "10"])
    #expect(result.errors.hasPrefix("riffle: \(option): expected a duration"), "\(result.errors)")
    #expect(result.errors.hasSuffix("found \"10\". Did you mean \"10s\"?\n"), "\(result.errors)")
    #expect(result.status == 64)
  }

  @Test func `[D46] [U23] With a limit, all rows are sorted and the first ones are written, without a note.`()
    async throws
  {
    func rows(_ words: String...) async throws -> [Substring] {
      let result = try await Program.run(["search", "unicode", "arrow", "-c", "code_point"] + words)
      #expect(result.errors == "")
      return result.lines
    }
    let last = Self.arrows.sorted(by: >).prefix(5).map { $0[...] }
    #expect(try await rows("--all", "-n", "5", "--sort", "code_point:desc") == last)
    #expect(try await rows("-n", "5", "--sort", "code_point:desc") == last)
    let statistics = try await Program.run([
      "search", "unicode", "arrow", "-n", "5", "--sort", "age:desc,name", "-q", "--stats", "-",
    ])
    #expect(statistics.errors.contains("{\"rows\": 5, \"pages\": 7, "), "\(statistics.errors)")
  }

  @Test func `[D32] Several sort keys apply in order, whether given in one option or in several.`()
    async throws
  {
    func rows(_ words: String...) async throws -> [[Substring]] {
      let columns = ["-c", "category,code_point", "--all", "-q"]
      let result = try await Program.run(["search", "unicode", "arrow"] + columns + words)
      return result.lines.map { $0.split(separator: "\t") }
    }
    let expected = try await rows().sorted { a, b in a[0] == b[0] ? a[1] < b[1] : a[0] > b[0] }
    #expect(Set(expected.map { $0[0] }).count > 3)
    #expect(try await rows("--sort", "category:desc,code_point") == expected)
    #expect(try await rows("--sort", "category:desc", "--sort", "code_point") == expected)
    #expect(try await rows("--sort", "category:desc,code_point", "-n", "5") == Array(expected.prefix(5)))
    let both = try await Program.run(["search", "unicode", "arrow", "--all", "-n", "5"])
    #expect(both.errors.contains("--limit and --all cannot be used together"))
    #expect(both.status == 64)
  }

  @Test(arguments: [
    ["--sort", "nope:down"], ["--sort", "name", "--columns", "@nope"],
    ["--sort", "name", "--resume", "-o", "/tmp/x.csv"],
    ["--sort", "name", "-o", "/nonexistent/x.csv"], ["--insecure", "--from-page", "0"],
    ["--insecure", "--sort", "a:b"],
  ]) func `[D35] A command that is refused prints only the refusal.`(words: [String]) async throws {
    let result = try await Program.run(["search", "unicode", "arrow"] + words)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.status == 64 || result.status == 74)
  }

  @Test(arguments: [
    (["search", "unicode", "x", "--filter", "\"open"], #"invalid filter: unclosed quote in "open"#),
    (["config", "nosuch"], #"unknown command "config nosuch". Commands: show, path, check, init, edit"#),
    (
      ["help", "nosuch"],
      #"unknown command "nosuch". Commands: browse, search, plan, pick, add, sources, auth, config, state, replay, demo, doctor"#
    ),
  ]) func `A word that cannot be what is expected there is refused.`(words: [String], message: String)
    async throws
  {
    let result = try await Program.run(words)
    #expect(result.errors == "riffle: \(message)\n")
    #expect(result.status == 64)
  }

  @Test(arguments: [
    (["search", "--nope", "x"], #"unknown option "--nope". See riffle help search"#),
    (
      ["search", "--frmt", "x"], #"unknown option "--frmt". Did you mean "--format"? See riffle help search"#
    ),
    (["pick", "--resume", "x"], #"unknown option "--resume". See riffle help pick"#),
    (["search", "x", "--json"], #"unknown option "--json". Use --format json. See riffle help search"#),
    (["pick", "x", "--csv"], #"unknown option "--csv". Use --format csv. See riffle help pick"#),
    (
      ["unicode", "x", "--json"],
      #"unknown option "--json". To write the rows, run: riffle search unicode x --format json. See riffle help browse"#
    ),
    (["replay", "x", "--json"], #"unknown option "--json". See riffle help replay"#),
    (
      ["search", "x", "-n", "abc"],
      #"invalid value "abc" for -n: expected an integer. See riffle help search"#
    ),
    (["search", "x", "-n"], "missing value for -n. See riffle help search"),
    (
      ["search", "x", "--color", "nope"],
      #"invalid value "nope" for --color. Use auto, always or never. See riffle help search"#
    ),
    (
      ["search", "x", "-f", "nope"],
      #"invalid value "nope" for -f. Use table, plain, simple, psql, grid, fancy-grid, markdown, html, rst, org, latex, csv, tsv, json, jsonl or template. See riffle help search"#
    ),
    (["config", "show", "extra"], #"unexpected argument "extra". See riffle help config show"#),
    (["sources", "show"], "missing argument <name>. See riffle help sources show"),
    (
      ["search", "x", "-n", "0"],
      #"invalid value "0" for --limit: expected an integer of at least 1. See riffle help search"#
    ),
    (["replay"], "missing argument <file>. See riffle help replay"),
    (
      ["search", "x", "--limit", "-5"],
      #"invalid value "-5" for --limit: expected an integer of at least 1. See riffle help search"#
    ),
    (
      ["search", "x", "--filter", "--all"],
      "missing value for --filter. For rows without a word, write --filter=-all. See riffle help search"
    ),
    (
      ["search", "x", "--set", "foo"],
      #"invalid value "foo" for --set: expected NAME=VALUE. See riffle help search"#
    ),
  ]) func `[D35] A wrong command line is reported in one line that refers to the help.`(
    words: [String], message: String
  ) async throws {
    let result = try await Program.run(words)
    #expect(result.errors == "riffle: \(message)\n")
    #expect(result.output == "")
    #expect(result.status == 64)
    let help = try #require(message.firstMatch(of: /See (riffle help [a-z ]+)/)?.1)
    #expect(try await Program.run(help.split(separator: " ").dropFirst().map(String.init)).status == 0)
  }

  @Test func `[D34] Requests that were not logged because stderr was not read are counted.`() async throws {
    // Nothing is read from stderr until all rows have been written.
    let result = try await Program.shell(
      """
      cd $(mktemp -d); mkfifo errors rows
      (exec 3< errors; read < rows; cat <&3 > log) &
      riffle search unicode letter -n 1200 --page-size 1 -v -f jsonl 2> errors | (head -n 1200 | tail -n 1; echo > rows)
      wait; cat log >&2
      """)
    #expect(result.lines.count == 1, "the last row")
    let lost = result.errors.matches(of: /riffle: ([0-9]+) requests? not logged: stderr was not read\n/)
      .compactMap { Int($0.1) }
    let reported = result.errors.split(separator: "\n").count { $0.hasPrefix("riffle: page ") }
    #expect(!lost.isEmpty, "the log holds 200 of them")
    #expect(reported + lost.reduce(0, +) == 1_200)
  }

  @Test(arguments: [
    (["search", "unicod", "x"], "unknown source \"unicod\". Did you mean \"unicode\"?", Int32(64)),
    (["serach", "github", "x"], "unknown source \"serach\". Did you mean the command \"search\"?", 64),
    (["soures"], "Did you mean the command \"sources\"?", 64),
    (["npmm"], "unknown source \"npmm\". Did you mean \"npm\"?", 64),
    (["demoo"], "Did you mean the command \"demo\"?", 64),
    (
      ["search", "unicode", "x", "-s", "srver=x"],
      "source unicode has no option \"srver\". Did you mean \"server\"?", 64
    ),
    (
      ["search", "unicode", "arrow", "-c", "nmae"],
      "no column \"nmae\" in source unicode. Did you mean \"name\"?",
      64
    ),
    (
      ["search", "unicode", "x", "-n", "0"],
      "invalid value \"0\" for --limit: expected an integer of at least 1", 64
    ),
    (
      ["search", "unicode", "x", "-f", "json", "--null"],
      "--null cannot be used with json, only with csv, tsv, jsonl or template", 64
    ),
    (["search", "unicode", "x", "--csv-safe"], "--csv-safe cannot be used with tsv, only with csv", 64),
    (
      ["search", "unicode", "x", "-o", "/tmp/x.jsonl", "--header"],
      "--header cannot be used with jsonl, only with table, plain, simple, psql, grid, fancy-grid, markdown, html, rst, org, latex, csv or tsv",
      64
    ),
    (
      ["search", "unicode", "x", "--template", "{name}", "--no-header"],
      "--no-header cannot be used with template", 64
    ),
    (["pick", "unicode", "x", "--csv-safe"], "--csv-safe cannot be used with tsv", 64),
    (["search", "unicode", "x", "--param", "page=3"], "cannot set --param \"page\"", 64),
    (["search", "unicode", "x", "-s", "server=http://u:p@x"], "it contains a user name or password", 64),
    (["search", "unicode", "x", "-s", "server=http://x?a=b"], "it contains a query or fragment", 64),
    (["search", "unicode", "x", "-s", "server=http://x#a"], "it contains a query or fragment", 64),
    (["search", "unicode", "-x"], "To search for it, run: riffle search unicode -- -x", 64),
    (["search", "/nonexistent/x.toml", "x"], "cannot read /nonexistent/x.toml: no such file", 78),
  ]) func `Wrong usage is reported with a hint or the nearest valid name.`(
    arguments: [String], message: String, status: Int32
  ) async throws {
    let result = try await Program.run(arguments)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output == "")
    #expect(result.status == status)
  }

  @Test func `Without a terminal, browse acts like search.`() async throws {
    let result = try await Program.run(["unicode", "U+2192"])
    #expect(result.output == "→\tU+2192\tRIGHTWARDS ARROW\tMath Symbol\t1.1\t\n")
  }

  @Test func `The sources are listed by subject, with their need of a credential.`() async throws {
    let result = try await Program.run(["sources", "list"])
    let rows = result.lines.filter { $0.hasPrefix("  ") }
    let names = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.sorted() == BuiltInSources.sources.map(\.name).sorted())
    #expect(result.lines.filter { !$0.hasPrefix(" ") } == Subject.allCases.map { $0.rawValue[...] })
    #expect(rows.allSatisfy { $0.count <= 90 })
  }

  @Test(arguments: [
    (
      "qiita",
      """
      media
        qiita  Qiita items  token optional

      """
    ),
    (
      "REFERENCE characters",
      """
      reference
        unicode  Unicode characters

      """
    ),
    (
      "slack users",
      """
      business
        slack-users  Slack users  needs a token

      """
    ),
  ])
  func `A list of sources is filtered by words of name, alias, title and subject.`(
    words: String, output: String
  )
    async throws
  {
    for command in ["list", "find"] {
      let result = try await Program.run(
        ["sources", command] + words.split(separator: " ").map(String.init))
      #expect(result == Program.Result(status: 0, output: output, errors: ""))
    }
  }

  @Test(arguments: [
    ("sources list gihtub", "no source matches \"gihtub\". Did you mean \"github\"?", Int32(1)),
    (
      "sources find no such thing",
      "no source matches \"no such thing\". To list all sources, run: riffle sources list", 1
    ),
    ("search strpe x", "unknown source \"strpe\". Did you mean \"stripe\"?", 64),
    (
      "search devops x",
      """
      unknown source "devops". Did you mean "azure-devops-projects" or "azure-devops-repositories"?
      """, 64
    ),
  ])
  func `A name that no source has is answered with those of the catalog.`(
    line: String, message: String, status: Int32
  ) async throws {
    let result = try await Program.run(line.split(separator: " ").map(String.init))
    #expect(result == Program.Result(status: status, output: "", errors: "riffle: \(message)\n"))
  }
}

/// Tests `--count` of a source that has a separate address for its total.
@Suite(.takesTurns) struct CountProgramTests {
  /// Counts with these answers, the last one repeatedly. The lines of `-v` are returned without address, size and
  /// time.
  private func count(
    _ answers: [ScriptedServer.Answer], _ words: [String] = []
  ) async throws -> (status: Int32, output: String, errors: [String]) {
    let server = try ScriptedServer { answers[min($0.number, answers.count - 1)] }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/list"
      params = { q = "{query}" }
      [rows]
      path = "items"
      [rows.total_request]
      url = "\(server.baseURL)/count"
      total = "count"
      """
    return try await withFile("mine.toml", source) { file in
      let run = try await Program.run(["search", file, "x", "--count", "-v", "--stats", "-"] + words)
      let errors = run.errors.replacing(server.baseURL, with: "").replacing(
        #/ · [0-9]+ B · [0-9]+ ms|"bytes": [1-9][0-9]*, "seconds": [0-9.]+, /#, with: ""
      )
      return (
        run.status, run.output,
        errors.split(separator: "\n").map { $0.dropFirst($0.hasPrefix("riffle: ") ? 8 : 0).description }
      )
    }
  }

  private func statistics(
    _ requests: Int, _ retries: Int, total: String, status: Int, by end: String = "page"
  ) -> String {
    "{\"rows\": 0, \"pages\": 0, \"requests\": \(requests), \"retries\": \(retries), \"total\": \(total), "
      + "\"total_kind\": \(total == "null" ? "null" : "\"exact\""), \"duplicates\": 0, \"ended_by\": \"\(end)\", \"cap\": null, "
      + "\"complete\": null, \"reason\": null, \"status\": \(status)}"
  }

  @Test func `[D44] A failed request for the total is retried, and each request is logged.`() async throws {
    let (status, output, errors) = try await count([
      .status(500, #"{"message": "down"}"#), .json(#"{"count": 42}"#),
    ])
    #expect(output == "42\n")
    #expect(status == 0)
    #expect(
      errors == [
        "total: GET /count · 500 · /count returned 500 Internal Server Error: down",
        "total (retry 1): GET /count · 200",
        statistics(2, 1, total: "42", status: 0),
      ])
  }

  @Test(arguments: [
    (ScriptedServer.Answer.status(401, #"{"message": "Bad credentials"}"#), Int32(4), "Bad credentials"),
    (.status(403, #"{"message": "Forbidden here"}"#), 4, "Forbidden here"),
    (.status(429, #"{"message": "Slow down"}"#, ("Retry-After", "600")), 5, "Slow down"),
    (.status(404, #"{"message": "No such list"}"#), 1, "No such list"),
    (.status(500, #"{"message": "Out of order"}"#), 1, "Out of order"),
    (.json("no JSON"), 1, "invalid JSON"),
  ]) func `[D44] A refused total has the status and message of a refused page.`(
    answer: ScriptedServer.Answer, status: Int32, words: String
  ) async throws {
    let result = try await count([answer], ["--retries", "1", "--max-wait", "20s"])
    #expect(result.output == "")
    #expect(result.status == status)
    #expect(result.errors.first?.hasPrefix("total: GET /count · ") == true, "\(result.errors)")
    #expect(result.errors.dropLast().last?.contains(words) == true, "\(result.errors)")
    #expect(result.errors.last?.hasSuffix("\"status\": \(status)}") == true)
  }

  @Test func `[D45] A response without the total is a failure, also in the statistics.`() async throws {
    let result = try await count([.json("{}")])
    #expect(result.status == 1)
    #expect(
      result.errors == [
        "total: GET /count · 200",
        "the source does not report a total. Use --count --all to load and count the rows",
        statistics(1, 0, total: "null", status: 1),
      ])
  }

  @Test(arguments: [(0, Int32(1)), (3, 0)])
  func `[D45] With --fail-empty, a count of zero is printed and is status 1.`(number: Int, status: Int32)
    async throws
  {
    let result = try await count([.json("{\"count\": \(number)}")], ["--fail-empty"])
    #expect(result.output == "\(number)\n")
    #expect(result.status == status)
    #expect(result.errors.last == statistics(1, 0, total: "\(number)", status: Int(status)))
  }
}

/// Tests how many pages are read, and which ones.
@Suite(.takesTurns) struct PageCountTests {
  private func run(
    _ words: String
  ) async throws -> (requests: [String], result: Program.Result) {
    let server = try await TestServer.start()
    let words = "search unicode letter --set server=\(server.baseURL) --concurrency 1 \(words)"
    let result = try await Program.run(words.split(separator: " ").map(String.init))
    let requests = server.requestLog.map { target in
      target.split(separator: "?").last.map { $0.split(separator: "&").sorted().joined(separator: " ") } ?? ""
    }
    try await server.stop()
    return (requests, result)
  }

  @Test func `[D31] --max-pages alone is the number of pages written.`() async throws {
    let (requests, result) = try await run("--max-pages 3 --page-size 10")
    #expect(requests.count == 3)
    #expect(result.lines.count == 30)
    #expect(result.errors == "")
    #expect(result.status == 0)
    let (_, all) = try await run("--max-pages 3 --page-size 10 --all")
    #expect(all.output == result.output)
    #expect(
      all.errors == "riffle: stopped after 3 pages. To load more, use --max-pages with a number above 3\n")
  }

  @Test func `[D31] A page is the same page, whatever is read after it.`() async throws {
    let one = try await run("--from-page 22 -c code_point")
    let all = try await run("--from-page 22 --all --max-pages 2 -c code_point")
    let some = try await run("--from-page 22 -n 7 -c code_point")
    #expect(all.requests.first == one.requests.first)
    #expect(some.requests.first == one.requests.first)
    #expect(all.result.lines.starts(with: one.result.lines))
    // A longer run names its own page size in the advice to continue.
    let stopped = try await run("--all --param fault=500 --param from=3 --retries 0")
    #expect(
      stopped.result.errors.hasSuffix(
        "riffle: run the same command with --page-size 100 --from-page 3 to continue\n"),
      "\(stopped.result.errors)")
  }

  @Test func `A run that begins after the end of the list reports it.`() async throws {
    let (_, result) = try await run("--from-page 9999")
    #expect(result.output == "")
    #expect(result.errors == "riffle: the list ends before page 9,999\n")
    #expect(result.status == 0)
  }

  @Test func `A page size that no request can choose moves no page, and is an error as an option.`()
    async throws
  {
    let server = try ScriptedServer { request in
      let first = Int(request.target.split(separator: "=").last ?? "") ?? 0
      let rows = (first..<max(first, min(first + 5, 23))).map { #"{"id": \#($0)}"# }
      return .json(#"{"items": [\#(rows.joined(separator: ","))], "total": 23}"#)
    }
    let source = """
      schema = 1
      id = "fives"
      [request]
      url = "\(server.baseURL)/rows"
      [pagination]
      type = "offset"
      param = "skip"
      advance = "asked"
      size = { default = 5 }
      [rows]
      path = "items"
      id = "id"
      total = "total"
      """
    try await withFile("fives.toml", source) { file in
      let search = ["search", file, "--trust", "--format", "csv", "--no-header", "--concurrency", "1"]
      let size = ["RIFFLE_SEARCH_PAGE_SIZE": "7"]
      let all = try await Program.run(search + ["--all"], environment: size)
      #expect(all.lines.map(String.init) == (0..<23).map(String.init), "\(all)")
      let fromPage = try await Program.run(search + ["--from-page", "3"], environment: size)
      #expect(fromPage.lines == ["10", "11", "12", "13", "14"], "\(fromPage)")
      let refused = try await Program.run(search + ["--all", "--page-size", "7"])
      #expect(
        refused.errors
          == "riffle: --page-size cannot be used: source fives does not send a page size\n")
      #expect(refused.status == 64)
    }
    server.stop()
  }

  @Test func `[D31] A list that ends in repeated pages before the requested number of rows is status 3.`()
    async throws
  {
    let server = try ScriptedServer { request in
      let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
      let rows = (1...2).map { #"{"id": \#(min(page, 2) * 10 + $0)}"# }.joined(separator: ",")
      return .json(#"{"items": [\#(rows)]}"#)
    }
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/list"
      [pagination]
      type = "page"
      param = "page"
      [rows]
      path = "items"
      """
    try await withFile("mine.toml", source) { file in
      let search = ["search", file, "-f", "jsonl", "-c", "id", "--concurrency", "1"]
      let some = try await Program.run(search + ["-n", "15"])
      #expect(some.output.split(separator: "\n").count == 4)
      #expect(some.errors.contains("riffle: stopped after 4 of 15 rows: the service is repeating pages\n"))
      #expect(some.status == 3)
      // Many services end a list by repeating its last page.
      let all = try await Program.run(search + ["--all"])
      #expect(all.output == some.output)
      #expect(all.errors.contains("riffle: the service is repeating pages\n"))
      #expect(all.status == 0)
      #expect(try await Program.run(search + ["-n", "4"]).status == 0)
    }
  }
}

/// Tests `--output FILE`.
@Suite(.takesTurns) struct OutputFileTests {
  @Test func `The extension of the file chooses the format.`() async throws {
    try await withFile("a.csv", "old\n") { path in
      let result = try await Program.run(["search", "unicode", "U+2192", "-c", "name", "-o", path])
      #expect(result.output == "")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "name\nRIGHTWARDS ARROW\n")
    }
  }

  @Test(arguments: [
    (
      "x.xlsx",
      "cannot write x.xlsx: no format for .xlsx. Use .txt, .md, .html, .rst, .org, .tex, .csv, .tsv, .json, .jsonl or .ndjson, or name a format with --format"
    ),
    ("x.parquet", "no format for .parquet"), ("a.b/x.CSV.gz", "no format for .gz"),
  ]) func `[D30] A file with an unknown extension is refused before anything is requested.`(
    name: String, message: String
  ) async throws {
    let result = try await Program.run(["search", "unicode", "arrow", "-o", name])
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == 64)
  }

  @Test func `[D30] The extension .ndjson also chooses jsonl, and - is stdout.`() async throws {
    let run = try await Program.shell(
      """
      cd $(mktemp -d); riffle search unicode U+2192 -c name -o x.ndjson
      riffle search unicode U+2192 -c name -o rows; riffle search unicode U+2192 -c name -o x.dat -f csv
      riffle search unicode U+2192 -c name -f csv -o -; tail -n +1 *
      """)
    #expect(
      run.output == """
        name
        RIGHTWARDS ARROW
        ==> rows <==
        name
        RIGHTWARDS ARROW

        ==> x.dat <==
        name
        RIGHTWARDS ARROW

        ==> x.ndjson <==
        {"name":"RIGHTWARDS ARROW"}

        """)
    #expect(run.errors == "")
  }

  @Test func `[D38] No message gets into the file, whichever standard descriptors are closed.`() async throws
  {
    let redirections = ["", "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"]
    let outcomes = try await withFile("a.csv", "") { file in
      var outcomes: [String] = []
      for redirection in redirections {
        let run = try await Program.shell(
          """
          cd $(dirname \(file)); rm -f a.csv status
          { riffle search unicode U+2192 -c name -f csv --insecure -v -o a.csv; echo $? >> status; } \(redirection)
          { riffle search unicode U+2192 -c name -f csv --insecure -v; echo $? >> status; } \(redirection)
          cat a.csv status
          """)
        outcomes.append("\(redirection): \(run.output.split(separator: "\n").joined(separator: " "))")
      }
      return outcomes
    }
    let (rows, open, closed) = ("name RIGHTWARDS ARROW", "0 0", "0 74")
    #expect(
      outcomes == [
        ": \(rows) \(rows) \(open)", "<&-: \(rows) \(rows) \(open)", ">&-: \(rows) \(closed)",
        "2>&-: \(rows) \(rows) \(open)", "<&- >&-: \(rows) \(closed)", "<&- 2>&-: \(rows) \(rows) \(open)",
        ">&- 2>&-: \(rows) \(closed)", "<&- >&- 2>&-: \(rows) \(closed)",
      ])
    let refused = try await Program.shell("riffle search unicode U+2192 -v >&-")
    #expect(refused.errors == "riffle: stdout is closed\n", "nothing is requested")
  }

  @Test func `A list without rows empties the file.`() async throws {
    try await withFile("a.jsonl", "{\"name\": \"old\"}\n") { path in
      let result = try await Program.run(["search", "unicode", "xyzzyxyzzy", "--all", "-o", path])
      #expect(result.status == 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
    }
  }

  @Test func `A file keeps its contents when no rows arrive to replace them.`() async throws {
    try await withFile("a.csv", "old\n") { path in
      let result = try await Program.run([
        "search", "unicode", "x", "-o", path, "--set", "server=http://127.0.0.1:1", "--retries", "0",
      ])
      #expect(result.status == 1)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
    }
  }

  @Test(arguments: [
    (["--count"], "--count and --output cannot be used together", Int32(64)),
    (["--sort", "nope"], "no column \"nope\" in source unicode", 64),
    (["--count", "--filter", "x"], "--count and --output cannot be used together", 64),
  ]) func `A run that writes no rows leaves the file unchanged.`(
    words: [String], message: String, status: Int32
  ) async throws {
    try await withFile("a.csv", "old\n") { path in
      let result = try await Program.run(["search", "unicode", "arrow", "-o", path] + words)
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.status == status)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
    }
  }

  @Test func `A file that cannot be written is status 74.`() async throws {
    let result = try await Program.run(["search", "unicode", "x", "-o", "/nonexistent/a.csv"])
    #expect(
      result.errors
        == "riffle: cannot write /nonexistent/a.csv: /nonexistent does not exist. Create the directory first\n"
    )
    #expect(result.status == 74)
  }
}

/// Tests `--filter WORDS`.
@Suite(.takesTurns) struct FilterProgramTests {
  @Test func `The limit counts the rows that the filter keeps, however many pages that takes.`() async throws
  {
    let result = try await Program.run([
      "search", "unicode", "arrow", "-n", "2", "--filter", "category:math \"to bar\"", "-c", "name",
    ])
    #expect(
      result.output == """
        UPWARDS ARROW TO BAR
        DOWNWARDS ARROW TO BAR

        """)
    #expect(result.status == 0)
  }

  @Test func `With a limit, a filter stops after ten pages with a warning.`() async throws {
    let result = try await Program.run([
      "search", "unicode", "letter", "-n", "3", "--filter", "nothing", "--stats", "-", "--quiet",
    ])
    #expect(
      result.errors.contains(
        "riffle: no matches in the first 1,000 of 11,343 rows. To load more, use --max-pages with a number above 10\n"
      ))
    #expect(result.errors.contains("\"pages\": 10"))
    #expect(result.status == 0)
  }

  @Test func `A filter by a path that no row has is named, even with --quiet, if no row matches.`()
    async throws
  {
    let result = try await Program.run(
      ["search", "unicode", "snowman", "--all", "-q", "-f", "csv", "--filter", "category.b>1"])
    #expect(
      result.errors
        == "riffle: the filter names category.b, but no row of the first page has a value there. Did you mean \"category\"?\n"
    )
  }

  @Test func `Blanks are no query.`() async throws {
    let result = try await Program.run(["search", "github", "  "])
    #expect(result.status == 64 && result.errors.contains("source github needs a query"), "\(result)")
  }

  @Test func `Rows match all filters that are given.`() async throws {
    let filters = ["--filter", "black", "--filter", "snow"]
    let result = try await Program.run(
      ["search", "unicode", "snowman", "--all", "-c", "name", "-q", "-f", "csv", "--no-header"] + filters)
    #expect(result.output == "BLACK SNOWMAN\n")
  }

  @Test(arguments: [
    ("age<2", "SNOWMAN\n"),
    ("~snw -without cod>=U+26C5", "BLACK SNOWMAN\n"), ("name=SnowMan age!=5.2", "SNOWMAN\n"),
  ]) func `A filter compares values.`(filter: String, output: String) async throws {
    let result = try await Program.run([
      "search", "unicode", "snowman", "--all", "--filter", filter, "-c", "name", "-q", "-f", "csv",
      "--no-header",
    ])
    #expect(result.output == output)
    #expect(result.status == 0)
  }

  @Test func `A mistake in a filter is shown where it is, before anything is requested.`() async throws {
    let result = try await Program.run(["search", "github", "arrow", "--filter", "矢印 stars>old"])
    #expect(
      result.errors == """
        riffle: invalid filter: "old" is not a number. Stars is a number: write a number such as 1500 or 1.5k
        riffle:   矢印 stars>old
        riffle:              ^~~

        """)
    #expect(result.output == "")
    #expect(result.status == 64)
  }
}
