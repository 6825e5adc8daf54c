import Foundation
import Output
import TestSupport
import Testing

/// Tests the program with responses of kinds that have broken other clients.
@Suite(.takesTurns, .serialized) struct HostileResponseTests {
  /// A source whose rows are at `items`.
  private func source(_ server: ScriptedServer, _ tables: String = "") -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(server.baseURL)/list"
    [rows]
    path = "items"
    \(tables)
    """
  }

  /// Searches a service that gives these answers, the last one repeatedly.
  private func search(
    _ tables: String, _ arguments: [String], answers: [ScriptedServer.Answer]
  ) async throws -> (result: Program.Result, requests: [String]) {
    let server = try ScriptedServer { answers[min($0.number, answers.count - 1)] }
    defer { server.stop() }
    let result = try await withFile("mine.toml", source(server, tables)) { file in
      try await Program.run(["search", file, "--all"] + arguments)
    }
    return (result, server.requests)
  }

  // MARK: Values

  /// Terminal sequences, bidi controls, zero-width and tag characters, control bytes.
  private static let escapes = #"""
    {"items": [
    {"id": 1, "name": "evil/\u001b]0;pwned\u0007repo", "note": "clear \u001b[2J\u001b[H clip \u001b]52;c;cHduZWQ=\u0007 link \u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\ c1 \u009b31mred bs\b\b nul\u0000 del\u007f"},
    {"id": 2, "name": "bidi/\u202egnp.exe\u202c", "note": "zero\u200b\ufeff tag \udb40\udc41\udb40\udc42 iso \u2066a\u2069 ls\u2028 nel\u0085 lone \ud800 cr\rOVER"},
    {"id": 3, "name": "line\nbreak\ttab", "note": "🇯🇵 👩‍👩‍👧‍👦 日本語 ｆｕｌｌ"}
    ]}
    """#

  private static let columns = """
    [[columns]]
    path = "name"
    [[columns]]
    path = "note"
    """

  @Test func `Values written to a pipe are exact.`() async throws {
    let (csv, _) = try await search(Self.columns, ["-f", "csv"], answers: [.json(Self.escapes)])
    #expect(
      csv.output == """
        name,note
        evil/\u{1B}]0;pwned\u{7}repo,clear \u{1B}[2J\u{1B}[H clip \u{1B}]52;c;cHduZWQ=\u{7} link \
        \u{1B}]8;;http://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\ c1 \u{9B}31mred bs\u{8}\u{8} nul\0 del\u{7F}
        bidi/\u{202E}gnp.exe\u{202C},"zero\u{200B}\u{FEFF} tag \u{E0041}\u{E0042} iso \u{2066}a\u{2069} ls\u{2028} \
        nel\u{85} lone \u{FFFD} cr\rOVER"
        "line
        break\ttab",🇯🇵 👩‍👩‍👧‍👦 日本語 ｆｕｌｌ

        """)
    let (lines, _) = try await search(Self.columns, ["-f", "jsonl"], answers: [.json(Self.escapes)])
    let rows = Self.escapes.split(separator: "\n").dropFirst().dropLast()
    #expect(lines.lines == rows.map { $0.hasSuffix(",") ? $0.dropLast() : $0 })
    #expect(csv.errors + lines.errors == "")
  }

  @Test(arguments: OutputFormats.all.map(\.name).filter { $0 != "template" })
  func `Values written to a terminal cannot control it.`(format: String) async throws {
    let server = try ScriptedServer { _ in .json(Self.escapes) }
    defer { server.stop() }
    try await withFile("mine.toml", source(server, Self.columns)) { file in
      let terminal = try Program.onTerminal(
        ["search", file, "-f", format], columns: 200,
        environment: ["HOME=/dev/null", "NO_COLOR=1"])
      #expect(terminal.ending() == .exit(0))
      let text = try #require(String(validating: terminal.bytes, as: UTF8.self))
      #expect(text.contains("pwned") && text.contains("日本語"))
      let dangerous = text.unicodeScalars.filter(Self.isDangerous)
      // Fields of TSV are separated by a tab.
      #expect(dangerous.filter { format != "tsv" || $0 != "\t" }.map(\.value) == [])
    }
  }

  @Test func `Values shown in the pager cannot control the terminal.`() async throws {
    let server = try ScriptedServer { _ in .json(Self.escapes) }
    defer { server.stop() }
    try await withFile("mine.toml", source(server, Self.columns)) { file in
      let terminal = try Program.onTerminal(
        [file], columns: 200, rows: 24, environment: ["HOME=/dev/null"])
      #expect(terminal.shows("日本語"))
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      let text = String(decoding: terminal.bytes, as: UTF8.self)
      // The screen's own output contains none of these sequences.
      for sequence in [
        "\u{1B}]0;pwned", "\u{1B}[2J\u{1B}[H clip", "\u{1B}]52", "\u{1B}]8;;http", "\u{8}\u{8}",
      ] {
        #expect(!text.contains(sequence))
      }
      #expect(text.unicodeScalars.filter { $0.value > 0x7E && Self.isDangerous($0) }.map(\.value) == [])
    }
  }

  /// Controls other than line ends, C1, bidirectional and invisible characters. Joiners are allowed: emoji need them.
  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x0D: false
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  // MARK: Heads

  @Test(arguments: ["000", "001", "099", "99", "1000"])
  func `[D47] An invalid status is reported in a search and in the pager and crashes neither.`(status: String)
    async throws
  {
    let server = try await RawServer.start { _, _ in
      [.send("HTTP/1.1 \(status) X\nContent-Length: 13\n\n{\"items\": []}"), .close]
    }
    let source =
      "schema = 1\nid = \"mine\"\n[request]\nurl = \"http://127.0.0.1:\(server.port)/\"\n[rows]\npath = \"items\""
    try await withFile("mine.toml", source) { file in
      let result = try await Program.run(["search", file, "--retries", "0"])
      #expect(result.errors.contains("127.0.0.1:\(server.port) sent an invalid HTTP status line"))
      #expect(result.status == 1)
      let terminal = try Program.onTerminal(
        [file, "--retries", "0"], columns: 120, environment: ["HOME=/dev/null"])
      #expect(terminal.shows("invalid HTTP status line"))
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
    }
  }

  // MARK: Next links

  /// The target of a next link, the hosts that the source allows, and the expected message.
  @Test(arguments: [
    ("http://127.0.0.1:9/steal", "", "leads to another origin, http://127.0.0.1:9. If that is"),
    ("https://evil.example/steal?page=2", "", "leads to another origin, https://evil.example. If that is"),
    ("//evil.example/steal", "", "leads to another origin, http://evil.example. If that is"),
    ("http://127.0.0.1:HOME@evil.example/2", "", "contains a user name, which is not allowed"),
    ("http://user:word@127.0.0.1:HOME/2", "", "contains a user name, which is not allowed"),
    ("http://169.254.169.254/latest", "169.254.169.254", "leads to a private address, 169.254.169.254"),
    ("http://10.0.0.1/", "10.0.0.1", "leads to a private address, 10.0.0.1"),
    ("http://0x0a000001/", "10.0.0.1", "leads to a private address, 10.0.0.1"),
    ("http://[::ffff:10.0.0.1]/", "[::ffff:a00:1]", "leads to a private address"),
    ("file:///etc/passwd", "", "only http and https are supported, not \"file\""),
    ("javascript:alert(1)", "", "only http and https are supported, not \"javascript\""),
    ("http://[::1/2", "", "returned a link that cannot be followed"),
  ])
  func `A hostile next link is refused with its reason, and the rows remain.`(
    link: String, host: String, words: String
  ) async throws {
    let hosts = host.isEmpty ? "" : "hosts = [\"\(host)\"]"
    let server = try ScriptedServer { request in
      let home =
        request.text.split(separator: "127.0.0.1:").dropFirst().first?.prefix(while: \.isNumber) ?? ""
      return .json(#"{"items": [{"id": 1}], "next": "\#(link.replacing("HOME", with: home))"}"#)
    }
    defer { server.stop() }
    let tables = "[pagination]\ntype = \"link\"\nnext = \"next\"\n\(hosts)"
    let result = try await withFile("mine.toml", source(server, tables)) { file in
      try await Program.run(["search", file, "--all", "-f", "csv"])
    }
    #expect(result.output == "id\n1\n")
    #expect(
      result.errors.contains("stopped after 1 row: pagination.next of source mine returned a link that "))
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.status == 3)
    #expect(server.requests.count == 1)
  }

  /// The `Link` field of each page, which leads to the next page.
  private static let linkFields = [
    #"</list?page=2>; rel="next", </list?page=99>; rel="last""#, "</list?page=3>;rel=next",
    #"</list?a=1,2;3&page=4>; title="a, b; c"; rel="prev next""#, #"<?page=5>; rel="next""#,
    #"</list?page=6>; REL="NEXT""#, "</list?page=7>; rel='next'",
    #"</list?page=98>; rel="next"; anchor="https://a.example/x", </list?page=8>; rel="next""#,
    #"</list?page=9>; rel="next", </list?page=97>; rel="next""#,
    #"</list?page=10&since=369>; rel="next", </list{?since}>; rel="first""#,
    #"</list?page=11>; rel="next"; results="true"; cursor="0:100:0""#,
    #"https://a.example/96; rel="next", </list?page=12>; rel="next""#,
    #"</list?page=13>; rel="next"; results="false"; cursor="0:100:1""#,
  ]

  @Test func `A Link field is followed to its next page, and its end is recognized, however it is written.`()
    async throws
  {
    let answers = Self.linkFields.enumerated().map { index, field in
      ScriptedServer.Answer.json("{\"items\": [{\"id\": \(index + 1)}]}", ("Link", field))
    }
    let (result, requests) = try await search(
      "id = \"id\"\n[pagination]\ntype = \"link\"\nnext = \"link:next\"", ["-f", "csv", "--no-header"],
      answers: answers)
    #expect(result.output == (1...12).map { "\($0)\n" }.joined())
    #expect(result.errors == "")
    #expect(
      requests.map { $0.prefix { $0 != "\n" } }
        == [
          "", "?page=2", "?page=3", "?a=1,2;3&page=4", "?page=5", "?page=6", "?page=7", "?page=8", "?page=9",
          "?page=10&since=369", "?page=11", "?page=12",
        ].map { "GET /list\($0) HTTP/1.1" })
  }

  // MARK: Rows

  @Test func `Null in place of rows is an empty page and is reported.`()
    async throws
  {
    let (result, requests) = try await search(
      "[pagination]\ntype = \"cursor\"\nnext = \"next_token\"\ninto = \"query:token\"", ["-f", "jsonl"],
      answers: [.json(#"{"items": null, "next_token": null}"#)])
    #expect(result.output == "")
    #expect(result.errors == "riffle: no rows: items is null\nriffle: no results\n")
    #expect(result.status == 0)
    #expect(requests.count == 1)
  }

  @Test func `Null entries among rows are skipped, and paging continues.`() async throws {
    let (result, requests) = try await search(
      "[pagination]\ntype = \"cursor\"\nnext = \"next\"\ninto = \"query:c\"", ["-f", "jsonl"],
      answers: [
        .json(#"{"items": [null, {"id": 1}, null], "next": "a"}"#),
        .json(#"{"items": [null], "next": "b"}"#),
        .json(#"{"items": [{"id": 2}], "next": ""}"#),
      ])
    #expect(result.output == "{\"id\": 1}\n{\"id\": 2}\n")
    #expect(result.errors == "")
    #expect(requests.count == 3)
  }

  private static let numbers = #"""
    {"items": [
    {"id": 9007199254740993, "id2": 18446744073709551615, "ratio": 0.1, "n": -0.0, "big": 123456789012345678901234567890},
    {"id": 9007199254740992, "id2": 1E400, "ratio": 1.10, "n": 0, "big": -123456789012345678901234567890},
    {"id": 9007199254740994, "id2": 1e-400, "ratio": 1e2, "n": 1.0, "big": 0.1234567890123456789}
    ]}
    """#

  @Test(arguments: ["", "format = \"number\""])
  func `Numbers keep their text, whatever their size, and are sorted by value.`(
    format: String
  ) async throws {
    let columns = ["id", "id2", "ratio", "n", "big"].map { "[[columns]]\npath = \"\($0)\"\n\(format)\n" }
      .joined()
    let answers = [ScriptedServer.Answer.json(Self.numbers)]
    let (csv, _) = try await search(columns, ["-f", "csv", "--sort", "id"], answers: answers)
    #expect(
      csv.output == """
        id,id2,ratio,n,big
        9007199254740992,1E400,1.10,0,-123456789012345678901234567890
        9007199254740993,18446744073709551615,0.1,-0.0,123456789012345678901234567890
        9007199254740994,1e-400,1e2,1.0,0.1234567890123456789

        """)
    let rows = Self.numbers.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    let (json, _) = try await search(columns, ["-f", "json"], answers: answers)
    #expect(json.output == "[\n\(rows)\n]\n")
    let (lines, _) = try await search(
      columns, ["-f", "jsonl", "-c", "id,big", "--sort", "big:desc"], answers: answers)
    #expect(
      lines.output == """
        {"id":9007199254740993,"big":123456789012345678901234567890}
        {"id":9007199254740994,"big":0.1234567890123456789}
        {"id":9007199254740992,"big":-123456789012345678901234567890}

        """)
    #expect(csv.errors + json.errors + lines.errors == "")
  }

  @Test(arguments: [(["-f", "csv"], "riffle: 1 duplicate row dropped\n"), (["-f", "csv", "--quiet"], "")])
  func `A row that appears on two pages is written once, and the duplicate is counted.`(
    arguments: [String], words: String
  ) async throws {
    let (result, requests) = try await search(
      "id = \"id\"\ntotal = \"total\"\n[pagination]\ntype = \"page\"\nparam = \"page\"\nsize = { param = \"n\" }",
      arguments,
      answers: [
        .json(#"{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "total": 5}"#),
        .json(#"{"items": [{"id": 3}, {"id": 4}], "total": 5}"#),
      ])
    #expect(result.output == "id\n1\n2\n3\n4\n")
    #expect(result.errors == words)
    #expect(result.status == 0)
    #expect(requests.count == 2)
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><title>Sign in</title><body>captive portal</body></html>",
    "\u{FEFF}\n  <html>", "<?xml version=\"1.0\"?><!DOCTYPE html><html/>",
  ])
  func `A sign-in page with status 200 is reported as HTML.`(body: String) async throws {
    let page = ScriptedServer.Answer.json(body)
    let (result, requests) = try await search("", ["-f", "json", "--retries", "5"], answers: [page])
    #expect(result.output == "[]\n")
    #expect(result.errors.contains("returned HTML, not JSON: probably a sign-in page or a wrong URL"))
    #expect(result.status == 1)
    #expect(requests.count == 1)
  }
}
