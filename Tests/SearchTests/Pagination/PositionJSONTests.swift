import HTTPValues
import JSON
import Testing

@testable import Search

/// A position as stored for a run that is resumed later.
@Suite struct PositionJSONTests {
  private func token(_ json: String) throws -> JSONToken {
    let document = try JSONDocument(Array(json.utf8))
    return JSONToken(document.rootNode, in: document)
  }

  private func readBack(_ position: Position) throws -> Position {
    try JSONDocument(JSONCoding.bytes(of: position)).root.decoded()
  }

  @Test func `Every kind of position survives encoding and decoding.`() throws {
    let array = try token("[1789862400000,9007199254740993,null]")
    let positions = [
      Position(ordinal: 0, value: .start), Position(ordinal: 4, value: .number(80)),
      Position(ordinal: 1, value: .token(JSONToken("a\"b\\c 日本語"))),
      Position(ordinal: 2, value: .token(array)),
      Position(ordinal: 3, value: .link(try WebURL("https://example.org/x?page=2&q=c%2B%2B"))),
      Position(
        ordinal: 5,
        value: .members([
          Position.Member(name: "sroffset", value: JSONToken(10)),
          Position.Member(name: "continue", value: JSONToken("-||")),
        ])),
      Position(
        ordinal: 6, value: .token(JSONToken(7)),
        carried: [
          Position.CarriedValue(slot: .body(["pit", "id"]), value: JSONToken("46To")),
          Position.CarriedValue(slot: .query("seed"), value: JSONToken(3)),
        ]),
    ]
    for position in positions { #expect(try readBack(position) == position) }
  }

  @Test(arguments: [
    "{}", "[]", #"{"ordinal":-1,"value":{"start":{}},"carried":[]}"#,
    #"{"ordinal":1,"value":{"number":{"_0":"x"}},"carried":[]}"#,
    #"{"ordinal":1,"value":{"link":{"_0":"no"}},"carried":[]}"#,
    #"{"ordinal":1,"value":{"number":{"_0":9223372036854775807}},"carried":[]}"#,
    #"{"ordinal":1,"value":{"start":{}},"carried":[{"slot":{"path":{"_0":"x"}},"value":"1"}]}"#,
    #"{"ordinal":1,"value":{"members":{"_0":[{"name":1,"value":"2"}]}},"carried":[]}"#,
  ]) func `Anything else is not a position.`(text: String) throws {
    let json = try JSONDocument(Array(text.utf8)).root
    #expect(throws: JSONCodingError.self) { try json.decoded(as: Position.self) }
  }
}
