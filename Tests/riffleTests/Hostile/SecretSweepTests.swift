import Foundation
import TestSupport
import Testing

/// Searches everything a session writes or shows for the secret: every file in its home folder and its folder for
/// temporary files, and every byte for the terminal, stdout and stderr.
@Suite(.takesTurns, .serialized) struct SecretSweepTests {
  /// The rows are harmless; every other part of a response repeats the request, and the secret in every spelling.
  private static func answer(
    _ request: ScriptedServer.Request, _ credential: CredentialCase, other: String
  ) -> ScriptedServer.Answer {
    let all = (request.text + credential.spellings.joined(separator: " ")).inJSON
    let secret = credential.spellings[1]
    let rows = "\"items\": [{\"id\": 1, \"text\": \"one\", \"url\": \"https://h.example/1\"}]"
    func asked(_ word: String) -> Bool { request.text.contains(word) }
    if asked("page=2") { return .status(401, "{\"message\": \(all)}") }
    if asked("elsewhere") { return .status(302, "", ("Location", "\(other)/x?key=\(secret)")) }
    if asked("markup") { return .status(200, "<html>\(request.text)</html>") }
    if asked("broken") { return .json("{\"items\": [\(all), \u{1}\(all)") }
    if asked("refused") { return .status(403, "{\"message\": \(all)}", ("X-RateLimit-Resource", secret)) }
    if asked("lost") { return .json("{\(rows), \"next\": \"gopher://h.example/\(secret)\"}") }
    if asked("beside") { return .json("{\(rows), \"message\": \(all)}") }
    return .json("{\(rows), \"next\": \"/list?q=pages&page=2&again=\(secret)\", \"total\": 9}")
  }

  private static let queries = ["pages", "elsewhere", "markup", "broken", "refused", "lost", "beside"]

  private static let tables = """
    [pagination]
    type = "link"
    next = "next"
    [rows]
    path = "items"
    total = "total"
    link = "url"
    [[columns]]
    path = "text"
    [limits]
    bucket = "header:X-RateLimit-Resource"
    [errors]
    message = "message"
    [[errors.when]]
    match = { path = "message", exists = true }
    unless = "items"
    """

  /// A home folder with a source and a token.
  private struct Home {
    let folder: String
    let environment: [String: String]

    init(_ folder: String) throws {
      self.folder = folder
      let temporary = "\(folder)/tmp"
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
      try Data(CredentialCase.secret.utf8).write(to: URL(filePath: "\(folder)/token"))
      let settings = "\(folder)/.config/riffle"
      try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
      try Data("opener.command = [\"/bin/true\", \"{url}\"]".utf8).write(
        to: URL(filePath: "\(settings)/config.toml"))
      environment = CredentialCase.environment.merging([
        "HOME": folder, "TMPDIR": temporary, "PATH": "/usr/bin:/bin",
      ]) { $1 }
    }

    /// Every file that the program has written.
    func files() throws -> [(name: String, bytes: [UInt8])] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      return try names.filter { $0 != "token" && $0 != "mine.toml" }.compactMap { name in
        var isFolder: ObjCBool = false
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
        else { return nil }
        return (name, Array(try Data(contentsOf: URL(filePath: path))))
      }
    }
  }

  @Test(arguments: CredentialCase.everywhere)
  func `No file, message or screen of a run or a session contains the secret.`(
    credential: CredentialCase
  ) async throws {
    let other = try ScriptedServer { _ in .status(404) }
    let server = try ScriptedServer { Self.answer($0, credential, other: other.baseURL) }
    defer {
      server.stop()
      other.stop()
    }
    try await withFile("mine.toml", credential.source(at: server, Self.tables)) { file in
      let home = try Home(URL(filePath: file).deletingLastPathComponent().path)
      try await search(credential, home)
      try browse(credential, home)
      let files = try home.files()
      let names = Set(files.map(\.name))
      for name in [
        "pages.csv", "pages.csv.riffle", "pages.riffle", "session.riffle", "rows.csv",
      ] {
        #expect(names.contains(name), "\(names)")
      }
      #expect(names.contains { $0.hasSuffix("history.jsonl") }, "\(names)")
      for (name, bytes) in files { #expect(credential.traces(in: bytes) == [], "\(name)") }
      for request in other.requests { #expect(credential.traces(in: request) == []) }
      #expect(!credential.traces(in: server.requests.joined()).isEmpty, "the service itself got it")
    }
  }

  /// One-shot runs: all of their messages, and their files.
  private func search(_ credential: CredentialCase, _ home: Home) async throws {
    for query in Self.queries {
      let words = [
        "search", "\(home.folder)/mine.toml", query, "--all", "--trust", "--retries", "0", "-v", "--progress",
        "always", "--stats", "\(home.folder)/\(query).json", "--record", "\(home.folder)/\(query).riffle",
        "-o",
        "\(home.folder)/\(query).csv",
      ]
      let run = try await Program.run(words, environment: home.environment)
      #expect(credential.traces(in: run.output + run.errors) == [], "\(query): \(run)")
    }
    let words = [
      "search", "\(home.folder)/mine.toml", "pages", "--all", "--trust", "-o", "\(home.folder)/pages.csv",
    ]
    let again = try await Program.run(words + ["--resume", "--retries", "0"], environment: home.environment)
    #expect(again.errors.contains("401"), "\(again)")
    #expect(credential.traces(in: again.output + again.errors) == [], "\(again)")
    let dry = try await Program.run(words.dropLast(2) + ["--dry-run"], environment: home.environment)
    #expect(dry.output.hasPrefix("curl "), "\(dry)")
    #expect(credential.traces(in: dry.output + dry.errors) == [], "\(dry)")
  }

  /// A session that opens every view.
  private func browse(_ credential: CredentialCase, _ home: Home) throws {
    let terminal = try Program.onTerminal(
      [
        "\(home.folder)/mine.toml", "pages", "--trust", "--retries", "0", "--record",
        "\(home.folder)/session.riffle",
      ], columns: 200, rows: 40, environment: home.environment.map { "\($0)=\($1)" })
    #expect(terminal.shows("401"))
    for (keys, shown) in [
      ("v", "riffle"), ("J", "riffle"), ("v", "riffle"), ("L", "riffle"), ("\r", "<secret>"),
      ("qjj\r", "riffle"),
      ("qq", "riffle"), ("!", "riffle"),
      ("!", "riffle"), ("yy", "sent row"), ("yj", "sent JSON"), ("yu", "sent link"), ("o", "opened https"),
      ("r", "401"),
    ] {
      terminal.type(keys)
      #expect(terminal.shows(shown), "\(keys): \(terminal.output.suffix(2_000))")
    }
    terminal.type("w\(home.folder)/rows.csv\r!")
    #expect(terminal.shows("wrote 1 row"))
    terminal.type("!")
    for (query, word) in zip(
      Self.queries.dropFirst(), ["another origin", "HTML", "JSON", "403", "http and https", "beside"])
    {
      terminal.type("s\u{15}\(query)\r")
      #expect(terminal.shows(word), "\(query): \(terminal.output.suffix(2_000))")
      terminal.type("!")
      #expect(terminal.shows("riffle"))
      terminal.type("!L\r")
      #expect(terminal.shows("riffle"))
      terminal.type("qq")
    }
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(credential.traces(in: terminal.bytes) == [], "\(terminal.output)")
  }
}
