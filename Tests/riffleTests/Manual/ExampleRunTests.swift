import Config
import Foundation
import Search
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Carries out the searches that help, manual and documentation show, up to their first request: with `--dry-run`, which
/// prints it, or as a plan that needs none.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct ExampleRunTests {
  /// The words of each `riffle search` and `riffle plan` with a built-in source, in order of appearance.
  private static let examples: [[String]] = {
    var texts = ["README.md", "docs/SCALE.md", "docs/PAGING.md", "docs/SOURCES.md", "CHANGELOG.md"].map {
      (try? RepositoryFile(path: $0).text()) ?? ""
    }
    func add(_ command: CommandTree) {
      texts.append(command.discussion ?? "")
      command.commands.forEach(add)
    }
    if let tree = try? CommandTree.riffle() { add(tree) }
    texts += Supplements.examples.values + Supplements.sinceLastExample.map(String.init)
    texts += [Supplements.completenessExample, Supplements.partsExample]
    var examples: [[String]] = []
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      // In prose, a command is between backticks.
      let parts = line.contains("`") ? line.split(separator: "`") : [line]
      for part in parts {
        guard let start = part.firstRange(of: /riffle (search|plan) [a-z]/)?.lowerBound else { continue }
        let words = ShellWords.words(String(part[start...].prefix { $0 != "#" && $0 != "`" }))
        if words.contains(where: { $0.contains("…") || $0.contains("SHARD") }) { continue }
        if !examples.contains(words) { examples.append(words) }
      }
    }
    return examples
  }()

  private static let dependencies = {
    var dependencies = Dependencies.live()
    dependencies.environment = ["HOME": "/dev/null"]
    return dependencies
  }()

  private static var configuration: Configuration { get throws { try Configuration(dependencies) } }

  @Test func `There are examples of all kinds.`() {
    #expect(Self.examples.count > 20)
    for option in ["--each", "--split", "--since-last"] {
      #expect(Self.examples.contains { $0.contains(option) }, "\(option)")
    }
  }

  @Test(arguments: examples)
  func `[U1] A search that the documentation shows can be run.`(words: [String]) async throws {
    let catalog = Set(BuiltInSources.documents.map(\.name))
    guard words.count > 1, catalog.contains(words[1]) else { return }
    try await withFile("x", "") { path in
      var environment = ["HOME": URL(filePath: path).deletingLastPathComponent().path]
      environment["RIFFLE_SEARCH_RETRIES"] = "0"
      var words = words
      if words[0] == "plan", words.contains("--each") || words[1] == "unicode" {
        let plan = try await Program.run(words, environment: environment)
        #expect(plan.status == 0 && plan.output.contains(words[1]), "\(words): \(plan)")
        return
      }
      for option in ["--shards", "--workers"] {
        if let place = words.firstIndex(of: option) { words.removeSubrange(place...place + 1) }
      }
      // A dry run of a list in parts requests their totals.
      if words.contains("--split") {
        #expect(try Self.configuration.entry(words[1]).source.split != nil, "\(words)")
      }
      words.removeAll { ["--json", "--count", "--split", "--dry-run", "--resume"].contains($0) }
      words[0] = "search"
      // A file of the example is not for this directory.
      if let place = words.firstIndex(where: { ["-o", "--output", "--record"].contains($0) }) {
        words.removeSubrange(place...place + 1)
      }
      let result = try await Program.run(words + ["--dry-run"], environment: environment)
      #expect(result.status == 0 && result.output.hasPrefix("curl"), "\(words): \(result)")
    }
  }

  /// The query selects the rows of the list that needs one, so no list with parents is out of reach.
  @Test func `[U1] The lists of all parents of each built-in source can be requested.`() async throws {
    let children = try Self.configuration.catalog.all().entries.filter { $0.source.parent != nil }
    #expect(children.count > 50)
    for entry in children {
      var request = try RequestOptions.unset()
      request.source = entry.source.id
      request.words = ["x"]
      var rows = try RowOptions.unset()
      (rows.each, rows.all) = (true, true)
      do { _ = try Run.lineage(request, Self.dependencies, rows: rows) } catch {
        #expect(!error.message.contains("need"), "\(entry.source.id): \(error.message)")
      }
    }
  }
}
