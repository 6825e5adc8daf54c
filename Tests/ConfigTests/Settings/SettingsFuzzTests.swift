import Config
import TestSupport
import Testing

/// Reading a settings file always ends, and every problem has a position.
@Suite struct SettingsFuzzTests {
  private static let seed =
    """
    [sources.forge]
    options.sort = "stars"
    request.params = { q = "{query}", per = 10 }
    [sources.notes]
    enabled = false

    """ + ExampleFile(TestSchema.schema).text

  @Test(arguments: Seeds.first(1))
  func `A damaged settings file is read, or refused with the positions of its problems.`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 7919 &+ 1)
    let words = [
      "\n[keys.table]\n", "= [\"j\"]", "[sources.", "\"", "# ", "\n", "[[", " = 5\n", "{", "#5fd7d7", "é",
    ]
    for _ in 0..<100 {
      var text = Self.seed.replacing("# ", with: Bool.random(using: &random) ? "" : "# ")
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let start = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
        let end = text.index(start, offsetBy: Int.random(in: 0..<8, using: &random), limitedBy: text.endIndex)
        text.replaceSubrange(start..<(end ?? text.endIndex), with: words.randomElement(using: &random) ?? "")
      }
      for line in BrokenFiles.problems(config: text).split(separator: "\n") {
        #expect(line.hasPrefix("config.toml:"), "\(line)")
      }
    }
  }

  @Test func `At most a hundred of very many mistakes are reported.`() {
    let sources = (0..<6_000).map { "[sources.s\($0)]\n" }.joined()
    let options = (0..<6_000).map { "options.o\($0) = 1\n" }.joined()
    let keys = Array(repeating: "\"hyper-x\"", count: 6_000).joined(separator: ", ")
    for text in [sources, "[sources.forge]\n\(options)", "[keys.table]\nquit = [\(keys)]"] {
      let count = BrokenFiles.problems(config: text).split(separator: "\n").count
      #expect((1...100).contains(count))
    }
  }
}
