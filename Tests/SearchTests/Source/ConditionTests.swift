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
  func `A condition compares without regard to case; a list means any.`(
    test: Condition.Test, value: String?, holds: Bool
  ) throws {
    #expect(Condition(value: try ValueExpression(parsing: "message"), test: test).holds(for: value) == holds)
  }
}
