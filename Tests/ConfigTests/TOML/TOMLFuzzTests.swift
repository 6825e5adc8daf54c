import Config
import TestSupport
import Testing

/// Tests that any bytes are parsed to a tree or to a problem with a position.
@Suite struct TOMLFuzzTests {
  private static let seeds = [
    """
    schema = 1
    title = "a \\"quoted\\" \\u00e9"
    [request.headers]
    Accept = 'x' # comment
    params = { q = "{query}", sort.by = "é", n = [1, 2, { x = 1 }] }
    [[columns]]
    path = ["a", 'b',
      "c", ] # ]
    [columns.width]
    min = 0x10
    [[columns]]
    "odd key".'x.y' = 1979-05-27T07:32:00Z
    """,
    #"""
    text = """
    a = "1" ""\"
    """
    more = '''
    it's'''
    list = [[1.5, inf], [true], []]
    a.b.c = {}
    [a.d]
    e = 07:32:00
    """#,
  ]

  @Test(arguments: Seeds.first(2))
  func `Damaged documents are read, or refused with a position.`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 7919 &+ 1)
    let alphabet = Array("\"'[]{}=.,#\n\r \\u0a1-_é\t".utf8)
    for round in 0..<400 {
      var bytes = Array(Self.seeds[round % Self.seeds.count].utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0..<6, using: &random))
        let count = Int.random(in: 0..<3, using: &random)
        bytes.replaceSubrange(
          start..<end, with: (0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
      }
      do { _ = try TOMLDocument(bytes, file: "t") } catch {
        #expect(error.problems.allSatisfy { if case .position = $0.place { true } else { false } })
      }
    }
  }
}
