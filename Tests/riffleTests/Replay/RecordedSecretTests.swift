import Foundation
import TestSupport
import Testing

/// Recordings are meant to be shared: no credential is in them, wherever a service repeats it.
@Suite(.takesTurns, .serialized) struct RecordedSecretTests {
  private static let tables = """
    [pagination]
    type = "link"
    next = "next"
    [rows]
    path = "items"
    [[columns]]
    path = "text"
    [errors]
    message = "message"
    """

  /// Three pages whose rows, next links and errors repeat everything the service was sent.
  private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let all = request.text.inJSON
    let page =
      request.target.split(separator: "page=").dropFirst().first.flatMap { $0.first?.wholeNumberValue } ?? 1
    guard page < 3 else { return .status(500, "{\"message\": \(all)}") }
    let secret = CredentialCase.secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return .json(
      "{\"items\": [{\"text\": \(all)}], \"next\": \"/list?page=\(page + 1)&again=\(secret)\"}")
  }

  @Test(arguments: CredentialCase.all)
  func `A recording contains no credential, whatever repeats it, and can still be replayed.`(
    credential: CredentialCase
  ) async throws {
    let server = try ScriptedServer { Self.answer($0) }
    defer { server.stop() }
    try await withFile("mine.toml", credential.source(at: server, Self.tables)) { file in
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let run = try await Program.run(
        ["search", file, "x", "--all", "--trust", "--retries", "0", "--record", "\(folder)/search.riffle"],
        environment: CredentialCase.environment)
      #expect(run.status == 3)
      let terminal = try Program.onTerminal(
        [file, "x", "--trust", "--retries", "0", "--record", "\(folder)/browse.riffle"],
        columns: 200, rows: 24,
        environment: ["HOME=\(folder)"] + CredentialCase.environment.map { "\($0)=\($1)" })
      #expect(terminal.shows("500"))
      terminal.type("v")
      #expect(terminal.shows("row 1 of 2"))
      terminal.type("vq")
      #expect(terminal.ending() == .exit(0))
      #expect(!credential.traces(in: server.requests.joined()).isEmpty, "the service itself got it")
      for (name, shown) in [("search", "rows: 2"), ("browse", "2 loaded")] {
        let text = try String(contentsOfFile: "\(folder)/\(name).riffle", encoding: .utf8)
        #expect(credential.traces(in: text) == [], "\(name)")
        let replay = try await Program.run(["replay", "\(folder)/\(name).riffle"])
        #expect(replay.output.contains(shown), "\(name): \(replay)")
        #expect(replay.output.contains("500"), "\(name): \(replay)")
      }
    }
  }
}
