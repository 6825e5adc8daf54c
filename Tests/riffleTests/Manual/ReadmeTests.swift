import ArgumentParser
import Demo
import Foundation
import Terminal
import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

/// The README says what the program does: its sessions are run, its sources loaded and its screen drawn.
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
          home: home, names: ["http://127.0.0.1:8000": server.baseURL, "~/": "\(home)/"])
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
      #expect(throws: Never.self, "\(line)") { _ = try Riffle.parseAsRoot(words) }
    }
  }

  @Test func `The source in the README is valid.`() async throws {
    for text in try blocks("toml") {
      try await withFile("example.toml", text) { path in
        let result = try await Program.run(["sources", "check", path])
        #expect(result.status == 0, "\(result.errors)")
      }
    }
  }

  @Test func `The screen in the README is what a session shows.`() throws {
    let text = try Self.file.text()
    let begin = "<!-- The screen: made by ReadmeTests. -->\n```\n"
    let start = try #require(text.range(of: begin))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    let shown = String(text[start.upperBound..<end.lowerBound])
    let picture = try Self.picture()
    try Self.file.expect(
      text.replacingCharacters(
        in: start.upperBound..<end.lowerBound,
        with: Self.steady(picture) == Self.steady(shown) ? shown : picture))
  }

  /// The screen without the parts that differ between runs or Unicode versions.
  private static func steady(_ picture: String) -> String {
    picture.replacing(/\d+\/10000 requests left, resets at \d\d:\d\d/, with: "").replacing(
      /\d+ found/, with: "found"
    )
    .split(separator: "\n").map { line in line.split(separator: " ").joined(separator: " ") }
    .joined(separator: "\n")
  }

  private static func picture() throws -> String {
    let size = Size(columns: 92, rows: 14)
    let terminal = try PseudoTerminal(
      "riffle", arguments: ["unicode", "chess"], columns: UInt16(size.columns),
      rows: UInt16(size.rows), environment: ["HOME=/dev/null", "TZ=UTC"])
    try #require(terminal.shows("of 30 loaded"))
    terminal.type("jjjj")
    try #require(
      terminal.waits(atMost: .seconds(90)) { screen(of: $0, size).contains { $0.hasPrefix("▌  ♘") } })
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    return screen(of: terminal, size).map { "\($0)\n" }.joined()
  }

  /// The last frame, before the alternate screen is left.
  private static func screen(of terminal: PseudoTerminal, _ size: Size) -> [String] {
    let frames = terminal.output.components(separatedBy: "␛[?1049l")[0]
    var screen = ScreenEmulator(size, .codePoints)
    screen.write(Array(frames.replacing("␛", with: "\u{1B}").utf8))
    return screen.rows.map { row in row.reversed().drop { $0 == " " }.reversed().map(String.init).joined() }
  }
}
