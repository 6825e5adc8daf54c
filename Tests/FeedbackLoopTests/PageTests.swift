import FoundationEssentials
import Testing

/// The programs of the pages are those that the tests compile and run.
@Suite struct PageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private struct Block {
    let page: String
    /// The heading above it.
    let heading: String
    let lines: [String]
  }

  private static func files(below folder: String, named suffix: String) throws -> [URL] {
    // Without links, which are not followed.
    let folder = root.appending(path: folder).resolvingSymlinksInPath()
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
      .sorted()
      .map { folder.appending(path: $0) }
  }

  /// Lines without their indentation, which differs between a page and a program.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.drop { $0 == " " })
    }
  }

  private static func lines(of file: URL) throws -> [String] {
    var lines = lines(try String(contentsOf: file, encoding: .utf8))
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The blocks of Swift in the pages of the library.
  private static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    for page in try files(below: "Sources/FeedbackLoop", named: ".md")
      + files(below: "Sources/FeedbackLoopTesting", named: ".md")
    {
      var heading = ""
      var block: [String]?
      for line in try lines(of: page) {
        if line.hasPrefix("```"), let lines = block {
          blocks.append(Block(page: page.lastPathComponent, heading: heading, lines: lines))
          block = nil
        } else if line == "```swift" {
          block = []
        } else if block != nil {
          block?.append(line)
        } else if line.hasPrefix("#") {
          heading = String(line.drop { $0 == "#" || $0 == " " })
        }
      }
    }
    return blocks
  }

  private static func programs() throws -> [URL] {
    try ["FeedbackLoopTests", "FeedbackLoopTestingTests", "FeedbackLoopMainActorTests"].flatMap {
      try files(below: "Tests/\($0)", named: ".swift")
    }
  }

  /// Blocks below the heading "Before" are programs of other libraries.
  @Test func `Each block of a page is a part of a program that a test compiles`() throws {
    let programs = try Self.programs().map { try Self.lines(of: $0) }
    let blocks = try Self.blocks().filter { $0.heading != "Before" }
    #expect(blocks.count > 20)
    for block in blocks {
      let isFound = programs.contains { program in
        program.indices.contains { program[$0...].starts(with: block.lines) }
      }
      #expect(isFound, "\(block.page), \(block.heading): \(block.lines.first ?? "")")
    }
  }

  @Test func `Each recipe is on a page as a whole`() throws {
    let blocks = Set(try Self.blocks().map(\.lines))
    for recipe in try Self.files(below: "Tests/FeedbackLoopTests/Examples/Recipes", named: ".swift") {
      #expect(blocks.contains(try Self.lines(of: recipe)), "\(recipe.lastPathComponent)")
    }
  }

  @Test func `The page for newcomers from other libraries has a program before and after`() throws {
    let headings = try Self.blocks().filter { $0.page == "ComingFromOtherLibraries.md" }.map(\.heading)
    #expect(headings == ["Before", "After"])
  }
}
