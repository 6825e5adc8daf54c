import Demo
import Foundation
import Terminal
import TestSupport
import Testing
import Text

/// The pictures in `docs` are what the program shows. `RIFFLE_WRITE=1 swift test --filter PictureTests` draws them
/// again; look at them before you commit them.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct PictureTests {
  /// The session of the moving picture.
  private static func film(_ session: inout ScriptedSession) async throws {
    session.caption = "$ riffle github"
    try await session.rest(1.2)
    session.caption = "Type: rows appear when you pause."
    try await session.type("terminal ui")
    try await session.settle()
    try await session.rest(1.5)
    session.caption = "Scroll: the next page loads before you need it."
    try await session.press("enter down down down", for: 0.3)
    try await session.press("space", for: 1.8)
    try await session.press("space", for: 1.8)
    try await session.settle()
    session.caption = "A page fails: riffle tries again, and keeps the rows it has."
    try await session.press("space", for: 1.2)
    try await session.press("space", for: 1.2)
    try await session.settle()
    try await session.rest(1)
    session.caption = "The service limits requests: riffle waits until it may go on."
    try await session.press("space space", for: 0.8)
    try await session.settle()
    try await session.rest(0.8)
    session.caption = "Enter: all fields of a row"
    try await session.press("g", for: 0.6)
    try await session.press("enter", for: 1.8)
    try await session.press("down down down", for: 0.3)
    try await session.press("esc", for: 0.5)
    session.caption = "&: filter the loaded rows"
    try await session.press("&", for: 0.5)
    try await session.type("swift")
    try await session.rest(0.5)
    try await session.press("enter", for: 1.4)
    session.caption = "w: write them to a file"
    try await session.press("w", for: 0.5)
    try await session.type("~/swift.csv")
    try await session.press("enter", for: 3)
  }

  /// The same session with a dark and a light theme.
  private static func shots(
    _ source: String, _ query: String = "", columns: Int, rows: Int,
    failing failures: [MadeUpGitHub.Failure] = [],
    _ play: (inout ScriptedSession) async throws -> Void
  ) async throws -> [ScreenPicture.Shot] {
    var played: [[ScriptedSession.Shot]] = []
    for theme in ["dark", "light"] {
      try await withFile("x", "") { path in
        var session = try ScriptedSession(
          source, query: query, theme: theme, columns: columns, rows: rows,
          home: URL(filePath: path).deletingLastPathComponent().path,
          MadeUpGitHub(from: ScriptedSession.start, failing: failures))
        try await play(&session)
        played.append(session.shots)
      }
    }
    try #require(played[0].map(\.seconds) == played[1].map(\.seconds))
    return zip(played[0], played[1]).map { dark, light in
      ScreenPicture.Shot(
        dark: ScreenEmulator(dark.frame), light: ScreenEmulator(light.frame), caption: dark.caption,
        seconds: dark.seconds)
    }
  }

  @Test func `The moving picture shows a search with failures, from the first key to a file.`() async throws {
    let shots = try await Self.shots(
      "github", columns: 100, rows: 24,
      failing: [
        MadeUpGitHub.Failure(page: 4, status: 503, message: "Service unavailable", wait: 2),
        MadeUpGitHub.Failure(
          page: 5, status: 429, message: "API rate limit exceeded", wait: 5, isLimit: true),
      ], Self.film)
    let text = shots.map { $0.dark.rows.joined(separator: "\n") }
    for shown in ["terminal ui", "1,284 found", "503", "rate limit", "wrote "] {
      #expect(text.contains { $0.contains(shown) }, "\(shown)")
    }
    let still = try #require(shots.lastIndex { $0.caption.hasPrefix("Scroll") })
    let picture = ScreenPicture("A search on GitHub with riffle", shots, still: still).svg
    #expect(picture.utf8.count < 300_000)
    try RepositoryFile(path: "docs/search.svg").expect(picture)
  }

  @Test func `A still picture shows a list with stars and dates.`() async throws {
    let shots = try await Self.shots("github", "terminal ui", columns: 100, rows: 24) { session in
      try await session.settle()
      try await session.press("l [ j x j j x", for: 0)
      try await session.rest(1)
    }
    try RepositoryFile(path: "docs/list.svg").expect(
      ScreenPicture("Repositories on GitHub, sorted by stars", shots.suffix(1)).svg)
  }

  @Test func `A still picture shows a preview beside a wide table.`() async throws {
    let shots = try await Self.shots("github", "terminal ui", columns: 160, rows: 30) { session in
      try await session.settle()
      try await session.press("j j j", for: 0)
      try await session.rest(1)
    }
    try RepositoryFile(path: "docs/preview.svg").expect(
      ScreenPicture("Repositories on GitHub, with the fields of one beside them", shots.suffix(1)).svg)
  }

  @Test func `A still picture shows how a source is added.`() async throws {
    let server = try await DemoServer.start()
    let (host, address) = ("http://127.0.0.1:8000", "/characters?q=chess&per_page=20")
    let messages = try await withFile("x", "") { path in
      let home = URL(filePath: path).deletingLastPathComponent().path
      let result = try await Program.run(
        ["add", "--name", "chess", server.baseURL + address],
        environment: ["HOME": home, "CLICOLOR_FORCE": "1"])
      #expect(result.status == 0, "\(result)")
      return result.errors.replacing(server.baseURL, with: host).replacing(home, with: "/home/you")
    }
    try await server.stop()
    let lines =
      ["$ riffle add --name chess '\(host)\(address)' > /dev/null"]
      + messages.split(separator: "\n").map(String.init)
    var screen = ScreenEmulator(Size(columns: 100, rows: lines.count), .clusters)
    screen.write(Array("\u{1B}[?25l".utf8))
    for (row, line) in lines.enumerated() { screen.write(Array("\u{1B}[\(row + 1);1H\(line)".utf8)) }
    try RepositoryFile(path: "docs/add.svg").expect(
      ScreenPicture(
        "riffle add writes a source from a URL", [ScreenPicture.Shot(dark: screen, light: screen)]
      ).svg)
  }
}
