import HTTPValues
import Testing

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    (#"<https://a/?page=2>; rel="next", <https://a/?page=9>; rel="last""#, "https://a/?page=2"),
    (#"<https://a/?page=1>; rel="prev", <https://a/?page=3>; rel="next""#, "https://a/?page=3"),
    ("<https://a/2>;rel=next", "https://a/2"),
    ("<https://a/2> ; REL = Next ;x=y", "https://a/2"),
    (#"<https://a/?a=1,2;3&p=2>; title="a, b; c"; rel="prev next""#, "https://a/?a=1,2;3&p=2"),
    (#"<https://a/2>; title="say \"hi, <x>; rel=no\""; rel=next"#, "https://a/2"),
    (#"</v2/_catalog?last=b&n=2>; rel="next""#, "/v2/_catalog?last=b&n=2"),
    (#"<?page=2>; rel="next""#, "?page=2"),
    ("<https://a/2>; rel='next'", "https://a/2"),
    ("<https://a/2>; rel='prev next'; x", "https://a/2"),
    ("<https://a/2>; title='tis; rel=next", "https://a/2"),
    (#"<https://a/1>; rel="next", <https://a/2>; rel="next""#, "https://a/1"),
    (#"<https://a/1>; rel="prev"; rel="next", <https://a/2>; rel=next"#, "https://a/2"),
    (#"<https://a/1>; rel="next"; anchor="https://a/x", <https://a/2>; rel=next"#, "https://a/2"),
    (#"<>; rel="next", <https://a/2>; rel=next"#, "https://a/2"),
    (#"https://a/1; rel="next", <https://a/2>; rel=next"#, "https://a/2"),
    (#"x <https://a/1>; rel="next", "quoted, <y>" , , <https://a/2>; rel=next"#, "https://a/2"),
    (#"<https://a/2> junk; rel="next""#, "https://a/2"),
    (#"<https://a/2>;; ;=; flag; rel="next";"#, "https://a/2"),
    (#"<https://a/1>; rel="deprecation"; type="text/html""#, nil),
    (#"<https://a/1>; rel="next"; results="false"; cursor="0:100:0""#, nil),
    (#"<https://a/1>; rel="next"; results="true"; cursor="0:100:0""#, "https://a/1"),
    (
      #"<https://a/?n=1&since=369>; rel="next", <https://a/{?since}>; rel="first""#,
      "https://a/?n=1&since=369"
    ),
    (#"<https://a/1>; rel="nextish""#, nil),
    (#"<https://a/1>; title="rel=next""#, nil),
    (#"<https://a/1; rel="next""#, nil),
    (#"<https://a/1>; rel="next"#, nil),
    (#"<https://a/1>; rel="next"; title="cut"#, nil),
    ("<https://a/1>", nil),
    ("<", nil), (",", nil), ("", nil), (";rel=next", nil), ("\"", nil),
  ])
  func `The next link of a field is found by its grammar.`(field: String, target: String?) {
    #expect(LinkHeader.target(rel: "next", in: [field]) == target)
  }

  @Test func `Links may be spread over several fields, and a broken field hides no other.`() {
    let fields = [
      #"<https://a/1>; rel="first"#, #"<https://a/9>; rel="last""#, #"<https://a/2>; rel="next""#,
    ]
    #expect(LinkHeader.target(rel: "NEXT", in: fields) == "https://a/2")
    #expect(LinkHeader.target(rel: "last", in: fields) == "https://a/9")
    #expect(LinkHeader.target(rel: "first", in: fields) == nil)
  }

  @Test func `All links have their relations and parameters.`() {
    let links = LinkHeader.links(in: [
      #"<https://a/1>; rel="next  Up"; Results="false"; results=x, </b>; rel=self"#
    ])
    #expect(links.map(\.target) == ["https://a/1", "/b"])
    #expect(links.map(\.relations) == [["next", "up"], ["self"]])
    #expect(links.map(\.parameters) == [["results": "false"], [:]])
  }

  @Test(arguments: ["<", "\"", "'", ";='", "<x>;a=\"\\", "<x>;", ",", "<x>,"])
  func `Parsing a long field of one repeated part ends.`(part: String) {
    let links = LinkHeader.links(in: [String(repeating: part, count: 20_000)])
    #expect(links.allSatisfy { $0.relations.isEmpty })
  }
}
