import Config
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Search
@testable import riffle

/// The catalog against the documented shapes of its services.
@Suite(.takesTurns) struct WalkTests {
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".walk") }.map { String($0.dropLast(5)) }.sorted()
  }()

  private static let folder = RepositoryFile(path: "Tests/riffleTests/Walks").url

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
        walk.words + (settings.isEmpty ? [] : ["--config", file]),
        environment: walk.environment.merging(["XDG_STATE_HOME": home]) { $1 }, over: conversation.transport)
    }
    #expect(conversation.differences == [])
    // A service may ask for pauses.
    let warnings = result.errors.replacing(/riffle: next page in \d+ s \(Ctrl-C: stop\)\n/, with: "")
    #expect(
      Program.Result(status: result.status, output: result.output, errors: warnings)
        == Program.Result(status: 0, output: walk.rows, errors: ""))
  }
}
