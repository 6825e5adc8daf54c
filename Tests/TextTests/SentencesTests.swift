import Testing

@testable import Text

@Suite struct SentencesTests {
  @Test(arguments: [
    ([], ""), (["a fails"], "a fails"), (["a fails", "try b"], "a fails. Try b"),
    (["is it a?", "try b"], "is it a? Try b"),
    (["a fails.", "", "3 left", "see c"], "a fails. 3 left. See c"),
  ]) func `Parts of a message are joined as sentences.`(parts: [String], message: String) {
    #expect(Sentences.joined(parts) == message)
  }
}
