import ArgumentParser
import Config
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Search
@testable import riffle

/// The catalog against the documented shapes of its services.
@Suite(.takesTurns, .timeLimit(.minutes(2))) struct WalkTests {
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".walk") }.map { String($0.dropLast(5)) }.sorted()
  }()

  private static let folder = RepositoryFile(path: "Tests/riffleTests/Walks").url

  /// The command of a walk. Of commands that differ only in what is searched for, one is parsed: this takes longer than
  /// a walk.
  @Sendable private static func command(_ words: [String]) throws -> any ParsableCommand {
    var rest = words.dropFirst(2)
    var (options, query, choices) = ([String](), [String](), [NameValue]())
    while let word = rest.popFirst() {
      switch word {
      case "--set":
        let pair = (rest.popFirst() ?? "").split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        choices.append(NameValue(name: String(pair[0]), value: String(pair[1])))
      case "--page-size", "-f", "-n", "--columns", "--config", "--progress":
        options += [word, rest.popFirst() ?? ""]
      case _ where word.hasPrefix("-"): options.append(word)
      default: query.append(word)
      }
    }
    var command = try #require(try ParsedCommands.command(["search", "unicode"] + options) as? SearchCommand)
    (command.request.source, command.request.words, command.request.set) = (words[1], query, choices)
    return command
  }

  @Test(arguments: names)
  func `A list is walked with the documented requests, to its end, without a warning.`(name: String)
    async throws
  {
    let walk = Walk(
      try String(contentsOf: Self.folder.appendingPathComponent("\(name).walk"), encoding: .utf8))
    #expect(walk.words.first == "search" && walk.words.dropFirst().first == name && !walk.exchanges.isEmpty)
    let conversation = Conversation(walk)
    let settings = walk.settings.joined(separator: "\n")
    let result = try await withFile("config.toml", settings) { file in
      let home = (file as NSString).deletingLastPathComponent
      return try await Program.run(
        walk.words + ["--progress", "never"] + (settings.isEmpty ? [] : ["--config", file]),
        environment: walk.environment.merging(["XDG_STATE_HOME": home]) { $1 }, over: conversation.transport,
        parse: Self.command)
    }
    #expect(conversation.differences == [])
    #expect(result == Program.Result(status: 0, output: walk.rows, errors: ""))
  }
}
