import HTTPValues
import Testing

@Suite struct HTTPFieldsTests {
  private let response: HTTPFields = [
    HTTPField(received: "Link", value: "<a>"), HTTPField(received: "X-Total", value: "7"),
    HTTPField(received: "LINK", value: "<b>"),
  ]

  @Test func `Fields are found by name, ignoring case, in order.`() {
    #expect(response.first("link") == "<a>")
    #expect(response.all("lInK") == ["<a>", "<b>"])
    #expect(response.first("x-total") == "7")
    #expect(response.first("x-tota") == nil)
    #expect(response.all("none").isEmpty)
    #expect(response.map(\.name) == ["Link", "X-Total", "LINK"])
  }

  @Test func `Only ASCII letters are compared without case.`() {
    let fields: HTTPFields = [
      HTTPField(received: "\u{212A}ey", value: "kelvin"), HTTPField(received: "a@", value: "at"),
    ]
    #expect(fields.first("key") == nil)
    #expect(fields.first("a`") == nil)
  }

  @Test func `Setting a field replaces the first field with that name.`() throws {
    var fields = response
    fields.set(try HTTPField(name: "link", value: "<c>"))
    fields.set(try HTTPField(name: "Accept", value: "*/*"))
    #expect(fields.map { "\($0.name): \($0.value)" } == ["link: <c>", "X-Total: 7", "Accept: */*"])
    fields.remove("ACCEPT")
    fields.append(try HTTPField(name: "X-Total", value: "8"))
    #expect(fields.all("x-total") == ["7", "8"])
    #expect(fields.count == 3)
  }

  @Test(arguments: [
    ("", "x", #""" is not a valid header name: use letters, digits and hyphens"#),
    ("a b", "x", #""a b" is not a valid header name: use letters, digits and hyphens"#),
    ("a:", "x", #""a:" is not a valid header name: use letters, digits and hyphens"#),
    ("a\n", "x", #""a\n" is not a valid header name: use letters, digits and hyphens"#),
    ("é", "x", #""é" is not a valid header name: use letters, digits and hyphens"#),
    ("A", "secret\r\nB: c", "the value of header A contains a control character, such as a line break"),
    ("A", "\0", "the value of header A contains a control character, such as a line break"),
    ("A", "\u{7F}", "the value of header A contains a control character, such as a line break"),
  ])
  func `A field that could inject another one is refused.`(name: String, value: String, message: String) {
    let error = #expect(throws: HTTPFieldError.self) { try HTTPField(name: name, value: value) }
    #expect(error?.description == message)
  }

  @Test func `Tabs and non-ASCII text may be sent.`() throws {
    #expect(try HTTPField(name: "X-Q!", value: "a\tb 日本").value == "a\tb 日本")
  }

  @Test func `A field of a response is kept as received.`() {
    #expect(HTTPField(received: "a b", value: " x\u{1}").value == " x\u{1}")
  }
}
