import FoundationEssentials
import Testing

/// The rules of the library have codes, and each code is in the name of at least one test.
@Suite struct ChecklistTests {
  private static let codes: [String: ClosedRange<Int>] = [
    "O": 1...9,  // order
    "Q": 1...8,  // single query
    "S": 1...8,  // set of queries
    "X": 1...4,  // stale events
    "D": 1...5,  // stop
    "E": 1...4,  // errors
    "W": 1...5,  // waiting
    "L": 1...3,  // select and pulse
    "C": 1...4,  // concurrency
    "G": 1...3,  // guard
    "T": 1...16,  // harness
  ]
  private static let effects = [1, 3, 4, 5, 7, 8].map { "F\($0)" }
  private static let traps =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15].map { "B\($0)" } + [1, 2, 10].map { "R\($0)" } + [
      "I1", "I2", "I5", "I6",
    ]

  /// The codes at the start of the names of all tests of the library.
  private static func testedCodes() throws -> Set<String> {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var codes: Set<String> = []
    for target in ["FeedbackLoopTests", "FeedbackLoopTestingTests"] {
      // Without links, which are not followed.
      let target = folder.appending(path: target).resolvingSymlinksInPath()
      for file in try FileManager.default.subpathsOfDirectory(atPath: target.path)
      where file.hasSuffix(".swift") {
        let source = try String(contentsOf: target.appending(path: file), encoding: .utf8)
        for name in source.split(separator: "func `").dropFirst() {
          let words = name.prefix { $0 != "`" }.split(separator: " ")
          codes.formUnion(words.prefix { $0.count <= 3 && $0.last?.isNumber == true }.map(String.init))
        }
      }
    }
    return codes
  }

  @Test func `Every rule of the library has a test`() throws {
    let rules = Self.codes.flatMap { letter, numbers in numbers.map { "\(letter)\($0)" } }
    let missing = Set(rules + Self.effects + Self.traps).subtracting(try Self.testedCodes())
    #expect(missing.sorted() == [])
  }
}
