import FeedbackLoopTesting
import Testing

@Suite struct ValueDescriptionTests {
  private struct Row: Hashable {
    var name: String
    var stars: Int?
  }

  private enum Load: Hashable {
    case idle
    case page(Int)
    case retry(of: Int, attempt: Int)
    case row(Row)
  }

  private struct Screen {
    var rows: [Row] = []
    var load = Load.idle
    var counts: [String: Int] = [:]
    var marks: Set<Int> = []
  }

  @Test(
    arguments: [
      ("text", "\"text\""),
      (7, "7"),
      (Int?.none as any Sendable, "nil"),
      (Int?.some(7) as any Sendable, "7"),
      ([1, 2], "[1, 2]"),
      ([] as [Int], "[]"),
      (Load.idle, ".idle"),
      (Load.page(2), ".page(2)"),
      (Load.retry(of: 2, attempt: 3), ".retry(of: 2, attempt: 3)"),
      (Load.row(Row(name: "a", stars: 1)), ".row(Row(name: \"a\", stars: 1))"),
      (Row(name: "a", stars: nil), "Row(name: \"a\", stars: nil)"),
      (["b": 2, "a": 1], "[\"a\": 1, \"b\": 2]"),
      (Set([3, 1, 2]), "[1, 2, 3]"),
      ((1, "a") as (Int, String), "(1, \"a\")"),
      (Duration.seconds(2), "2.0 seconds"),
    ] as [(any Sendable, String)])
  func `A value is described in one line`(value: any Sendable, line: String) {
    #expect(ValueDescription.line(value) == line)
  }

  @Test func `A large value has one line for each part that does not fit on one`() {
    let screen = Screen(
      rows: [
        Row(name: String(repeating: "long ", count: 12), stars: 1),
        Row(name: "short", stars: nil),
      ],
      load: .page(2), counts: ["b": 1, "a": 2], marks: [2, 1])
    #expect(
      ValueDescription(screen).lines.joined(separator: "\n") == """
        Screen(
          rows: [
            Row(
              name: "long long long long long long long long long long long long ",
              stars: 1
            ),
            Row(name: "short", stars: nil)
          ],
          load: .page(2),
          counts: ["a": 2, "b": 1],
          marks: [1, 2]
        )
        """)
  }

  @Test func `A text of several lines has one line for each, as in a literal`() {
    struct Draft {
      var title = "one line"
      var text = "a \"quoted\" word\n\n\ttab\r\nend"
    }
    #expect(
      ValueDescription(Draft()).lines.joined(separator: "\n") == #"""
        Draft(
          title: "one line",
          text: """
            a "quoted" word
            
            \ttab\r
            end
            """
        )
        """#)
    #expect(ValueDescription.line("a\nb") == #""a\nb""#)
    #expect(ValueDescription.line(["a\nb": "c\nd"]) == #"["a\nb": "c\nd"]"#)
  }

  @Test func `A difference of texts shows which of their lines differ`() {
    let poem = "one\ntwo\nthree\nfour\nfive\nsix"
    #expect(
      Difference(expected: Row(name: poem, stars: 1), actual: Row(name: poem + "\nseven", stars: 1))
        .description == #"""
              …
                  five
                  six
            +     seven
                  """,
                stars: 1
              )
          """#)
  }

  @Test func `A description of several lines is compared line by line`() {
    struct Table: CustomStringConvertible {
      let description: String
    }
    #expect(
      Difference(expected: [Table(description: "a\nb")], actual: [Table(description: "a\nc")]).description
        == """
            [
              a
          −   b
          +   c
            ]
        """)
  }

  @Test func `The description of a value that contains itself is cut off`() {
    final class Node { var next: Node? }
    let node = Node()
    node.next = node
    #expect(ValueDescription.line(node).contains("…"))
  }

  @Test func `A difference shows what differs, with two lines of context`() {
    let numbers = Screen(
      rows: (1...9).map { (row: Int) in Row(name: "\(row) " + String(repeating: "x", count: 50), stars: row) }
    )
    var changed = numbers
    changed.rows[4].stars = 0
    changed.rows.append(Row(name: "new", stars: nil))
    let difference = Difference(expected: numbers, actual: changed).description
    #expect(difference.contains("  −       stars: 5\n  +       stars: 0\n"))
    #expect(difference.contains("  +     Row(name: \"new\", stars: nil)\n"))
    #expect(difference.contains("    …\n"))
    #expect(!difference.contains("stars: 3"))
  }

  @Test func `Values with equal descriptions are compared part by part`() {
    struct Alike: CustomStringConvertible {
      var hidden: Int
      let description = "alike"
    }
    #expect(
      Difference(expected: Alike(hidden: 1), actual: Alike(hidden: 2)).description.contains("−   hidden: 1"))
    struct Blank {}
    #expect(
      Difference(expected: Blank(), actual: Blank()).description
        == "  (the values are not equal, but print the same)")
  }
}
