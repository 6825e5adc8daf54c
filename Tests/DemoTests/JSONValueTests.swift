import Testing

@testable import Demo

struct JSONValueTests {
  @Test(
    arguments: [
      (.null, "null"),
      (
        "→ \"quoted\" back\\slash \n\u{0}\u{1F}\u{7F}",
        #""→ \"quoted\" back\\slash \u000A\u0000\u001F"# + "\u{7F}\""
      ),
      (.number(1_000_000_000_000), "1000000000000"),
      (.number(-0.5), "-0.5"),
      (.number(1e300), "1e+300"),
      (.number(.infinity), "null"),
      ([], "[]"),
      ([:], "{}"),
      (["b": ["x", .null], "a": ["k": .number(1)]], #"{"b":["x",null],"a":{"k":1}}"#),
    ] as [(JSONValue, String)])
  func `A document is written without white space, with members in order.`(value: JSONValue, text: String) {
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
  }
}
