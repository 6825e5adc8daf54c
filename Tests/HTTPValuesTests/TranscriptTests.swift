import Testing

@testable import HTTPValues

/// Tests the beginning of a response's body, as the request log shows it.
@Suite struct TranscriptTests {
  private func body(
    _ bytes: [UInt8], _ redacted: (String) -> String = { $0 }
  ) throws -> Transcript.Body {
    let url = try WebURL("https://api.example.org/")
    let response = HTTPResponse(status: 200, headers: [], body: bytes, url: url)
    return try #require(Transcript(HTTPRequest(url: url), response, redacted).body)
  }

  @Test(arguments: [
    ("", ""), (#"{"a":[1,{}],"b":"x\u00e9, y"}"#, "{|  \"a\": [|    1,|    {}|  ],|  \"b\": \"xé, y\"|}"),
    // The service did not send all of it.
    (#"{"a":["x y"#, "{|  \"a\": [|    \"x y"), (#"["a\"b\"#, #"[|  "a\"b\"#), ("[{", "[|  {|    "),
    ("[error] no such  list\nat all\r\n", "[error] no such  list|at all|"),
    ("<p>a, b</p>", "<p>a, b</p>"), ("a,b\n1,2", "a,b|1,2"), ("{}\n{}", "{}|{}"),
  ]) func `[52] JSON is indented, and other text is shown by its lines.`(text: String, lines: String) throws {
    let body = try body(Array(text.utf8))
    #expect(body.lines.joined(separator: "|") == lines)
    #expect(!body.isCut)
  }

  @Test func `[52] Of a long body, the first 64 KiB are kept, which end with a whole character.`() throws {
    for (before, rest) in [(Transcript.maxBody, 0), (Transcript.maxBody - 2, 3), (Transcript.maxBody - 1, 3)]
    {
      let body = try body(
        Array(String(repeating: "a", count: before).utf8) + Array("é".utf8.prefix(rest)) + Array("z".utf8))
      #expect(body.isCut)
      #expect(body.lines.allSatisfy { $0.allSatisfy { $0 == "a" || $0 == "é" } })
      #expect(Transcript.maxBody - 2...Transcript.maxBody ~= body.lines.joined().utf8.count)
    }
    let list = "[\(String(repeating: "123456,", count: 20_000))0]"
    let body = try body(Array(list.utf8))
    #expect(body.isJSON && body.isCut)
    #expect(body.lines.prefix(3) == ["[", "  123456,", "  123456,"])
    #expect(body.size > Transcript.maxBody)
  }

  @Test func `[52] Secrets are removed before lines are broken, and a secret that is cut is marked as cut.`()
    throws
  {
    #expect(
      try body(Array(#"{"a":"topsecret"}"#.utf8)) { $0.replacing("topsecret", with: "<secret>") }.lines
        == ["{", #"  "a": "<secret>""#, "}"])
    let long = String(repeating: "a", count: Transcript.maxBody - 4) + "topsecret"
    let body = try body(Array(long.utf8)) { $0.replacing("tops…", with: "<secret>…") }
    #expect(body.lines.first?.hasSuffix("a<secret>") == true)
  }
}
