import Detection
import Search
import Testing

/// Tests the facts about the next page that one response reveals.
@Suite struct PaginationSignTests {
  private static let rows = #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#

  @Test(arguments: [
    (
      #"{"next":"https://api.example.org/search?page=2","items":ROWS}"#,
      ["type = \"link\"", "next = \"next\""]
    ),
    (#"{"next":"?page=2","items":ROWS}"#, ["type = \"link\"", "next = \"next\""]),
    (
      #"{"@odata.nextLink":"Customers?$skiptoken=7","value":ROWS}"#,
      ["type = \"link\"", #"next = "[\"@odata.nextLink\"]""#]
    ),
    (
      #"{"_links":{"next":{"href":"/search?page=2"}},"items":ROWS}"#,
      ["type = \"link\"", "next = \"_links.next.href\""]
    ),
    (
      #"{"links":[{"rel":"self","href":"/a"},{"rel":"next","href":"/b"}],"features":ROWS}"#,
      ["type = \"link\"", "next = \"links[rel=next].href\""]
    ),
    (
      #"{"data":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":ROWS}}"#,
      [
        "type = \"cursor\"", "param = \"after\"", "next = \"data.pageInfo.endCursor\"",
        "more = \"data.pageInfo.hasNextPage\"",
      ]
    ),
    (
      #"{"continue":{"sroffset":10,"continue":"-||"},"query":{"search":ROWS}}"#,
      ["type = \"merge\"", "next = \"continue\""]
    ),
    (
      #"{"nextPageToken":"abc","items":ROWS}"#,
      ["type = \"cursor\"", "param = \"pageToken\"", "next = \"nextPageToken\""]
    ),
    (
      #"{"meta":{"next_cursor":"abc"},"results":ROWS}"#,
      ["type = \"cursor\"", "param = \"cursor\"", "next = \"meta.next_cursor\""]
    ),
    (
      #"{"meta":{"next_cursor":null,"has_more":false},"data":ROWS}"#,
      [
        "type = \"cursor\"", "param = \"cursor\"", "next = \"meta.next_cursor\"", "more = \"meta.has_more\"",
      ]
    ),
    (
      #"{"has_more":true,"data":ROWS}"#,
      [
        "type = \"cursor\"", "param = \"starting_after\"", "next = \"data[-1].id\"", "more = \"has_more\"",
      ]
    ),
    (
      #"{"total":50,"page":0,"items":ROWS}"#, ["type = \"page\"", "param = \"page\"", "first = 0"]
    ),
    (
      #"{"total":50,"startIndex":1,"items":ROWS}"#,
      ["type = \"offset\"", "param = \"startIndex\"", "first = 1"]
    ),
    (
      #"{"number":0,"totalPages":9,"content":ROWS}"#,
      ["type = \"page\"", "param = \"page\"", "first = 0", "pages = \"totalPages\""]
    ),
    (#"{"next":null,"items":ROWS}"#, ["type = \"link\"", "next = \"next\""]),
    (#"{"total":50,"items":ROWS}"#, ["type = \"page\"", "param = \"page\"", "first = 1"]),
    (#"{"total":2,"items":ROWS}"#, ["type = \"none\""]),
    (#"ROWS"#, ["type = \"none\""]),
  ]) func `Pagination is guessed from the body.`(body: String, expected: [String]) throws {
    let body = body.replacing("ROWS", with: Self.rows)
    #expect(try pagination(response(body)) == expected)
  }

  @Test(arguments: [
    (
      "Link", "<https://api.example.org/search?page=2>; rel=\"next\"",
      ["type = \"link\"", "next = \"link:next\""]
    ),
    ("Next-Page", "https://api.example.org/a?_token=1", ["type = \"link\"", "next = \"header:next-page\""]),
    (
      "X-Next-Page", "2",
      ["type = \"page\"", "param = \"page\"", "first = 1", "next = \"header:x-next-page\""]
    ),
    (
      "X-WP-TotalPages", "7",
      ["type = \"page\"", "param = \"page\"", "first = 1", "pages = \"header:x-wp-totalpages\""]
    ),
    (
      "X-Next-Cursor", "abc",
      ["type = \"cursor\"", "param = \"cursor\"", "next = \"header:x-next-cursor\""]
    ),
  ]) func `Pagination is guessed from a header.`(name: String, value: String, expected: [String]) throws {
    #expect(try pagination(response(Self.rows, headers: [(name, value)])) == expected)
  }

  @Test(arguments: [
    ("?q=tea&offset=40", ["type = \"offset\"", "param = \"offset\"", "first = 0"]),
    ("?q=tea&page=0", ["type = \"page\"", "param = \"page\"", "first = 0"]),
  ]) func `Pagination is guessed from the address.`(query: String, expected: [String]) throws {
    #expect(try pagination(response(Self.rows, at: "https://api.example.org/search\(query)")) == expected)
  }

  @Test
  func
    `Page 1 in an address may be the first or the second page, or a row, and counting from 0 is tried first.`()
    throws
  {
    let guess = try SourceGuess(response(Self.rows, at: "https://api.example.org/search?q=tea&page=1"))
    #expect(
      guess.paginations.map { "\($0)" } == [
        "page with parameter page", "page with parameter page", "offset with parameter page", "none",
      ])
    #expect(guess.paginations.map(\.first) == [.number(0), .number(1), .number(0), nil])
    #expect(guess.paginations.map(\.isTentative) == [true, false, true, false])
  }

  @Test func `A token is sent in the parameter that the address uses for it.`() throws {
    let body = #"{"message":{"next-cursor":"abc","items":\#(Self.rows)}}"#
    #expect(
      try pagination(response(body, at: "https://api.example.org/works?query=tea&cursor=*")) == [
        "type = \"cursor\"", "param = \"cursor\"", "first = \"*\"", "next = \"message.next-cursor\"",
      ])
  }

  @Test func `The strongest sign comes first, and no guess is repeated.`() throws {
    let guess = try SourceGuess(
      response(
        #"{"next":"/search?page=2","nextPageToken":"t","total":9,"page":1,"items":\#(Self.rows)}"#,
        headers: [("Link", "</search?page=2>; rel=next"), ("X-Total-Pages", "5")]))
    #expect(
      guess.paginations.map { "\($0) \($0.confidence)" }.prefix(5) == [
        "link 1.0", "link 0.95", "page with parameter page 0.9", "page with parameter page 0.9",
        "cursor with parameter pageToken 0.7",
      ])
    #expect(guess.paginations.last?.style == PaginationGuess.Style.none)
  }

  @Test func `Values inside a row are not facts about the list.`() throws {
    let body = #"{"items":[{"id":1,"next":"/a?b=1","total":99},{"id":2,"next":"/a?b=2","total":99}]}"#
    #expect(try pagination(response(body)) == ["type = \"none\""])
  }
}
