import ArgumentParser
import Demo
import Foundation
import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

/// The README says what the program does: its sessions are run, and its settings and sources checked.
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

  @Test func `The pictures that the README and the documentation show exist.`() throws {
    for page in ["README.md", "docs/README.md"] {
      let text = try RepositoryFile(path: page).text()
      let names = text.matches(of: #/[a-z-]+\.svg/#).map { "docs/\($0.0)" }
      #expect(!names.isEmpty)
      for name in names { #expect(throws: Never.self, "\(name)") { try RepositoryFile(path: name).text() } }
    }
  }
}
