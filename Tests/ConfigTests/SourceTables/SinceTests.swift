import HTTPValues
import JSON
import Testing

@testable import Config
@testable import Search

/// Tests the table `[since]`: its mistakes, and the requests for what changed.
@Suite struct SinceTests {
  private static let start = """
    schema = 1
    id = "mine"
    request = { url = "https://api.example.org/list", params = { q = "{query}", since = "1970" } }
    options.sort.values = ["new", "top"]
    [since]
    """

  @Test(arguments: [
    ("value = \"updated\"\nparam = \"since\"", "fine"),
    (
      "value = \"a\"\nparam = \"filter\"\ntemplate = \"from:{since}\"\noverlap = \"25h\"\nformat = \"date\"",
      "fine"
    ),
    ("value = \"a\"\nparam = \"since\"\noptions = { sort = \"new\" }", "fine"),
    (
      "param = \"since\"",
      "5:1: [since] value: missing (where the time of a row's last change is, like \"updated_at\")"
    ),
    ("value = \"updated\"", "5:1: [since] param: missing: [since] needs param or template"),
    (
      "value = \"a\"\ntemplate = \"{query} {sort}\"",
      "7:12: [since] template: expected {since}, like \"{query} updated:>={since}\""
    ),
    (
      "value = \"a\"\ntemplate = \"{query} {since} {sort}\"",
      "7:12: [since] template: unknown placeholder {sort}. Use {query} and {since}"
    ),
    (
      "value = \"a\"\ntemplate = \"updated:{since}\"",
      "7:12: [since] template: expected {query}, like \"{query} updated:>={since}\""
    ),
    (
      "value = \"a\"\nparam = \"q\"\ntemplate = \"{query} {since}\"",
      "8:12: [since] template: {query} is not allowed with param, whose value this is"
    ),
    (
      "value = \"a\"\nparam = \"since\"\nformat = \"number\"\noverlap = \"5s\"",
      "9:11: [since] overlap: not allowed with format = \"number\""
    ),
    (
      "value = \"a\"\nparam = \"since\"\nformat = \"unix\"",
      "8:10: [since] format: expected one of \"iso8601\", \"date\", \"epoch\", \"epoch_ms\", \"number\", found \"unix\""
    ),
    (
      "value = \"a\"\nparam = \"since\"\noptions = { sorts = \"new\" }",
      "8:21: [since.options] sorts: unknown option. Did you mean \"sort\"?"
    ),
  ]) func `A mistake is reported where it is.`(_ lines: String, _ expected: String) {
    let problems = problems("\(Self.start)\n\(lines)")
    #expect(problems == (expected == "fine" ? expected : "mine.toml:\(expected)"))
  }

  private func address(_ lines: String, _ mark: String) throws -> String {
    var source = try source("\(Self.start)\n\(lines)")
    var query = Query("a b")
    let rule = try #require(source.since)
    rule.apply(try #require(SinceMark(mark, as: rule.format)), to: &source, &query)
    let request = try source.request(
      for: PageRequest(first: source, query), in: RunContext(pageSize: nil, version: "1"))
    return String(request.url.description.drop { $0 != "?" })
  }

  @Test(arguments: [
    ("param = \"since\"", "2026-11-20T08:00:00.5Z", "?q=a+b&since=2026-11-20T07%3A59%3A00Z"),
    (
      "param = \"since\"\noverlap = \"0s\"", "2026-11-20T08:00:00.9+02:00",
      "?q=a+b&since=2026-11-20T06%3A00%3A00Z"
    ),
    ("param = \"since\"\noverlap = \"1500ms\"", "1795132800", "?q=a+b&since=2026-11-19T23%3A59%3A58Z"),
    ("param = \"from\"\nformat = \"date\"", "2026-11-20", "?q=a+b&since=1970&from=2026-11-19"),
    ("param = \"from\"\nformat = \"epoch\"", "1795132800.75", "?q=a+b&since=1970&from=1795132740"),
    ("param = \"from\"\nformat = \"epoch_ms\"", "1795132800750", "?q=a+b&since=1970&from=1795132740000"),
    (
      "param = \"from\"\nformat = \"number\"", "1146123456789012345",
      "?q=a+b&since=1970&from=1146123456789012345"
    ),
    (
      "param = \"filter\"\ntemplate = \"{{x}}from:{since}\"\nformat = \"date\"", "2026-11-20",
      "?q=a+b&since=1970&filter=%7Bx%7Dfrom%3A2026-11-19"
    ),
    (
      "template = \"{query} t>{since}\"\nformat = \"epoch\"", "1795132800", "?q=a+b+t%3E1795132740&since=1970"
    ),
  ]) func `A request has the mark in the form that the service reads.`(
    _ lines: String, _ mark: String, _ expected: String
  ) throws {
    let address = try address("value = \"a\"\n\(lines)", mark)
    #expect(address.replacing("%20", with: "+") == expected)
  }

  @Test func `Marks are compared by time, and keep fractions.`() throws {
    func mark(_ text: String) throws -> SinceMark { try #require(SinceMark(text, as: .iso8601)) }
    #expect(try mark("2026-11-20T08:00:00+02:00") < mark("2026-11-20T06:00:00.001Z"))
    #expect(try mark("2026-11-20T06:00:00.25Z").text(as: .epoch) == "2026-11-20T06:00:00.25Z")
    #expect(try mark("2026-11-20T06:00:00.25Z").limited(to: 1_795_132_800) == mark("2026-11-20"))
    #expect(SinceMark("yesterday", as: .date) == nil)
    #expect(SinceMark("12.5", as: .number) == nil)
  }
}
