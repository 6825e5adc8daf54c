import Search
import Testing

@Suite struct CharsetTests {
  @Test(arguments: [
    ("a-z0-9-", "ab-9", true), ("a-z0-9-", "Ab", false), ("-a", "a-", true), ("a-", "b", false),
    ("a-z", "", true), ("あ-ん", "すし", true), ("abc", "b", true), ("--/", ".", true),
  ]) func `A character set may contain single characters, ranges, and a hyphen at either end.`(
    charset: String, text: String, expected: Bool
  ) throws {
    #expect(try Charset(charset).covers(text) == expected)
  }

  @Test(arguments: [("a-c", "a-z", true), ("a-c", "a", false), ("a-z/", "a-z", false), ("-", "a-z-", true)])
  func `A set is a subset of another if each of its ranges lies in a range of the other.`(
    charset: String, other: String, expected: Bool
  ) throws {
    #expect(try Charset(charset).isSubset(of: Charset(other)) == expected)
  }

  @Test(arguments: [("", "contains no characters"), ("z-a", "range z-a is reversed")])
  func `A set without characters is refused.`(charset: String, problem: String) {
    #expect { try Charset(charset) } throws: { error in
      "\(error)" == problem
    }
  }
}
