import ArgumentParser
import Demo
import Foundation
import Terminal
import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

/// The README says what the program does: its sessions are run, its settings and sources checked and its screen drawn.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct ReadmeTests {
  private static let file = RepositoryFile(path: "README.md")

  /// The contents of the code blocks in this language.
  private func blocks(_ language: String) throws -> [String] {
    try Self.file.text().components(separatedBy: "```").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) && $0.element.hasPrefix("\(language)\n") }
      .map { String($0.element.dropFirst(language.count + 1)) }
  }

  /// The embedded server replaces the one that the text starts.
  @Test func `The sessions of the README give the output shown, in an empty home folder.`() async throws {
    let server = try await DemoServer.start()
    try await withFile("x", "") { path in
      let home = URL(filePath: path).deletingLastPathComponent().path
      let sessions = try blocks("console").map { ConsoleSession($0) }
      #expect(sessions.count > 2)
      for session in sessions {
        let played = try await session.played(
          home: home, names: ["http://127.0.0.1:8000": server.baseURL, "/home/you/": "\(home)/"])
        #expect(played.description == session.description)
      }
    }
    try await server.stop()
  }

  @Test func `The other commands of the README can be parsed.`() throws {
    let lines = try blocks("sh").flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("riffle ") }
    #expect(lines.count > 4)
    for line in lines where !line.contains("--generate-completion-script") {
      let words = ShellWords.words(String(line))
      #expect(throws: Never.self, "\(line)") { _ = try ParsedCommands.command(words) }
    }
  }

  /// A source starts with its schema; any other document is a settings file.
  @Test func `The settings and sources in the README are valid.`() async throws {
    let texts = try blocks("toml")
    #expect(!texts.isEmpty)
    for text in texts {
      let command = text.hasPrefix("schema = ") ? "sources" : "config"
      try await withFile("example.toml", text) { path in
        let result = try await Program.run([command, "check", path])
        #expect(result.status == 0, "\(result.errors)")
      }
    }
  }

  /// What a picture shows: keys, and a text that is there before the next ones.
  private struct Session: Sendable, CustomTestStringConvertible {
    /// The file in `docs` without the name of the theme.
    let file: String
    let steps: [(keys: String, shown: String)]

    var testDescription: String { file }
  }

  private static let sessions = [
    Session(
      file: "screen", steps: [("p", "row 1 of 60"), ("/knight\r", "match 1 of ")]),
    Session(
      file: "columns",
      steps: [
        ("p", "row 1 of 60"), ("p", "Enter: details"), ("C", "fields of 60 rows"),
        ("jj", "fields of 60 rows"),
      ]),
    Session(
      file: "details",
      steps: [("p", "row 1 of 60"), ("p", "Enter: details"), ("v", "row 1 of 60"), ("J", "JSON")]),
    Session(
      file: "pipe",
      steps: [
        ("p", "row 1 of 60"), ("p", "Enter: details"), ("xxx", "3 marked"),
        ("|grep -o '\"name\": *\"[^\"]*\"'\r", ": done"),
      ]),
  ]

  @Test(arguments: sessions, [("dark", ScreenPicture.Colors.dark), ("light", .light)])
  private func `The pictures in the README are what a session shows.`(
    session: Session, theme: (name: String, colors: ScreenPicture.Colors)
  ) throws {
    let file = RepositoryFile(path: "docs/\(session.file)-\(theme.name).svg")
    let readme = try Self.file.text()
    #expect(readme.contains("docs/\(session.file)-\(theme.name).svg"))
    let picture = ScreenPicture(try Self.screen(of: session, theme: theme.name), theme.colors).svg
    let shown = (try? file.text()) ?? ""
    try file.expect(Self.steady(picture) == Self.steady(shown) ? shown : picture)
  }

  /// The picture without the parts that differ between runs or Unicode versions.
  private static func steady(_ picture: String) -> String {
    picture.replacing(/>\d+\/10000 requests left, resets at \d\d:\d\d</, with: "").replacing(
      /[\d,]+ found/, with: "found"
    ).replacing(#/ (x|textLength)="[^"]*"/#, with: "")
  }

  private static func screen(of session: Session, theme: String) throws -> ScreenEmulator {
    let size = Size(columns: 120, rows: 24)
    let terminal = try Program.onTerminal(
      ["unicode", "chess"], columns: UInt16(size.columns), rows: UInt16(size.rows),
      environment: [
        "HOME=/dev/null", "TZ=UTC", "COLORTERM=truecolor", "TERM=xterm-256color",
        "RIFFLE_THEME_NAME=\(theme)",
      ])
    // Each step is over before the next: what a key does depends on the pages that are there.
    try #require(terminal.shows("of 60 loaded"))
    for (keys, shown) in session.steps {
      terminal.type(keys)
      try #require(terminal.shows(shown), "\(keys): \(text(of: terminal, size).joined(separator: "\n"))")
    }
    // The last frame may be half written.
    var texts: [String] = []
    while texts != text(of: terminal, size) {
      texts = text(of: terminal, size)
      Thread.sleep(forTimeInterval: 0.3)
    }
    let screen = screen(of: terminal, size)
    terminal.type("\u{3}\u{3}\u{3}")
    _ = terminal.ending()
    return screen
  }

  private static func text(of terminal: PseudoTerminal, _ size: Size) -> [String] {
    screen(of: terminal, size).rows.map { $0.map(String.init).joined() }
  }

  /// The last frame, before the alternate screen is left.
  private static func screen(of terminal: PseudoTerminal, _ size: Size) -> ScreenEmulator {
    let frames = terminal.output.components(separatedBy: "␛[?1049l")[0]
    var screen = ScreenEmulator(size, .codePoints)
    screen.write(Array(frames.replacing("␛", with: "\u{1B}").utf8))
    return screen
  }
}
