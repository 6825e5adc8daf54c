import HTTPValues
import Testing

@Suite struct WebURLQueryTests {
  @Test func `Query items are decoded like a form, in order.`() throws {
    let url = try WebURL("https://a/?q=c%2B%2B+%26%20%E6%97%A5&flag&&page%5Bsize%5D=2&e=&q=x=y")
    let items = url.queryItems.map { "\($0.name)=\($0.value ?? "nil")" }
    #expect(items == ["q=c++ & 日", "flag=nil", "page[size]=2", "e=", "q=x=y"])
    #expect(try WebURL("https://a/").queryItems.isEmpty)
    #expect(try WebURL("https://a/?").queryItems.isEmpty)
  }

  @Test(arguments: [
    ("", "?n=c%2B%2B%20%26%20%E6%97%A5"), ("?", "?n=c%2B%2B%20%26%20%E6%97%A5"),
    ("?a=%7e+1", "?a=%7e+1&n=c%2B%2B%20%26%20%E6%97%A5"), ("?a=1&", "?a=1&n=c%2B%2B%20%26%20%E6%97%A5"),
  ])
  func `An item is appended after the others.`(before: String, after: String) throws {
    var url = try WebURL("https://a/" + before)
    url.appendQueryItem(name: "n", value: "c++ & 日")
    #expect(url.requestTarget == "/" + after)
    #expect(url.queryItems.last?.value == "c++ & 日")
  }

  @Test(arguments: [
    ("", "?p=2"), ("?a=%7e", "?a=%7e&p=2"), ("?p=1&a=+", "?p=2&a=+"),
    ("?x&p=1&&y=%20&p=3&%70=4&z", "?x&p=2&&y=%20&z"),
    ("?pp=1", "?pp=1&p=2"), ("?p", "?p=2"),
  ])
  func `An item is set in its place.`(before: String, after: String) throws {
    var url = try WebURL("https://a/" + before)
    url.setQueryItem(name: "p", value: "2")
    #expect(url.requestTarget == "/" + after)
  }

  @Test(arguments: [
    ("", ""), ("?", "?"), ("?p=1", ""), ("?p=1&a=+&%70&&b", "?a=+&&b"), ("?pp=1", "?pp=1"),
  ])
  func `An item is removed wherever it is.`(before: String, after: String) throws {
    var url = try WebURL("https://a/" + before)
    url.removeQueryItems(named: "p")
    #expect(url.requestTarget == "/" + after)
  }
}
