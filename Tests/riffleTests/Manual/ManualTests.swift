import ArgumentParser
import Foundation
import Output
import Pager
import Search
import TestSupport
import Testing

@testable import App
@testable import Config
@testable import riffle

/// The manual says what the program does: its pages are generated from the tables, and nothing is missing.
@Suite(.takesTurns, .serialized) struct ManualTests {
  @Test func `The pages in the repository are current, and there are no others.`() throws {
    let pages = try ManualPages.all()
    for (name, text) in pages { try RepositoryFile(path: "man/\(name)").expect(text) }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: RepositoryFile(path: "man").url.path)
    #expect(Set(names) == Set(pages.keys))
  }

  @Test func `The page of security guarantees and their tests is current.`() throws {
    try RepositoryFile(path: "docs/SECURITY.md").expect(SecurityDocument.text)
  }

  @Test func `The table of built-in sources is current.`() throws {
    try RepositoryFile(path: "docs/SOURCES.md").expect(SourcesDocument.text())
  }

  @Test func `Every option of every command is documented.`() throws {
    let riffle = try CommandTree.riffle()
    let text = try read(riffle.commands.map { "riffle-\($0.commandName).1" } + ["riffle.1"])
    for option in riffle.allOptions.subtracting(["-h", "--help"]) {
      #expect(text.contains(option), "\(option)")
    }
  }

  @Test func `Every setting, variable, action, role, theme and format is documented.`() throws {
    let config = try read(["riffle-config.5"])
    for setting in SettingsSchema.program.settings {
      #expect(config.contains(setting.name), "\(setting.key)")
      if let variable = setting.variable { #expect(config.contains(variable), "\(variable)") }
    }
    for action in Pager.Actions.all {
      #expect(config.contains("\n\(action.name)\n"), "\(action.name)")
      for key in action.keys.values.joined() { #expect(config.contains(key), "\(key)") }
    }
    for theme in ThemePalette.all { #expect(config.contains(theme.name)) }
    let search = try read(["riffle-search.1"])
    for format in OutputFormats.all { #expect(search.contains(format.name), "\(format.name)") }
    let sources = try read(["riffle-sources.5"])
    for format in ColumnFormat.all { #expect(sources.contains("\n\(format.name)\n"), "\(format.name)") }
    for style in PaginationStyles.all {
      #expect(!style.meaning.isEmpty, "\(style.name)")
    }
  }

  /// The other tables are read by their descriptions.
  @Test(arguments: AuthSchemes.all.map(\.name))
  func `Every key of a credential is documented, and no others.`(type: String) throws {
    let keys =
      ["type", "optional", "benefit", "help", "hosts", "account"] + AuthSchemes.keys.sorted() + ["zzqxzzqx"]
    let table = try #require(SourceDecoder.tables.first { $0.title == "[auth]" })
    #expect(Set(table.keys.map(\.name)) == Set(keys.dropLast()))
    let lines = keys.filter { $0 != "type" }.map { "\($0) = 1" }
    let text = "[auth]\ntype = \"\(type)\"\n" + lines.joined(separator: "\n")
    do throws(ConfigError) {
      _ = try SourceDecoder.source(TOMLDocument(text, file: "probe"))
      Issue.record("no problem")
    } catch {
      let unknown = error.problems.filter { $0.message.hasPrefix("unknown setting") }
      #expect(unknown.map(\.key) == ["zzqxzzqx"])
    }
  }

  /// Searches the sources of the program for environment variables, so that none is read without being documented.
  @Test func `Every environment variable is documented.`() throws {
    let manual = try read(["riffle.1"])
    let folder = RepositoryFile(path: "Sources").url
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var count = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /nvironment\["([A-Za-z_]+)"\]/) {
        #expect(manual.contains(match.1), "\(match.1) of \(file.lastPathComponent)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test func `The example sources and settings of the manual are valid.`() async throws {
    for example in WorkedExamples.all {
      try await withFile("example.toml", example.text) { path in
        let result = try await Program.run(["sources", "check", path])
        #expect(result.status == 0, "\(example.title): \(result.errors)")
      }
    }
    try await withFile("config.toml", ConfigPage.example) { path in
      let result = try await Program.run(["config", "check", path])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test(arguments: Supplements.examples.sorted { $0.key < $1.key })
  func `The example sessions of the manual give the output shown.`(command: String, text: String) async throws
  {
    let session = ConsoleSession(text)
    #expect(!session.steps.isEmpty)
    #expect(try await session.played() == session)
  }

  @Test func `Every command shown in help can be parsed.`() throws {
    func check(_ command: CommandTree) throws {
      for line in (command.discussion ?? "").split(separator: "\n") where line.hasPrefix("  riffle ") {
        let words = ShellWords.words(String(line))
        #expect(throws: Never.self, "\(line)") { _ = try ParsedCommands.command(words) }
      }
      for sub in command.commands { try check(sub) }
    }
    try check(try CommandTree.riffle())
  }

  /// The pages as a reader sees them, without requests and escapes.
  private func read(_ names: [String]) throws -> String {
    try names.map { name in
      try RepositoryFile(path: "man/\(name)").text()
        .replacing("\\fB\\%", with: "").replacing("\\fP", with: "").replacing("\\-", with: "-")
        .replacing("\\e", with: "\\").replacing("\\(ti", with: "~").replacing("\\(dq", with: "\"")
        .replacing("\\(ha", with: "^").replacing("\\(aq", with: "'")
    }.joined()
  }
}
