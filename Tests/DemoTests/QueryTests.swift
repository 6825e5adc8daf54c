import Testing

@testable import Demo

struct QueryTests {
  @Test(arguments: [
    ("q=a+b&page=2", "q=a b|page=2"),
    ("q=%E2%86%92&&x", "q=→|x="),
    ("q=a=b%3Dc&=v", "q=a=b=c|=v"),
    ("q=100%&r=%zz&s=%+1&t=%F", "q=100%|r=%zz|s=% 1|t=%F"),
    ("q=%FF", "q=\u{FFFD}"),
    ("", ""),
  ])
  func `A query is parsed leniently.`(text: String, expected: String) {
    let items = Query(parsing: text[...]).items
    #expect(items.map { "\($0.name)=\($0.value)" }.joined(separator: "|") == expected)
  }

  @Test(arguments: [
    ("q=c%2B%2B+%26+%E2%86%92", "page", "2", "q=c%2B%2B%20%26%20%E2%86%92&page=2"),
    ("page=1&q=x&page=7", "page", "2", "page=2&q=x"),
    ("", "page", "2", "page=2"),
  ])
  func `A changed parameter keeps its place, and the others arrive intact.`(
    text: String, name: String, value: String, expected: String
  ) {
    #expect(Query(parsing: text[...]).setting(name, to: value).text == expected)
  }
}
