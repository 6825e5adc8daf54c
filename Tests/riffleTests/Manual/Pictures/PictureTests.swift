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

  // MARK: Sessions of the program

  /// What a picture shows: keys, and a text that is there before the next ones.
  private struct Session: Sendable, CustomTestStringConvertible {
    /// The name of the file in `docs`.
    let name: String
    let title: String
    let steps: [(keys: String, shown: String)]

    var testDescription: String { name }
  }

  private static let sessions = [
    Session(
      name: "columns", title: "All fields of the loaded rows, to choose columns from",
      steps: [("p", "row 1 of 60"), ("p", "Enter: details"), ("Cjj", "fields of 60 rows")]),
    Session(
      name: "json", title: "The JSON of a row, with a cursor",
      steps: [("p", "row 1 of 60"), ("p", "Enter: details"), ("v", "row 1 of 60"), ("J", "JSON")]),
    Session(
      name: "pipe", title: "Marked rows, and the output of a command that read them",
      steps: [
        ("p", "row 1 of 60"), ("p", "Enter: details"), ("xxx", "3 marked"),
        ("|grep -o '\"name\": *\"[^\"]*\"'\r", ": done"),
      ]),
  ]

  @Test(arguments: sessions) private func `A still picture shows a popup of the program.`(session: Session)
    throws
  {
    let (dark, light) = (try Self.screen(of: session, "dark"), try Self.screen(of: session, "light"))
    let picture = ScreenPicture(session.title, [ScreenPicture.Shot(dark: dark, light: light)]).svg
    let file = RepositoryFile(path: "docs/\(session.name).svg")
    let shown = (try? file.text()) ?? ""
    try file.expect(Self.steady(picture) == Self.steady(shown) ? shown : picture)
  }

  /// The sessions of the manual, on a small screen.
  private static let manual = [
    Session(
      name: "columns", title: "`C`: all fields of the loaded rows, to choose columns from.",
      steps: [("Cjj", "fields of 30 rows")]),
    Session(name: "details", title: "`v`: all fields of a row.", steps: [("v", "row 1 of 30")]),
    Session(
      name: "pipe", title: "`|`: the output of a command that read the marked rows as JSON Lines.",
      steps: [("xxx", "3 marked"), ("|grep -o '\"name\": *\"[^\"]*\"'\r", ": done")]),
  ]

  @Test func `The screens in the manual are what the program shows.`() throws {
    let screens = try Self.manual.map { session in
      let screen = try Self.screen(of: session, "plain", Size(columns: 68, rows: 12))
      let rows = screen.rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
      return "\(session.title)\n\(rows.joined(separator: "\n"))\n"
    }.joined(separator: "\n")
    let file = ManualScreens.file
    let shown = (try? file.text()) ?? ""
    try file.expect(Self.steady(screens) == Self.steady(shown) ? shown : screens)
  }

  /// The picture without what differs between runs or versions of Unicode.
  private static func steady(_ picture: String) -> String {
    picture.replacing(#/\d+\/10000 requests left, resets at \d\d:\d\d/#, with: "")
      .replacing(#/[\d,]+ found/#, with: "found").replacing(#/ (x|textLength)="[^"]*"/#, with: "")
  }

  private static func screen(
    of session: Session, _ theme: String, _ size: Size = Size(columns: 120, rows: 24)
  ) throws -> ScreenEmulator {
    let terminal = try Program.onTerminal(
      ["unicode", "chess"], columns: UInt16(size.columns), rows: UInt16(size.rows),
      environment: [
        "HOME=/dev/null", "TZ=UTC", "COLORTERM=truecolor", "TERM=xterm-256color", "LANG=C.UTF-8",
        "RIFFLE_THEME_NAME=\(theme)",
      ])
    try #require(terminal.shows("WHITE CHESS KING"))
    for (keys, shown) in session.steps {
      terminal.type(keys)
      try #require(terminal.shows(shown), "\(keys): \(screen(of: terminal, size).rows)")
    }
    // The last frame may be half written.
    var rows: [String] = []
    _ = terminal.waits(atMost: .seconds(10)) { terminal in
      defer { rows = screen(of: terminal, size).rows }
      return rows == screen(of: terminal, size).rows
    }
    let shown = screen(of: terminal, size)
    terminal.type("\u{3}\u{3}\u{3}")
    _ = terminal.ending()
    return shown
  }

  /// The last frame, before the alternate screen is left.
  private static func screen(of terminal: PseudoTerminal, _ size: Size) -> ScreenEmulator {
    let frames = terminal.output.components(separatedBy: "␛[?1049l")[0]
    var screen = ScreenEmulator(size, .codePoints)
    screen.write(Array(frames.replacing("␛", with: "\u{1B}").utf8))
    return screen
  }
}

/// The screens of the manual: for each, a sentence and its lines, and a blank line after them.
enum ManualScreens {
  static let file = RepositoryFile(path: "Tests/riffleTests/Manual/Pictures/screens.txt")
  /// The lines of a screen below its sentence.
  private static let rowCount = 12

  static func all() throws -> [(sentence: String, rows: [Substring])] {
    let lines = try file.text().split(separator: "\n", omittingEmptySubsequences: false)
    return stride(from: 0, to: lines.count - rowCount, by: rowCount + 2).map { start in
      (String(lines[start]), Array(lines[start + 1...start + rowCount]))
    }
  }
}
