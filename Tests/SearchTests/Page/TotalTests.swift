import HTTPValues
import JSON
import Testing

@testable import Search

/// The total number of rows that a response reports.
@Suite struct TotalTests {
  private func total(_ body: String, _ change: (inout RowShape) throws -> Void = { _ in }) throws -> Total? {
    var rows = RowShape(path: try JSONPath("rows"), total: try ValueExpression(parsing: "total"))
    try change(&rows)
    return try ResponsePicture(rows: rows).page(body).total
  }

  @Test(
    arguments: [
      ("52341", .exact(52341)), (#""52341""#, .exact(52341)), ("0", .exact(0)), ("-1", nil), (#""""#, nil),
      (#""1,234""#, nil), (#""+5""#, nil), ("1.5", nil), ("1e3", nil), ("null", nil), ("true", nil),
      (#"{"value": 3}"#, nil), ("[3]", nil), ("99999999999999999999", nil), (#""12 rows""#, nil),
    ] as [(String, Total?)])
  func `Rule 12: a total may be text, and anything that is not a count is not a total.`(
    value: String, expected: Total?
  ) throws {
    #expect(try total(#"{"rows": [], "total": \#(value)}"#) == expected)
  }

  @Test func `Rule 12: a total is exact, a lower bound, or an estimate.`() throws {
    func elastic(_ relation: String) throws -> Total? {
      try total(#"{"rows": [], "total": {"value": 10000, "relation": "\#(relation)"}}"#) {
        $0.total = try ValueExpression(parsing: "total.value")
        $0.totalAtLeast = Condition(
          value: try ValueExpression(parsing: "total.relation"), test: .equals(["gte"]))
      }
    }
    #expect(try elastic("gte") == .atLeast(10000))
    #expect(try elastic("eq") == .exact(10000))

    func algolia(_ flag: String) throws -> Total? {
      try total(#"{"rows": [], "total": 59380\#(flag)}"#) {
        $0.totalExact = try ValueExpression(parsing: "exhaustive")
      }
    }
    #expect(try algolia(#", "exhaustive": true"#) == .exact(59380))
    #expect(try algolia(#", "exhaustive": false"#) == .estimate(59380))
    #expect(try algolia("") == .estimate(59380))

    let early = try total(#"{"rows": [], "total": 7, "incomplete": true}"#) {
      $0.incomplete = try ValueExpression(parsing: "incomplete")
    }
    #expect(early == .estimate(7))
  }

  @Test func `A total may come from a header and applies to the response even when rows are assembled.`()
    throws
  {
    var picture = ResponsePicture(
      rows: RowShape(
        path: try JSONPath("rows"), form: .columns(.stated(["id"])), key: try ValueExpression(parsing: "id"),
        total: try ValueExpression(parsing: ["total", "header:X-Total"])))
    picture.headers = [HTTPField(received: "x-total", value: "9")]
    let page = try picture.page(#"{"rows": [[1], [2]], "total": null}"#)
    #expect(page.total == .exact(9))
    #expect(page.keys == [RowKey.hash("1"), RowKey.hash("2")])
  }
}
