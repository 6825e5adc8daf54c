import HTTPValues
import JSON
import Testing

@testable import Search

@Suite struct ConditionTests {
  @Test(
    arguments: [
      (Condition.Test.equals(["Rate_Limited", "x"]), "rate_limited", true), (.equals(["x"]), "xx", false),
      (.contains(["secondary rate"]), "a Secondary Rate limit", true), (.contains(["abuse"]), nil, false),
      (.startsWith(["http"]), "HTTPS", true), (.startsWith(["s"]), "https", false), (.exists(true), "", true),
      (.exists(true), nil, false), (.exists(false), nil, true),
    ] as [(Condition.Test, String?, Bool)])
  func `A condition ignores case, and a list matches any of its values.`(
    test: Condition.Test, value: String?, holds: Bool
  ) throws {
    #expect(Condition(value: try ValueExpression(parsing: "message"), test: test).holds(for: value) == holds)
  }

  @Test(arguments: [
    ("true", true), ("false", false), ("null", false), ("1", true), ("0", false), ("-0.0", false),
    ("0.5", true),
    ("-1", true), ("1e-400", false), (#""true""#, true), (#""TRUE""#, true), (#""yes""#, true),
    (#""1""#, true),
    (#""false""#, false), (#""0""#, false), (#""no""#, false), (#""""#, false), (#""off""#, false),
    (#""n""#, false),
    (#""null""#, false), (#""nan""#, false), (#""infinity""#, false), (#""abc""#, false), (#""0x1""#, false),
    ("[true]", false), ("{}", false), (#"{"a": true}"#, false), ("[]", false),
  ]) func `[D34] Only true, yes and numbers other than 0 are true.`(value: String, isTrue: Bool) throws {
    let response = ResponseValues(
      document: try JSONDocument(Array("{\"more\": \(value)}".utf8)), headers: [],
      url: try WebURL("https://example.org/"))
    #expect(response.isTrue(try ValueExpression(parsing: "more")) == isTrue)
    #expect(!response.isTrue(try ValueExpression(parsing: "missing")))
  }
}
