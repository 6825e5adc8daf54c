import HTTPValues
import JSON
import Testing

@testable import Config
@testable import Search

/// Tests the table `[split]`: its mistakes, and the requests for a part.
@Suite struct SplitTests {
  private static let start = """
    schema = 1
    id = "mine"
    request = { url = "https://api.example.org/list", params = { q = "{query}", since = "1970" } }
    options.sort.values = ["new", "top"]
    pagination = { type = "page", param = "page", cap = { rows = 1000 } }
    rows = { path = "items", id = "id", total = "total" }
    [split]
    """
  private static let usual = "by = \"created\"\nbegin = \"2008-01-01\"\n"
  private static let params = "params = { since = \"{from}\", until = \"{to}\" }"

  @Test(arguments: [
    ("\(usual)\(params)", "fine"),
    ("\(usual)\(params)\norder = \"newest\"\norder_with = { sort = \"new\" }", "fine"),
    ("by = \"id\"\nunit = \"integer\"\nbegin = 1\nend = 9\n\(params)", "fine"),
    (
      "begin = \"2008-01-01\"\n\(params)",
      "7:1: [split] by: missing (the name of the field, like \"created\")"
    ),
    (
      "by = \"a\"\n\(params)",
      "7:1: [split] begin: missing (the smallest value of the field, like \"2008-01-01\")"
    ),
    (
      "\(usual)unit = \"month\"\n\(params)",
      "10:8: [split] unit: expected one of \"second\", \"day\", \"integer\", found \"month\""
    ),
    (
      "by = \"a\"\nbegin = \"soon\"\n\(params)",
      "9:9: [split] begin: expected a date or a time like \"2008-01-01\", found \"soon\""
    ),
    (
      "by = \"a\"\nunit = \"integer\"\nbegin = 1\n\(params)",
      "9:8: [split] unit: integers need an end. Set it to the largest value of the field"
    ),
    ("\(usual)end = \"2007-01-01\"\n\(params)", "10:7: [split] end: is before begin"),
    (
      "\(usual)params = { since = \"{from}\" }",
      "10:10: [split] params: expected parameters with {from} and {to}"
    ),
    (
      "\(usual)params = { since = \"{from}\", until = \"{end}\" }",
      "10:38: [split.params] until: unknown placeholder {end}. To make it an option, add [options.end]. Others are query, page_size, app, version, homepage, from, to, sort, today, now"
    ),
    (
      "\(usual)\(params)\norder = \"newest\"\norder_with = { sorting = \"new\" }",
      "12:14: [split] order_with: \"sorting\" is no option of this source"
    ),
  ]) func `A mistake is reported where it is.`(_ lines: String, _ expected: String) {
    let problems = problems("\(Self.start)\n\(lines)")
    #expect(problems == (expected == "fine" ? expected : "mine.toml:\(expected)"))
  }

  @Test(arguments: [
    (
      "cap = { rows = 1000 }", "", "split: needs pagination.cap, the point at which the service ends the list"
    ),
    (", id = \"id\"", "", "split: needs rows.id, so that a row in two parts is written once"),
    (
      "1970", "{sort}", "split: params.since replaces a request parameter with {sort}. Include it"
    ),
  ]) func `A list is cut only if it has an end, its rows an id, and nothing that the user chose is lost.`(
    _ old: String, _ new: String, _ expected: String
  ) {
    let start = Self.start.replacing(", \(old)", with: new).replacing(old, with: new)
    #expect(problems("\(start)\n\(Self.usual)\(Self.params)").hasSuffix(expected))
  }

  @Test(arguments: [
    ("", params, "?q=a&since=2024-01-01T00%3A00%3A00Z&until=2024-01-01T00%3A00%3A09Z"),
    ("bounds = \"[)\"", params, "?q=a&since=2024-01-01T00%3A00%3A00Z&until=2024-01-01T00%3A00%3A10Z"),
    (
      "", "params = { since = \"\", q = \"{query} {from|epoch}..{to|epoch}\" }",
      "?q=a+1704067200..1704067209&since="
    ),
  ]) func `A request for a part has its limits in place of the parameters of the list.`(
    _ more: String, _ params: String, _ expected: String
  ) throws {
    let source = try source("\(Self.start)\n\(Self.usual)\(more)\n\(params)")
    var request = PageRequest(first: source, Query("a"))
    request.position.part = Position.Part(from: 1_704_067_200, to: 1_704_067_209, firstOrdinal: 0)
    let address = try source.request(for: request, in: RunContext(pageSize: nil, version: "1")).url
      .description
    let query = String(address.drop { $0 != "?" }).replacing("&page=1", with: "")
    #expect(query.replacing("%20", with: "+") == expected)
  }

  @Test func `A day ends with its last second, or with the first one of the next day.`() {
    var split = Split.standard
    split.unit = .day
    #expect(split.text(of: 19_723, isEnd: false) == "2024-01-01T00:00:00Z")
    #expect(split.text(of: 19_723, isEnd: true) == "2024-01-01T23:59:59Z")
    split.bounds = .halfOpen
    #expect(split.text(of: 19_723, isEnd: true) == "2024-01-02T00:00:00Z")
  }
}
