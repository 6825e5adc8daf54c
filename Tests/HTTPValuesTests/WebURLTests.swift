import HTTPValues
import Testing

@Suite struct WebURLTests {
  @Test(arguments: [
    ("https://api.example.org", "https://api.example.org/"),
    ("HTTPS://API.Example.ORG/Path?Q=1", "https://api.example.org/Path?Q=1"),
    ("  https://example.org/x  ", "https://example.org/x"),
    ("http://example.org:8080/a", "http://example.org:8080/a"),
    ("http://example.org:/a", "http://example.org/a"),
    ("http://example.org:080/a", "http://example.org:80/a"),
    ("https://example.org/a?", "https://example.org/a?"),
    ("https://example.org?q=1", "https://example.org/?q=1"),
    ("https://example.org/a#part?x", "https://example.org/a"),
    ("https://example.org/a b/c\"d\"<e>", "https://example.org/a%20b/c%22d%22%3Ce%3E"),
    (
      "https://example.org/?page[size]=1&q={x}|y^`z\\",
      "https://example.org/?page%5Bsize%5D=1&q=%7Bx%7D%7Cy%5E%60z%5C"
    ),
    ("https://example.org/日本?q=語", "https://example.org/%E6%97%A5%E6%9C%AC?q=%E8%AA%9E"),
    ("https://example.org/%E6%97%A5%2f?q=a%20b+c", "https://example.org/%E6%97%A5%2f?q=a%20b+c"),
    ("https://example.org/100%?q=50%&r=%zz%4", "https://example.org/100%25?q=50%25&r=%25zz%254"),
    ("https://example.org/a/./b/../c", "https://example.org/a/c"),
    ("https://example.org/../../etc/..", "https://example.org/"),
    ("https://example.org/a?x/../y?z", "https://example.org/a?x/../y?z"),
    ("https://example.org//a//b", "https://example.org//a//b"),
    ("https://example.org/\u{301}a", "https://example.org/%CC%81a"),
    ("https://[2001:DB8:0:0:1:0:0:1]:443/", "https://[2001:db8::1:0:0:1]:443/"),
    ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://my_host.local./", "http://my_host.local./"),
    ("https://example.org/it's,(fine);a=1:@!$&*", "https://example.org/it's,(fine);a=1:@!$&*"),
  ])
  func `A URL is parsed leniently and printed in a form that can be sent.`(text: String, expected: String)
    throws
  {
    let url = try WebURL(text)
    #expect(url.description == expected)
    #expect(try WebURL(expected) == url)
  }

  @Test func `A long hostile URL gives a short message.`() {
    for text in [
      "https://" + String(repeating: "[", count: 9_999), String(repeating: "x", count: 9_999) + ":",
    ] {
      let error = #expect(throws: WebURLError.self) { try WebURL(text) }
      #expect((error?.description.count ?? 0) < 400)
    }
  }

  @Test func `A URL is split into its parts.`() throws {
    let url = try WebURL("https://user:secret@Example.org:8443/a%20b/?q=1#top")
    #expect(url.scheme == .https)
    #expect(url.host == "example.org")
    #expect(url.port == 8443)
    #expect(url.path == "/a%20b/")
    #expect(url.query == "q=1")
    #expect(url.requestTarget == "/a%20b/?q=1")
    #expect(url.hasUserinfo)
    #expect(url.origin.description == "https://example.org:8443")
    #expect(try !WebURL("https://example.org/@name?e=a@b").hasUserinfo)
  }

  @Test(arguments: [
    "https://user@h.org/", "https://user:pa@ss@h.org/", "https://@h.org/", "https://a\\@h.org/",
  ])
  func `A user name or password is detected and never printed.`(text: String) throws {
    let url = try WebURL(text)
    #expect(url.hasUserinfo)
    #expect(url.description == "https://h.org/")
  }

  @Test(arguments: [
    ("", #"invalid URL "": it is empty"#),
    ("/path", #"invalid URL "/path": it does not start with http:// or https://"#),
    ("example.org", #"invalid URL "example.org": it does not start with http:// or https://"#),
    (
      "ftp://example.org/", #"invalid URL "ftp://example.org/": only http and https are supported, not "ftp""#
    ),
    (
      "javascript:alert(1)",
      #"invalid URL "javascript:alert(1)": only http and https are supported, not "javascript""#
    ),
    ("https:/example.org", #"invalid URL "https:/example.org": it has no host"#),
    (#"https:\\example.org"#, #"invalid URL "https:\\\\example.org": it has no host"#),
    ("https://", #"invalid URL "https://": it has no host"#),
    ("https:///path", #"invalid URL "https:///path": it has no host"#),
    ("https://:80/", #"invalid URL "https://:80/": it has no host"#),
    (
      "https://例え.jp/",
      #"invalid URL "https://例え.jp/": the host "例え.jp" is not ASCII (use its punycode form, xn--…)"#
    ),
    ("https://a b/", #"invalid URL "https://a b/": "a b" is not a host name or address"#),
    (
      #"https://evil.example\.good.example/"#,
      #"invalid URL "https://evil.example\\.good.example/": "evil.example\\.good.example" is not a host name or address"#
    ),
    (
      "https://ex%61mple.org/",
      #"invalid URL "https://ex%61mple.org/": "ex%61mple.org" is not a host name or address"#
    ),
    ("https://a..b/", #"invalid URL "https://a..b/": "a..b" is not a host name or address"#),
    ("https://./", #"invalid URL "https://./": "." is not a host name or address"#),
    ("https://1.2.3.256/", #"invalid URL "https://1.2.3.256/": "1.2.3.256" is not a host name or address"#),
    ("https://1.2.3.4.5/", #"invalid URL "https://1.2.3.4.5/": "1.2.3.4.5" is not a host name or address"#),
    ("https://[::1/", #"invalid URL "https://[::1/": "[::1" is not a host name or address"#),
    (
      "https://[fe80::1%25eth0]/",
      #"invalid URL "https://[fe80::1%25eth0]/": "[fe80::1%25eth0]" is not a host name or address"#
    ),
    ("https://[::1]x/", #"invalid URL "https://[::1]x/": "x" is not a host name or address"#),
    ("https://h:0/", #"invalid URL "https://h:0/": the port "0" is not a number from 1 to 65535"#),
    (
      "https://h:65536/", #"invalid URL "https://h:65536/": the port "65536" is not a number from 1 to 65535"#
    ),
    ("https://h:+80/", #"invalid URL "https://h:+80/": the port "+80" is not a number from 1 to 65535"#),
    ("https://h/\r\nX: y", #"invalid URL "https://h/\r\nX: y": it contains a control character"#),
    ("https://h/\u{7F}", "invalid URL \"https://h/\u{7F}\": it contains a control character"),
    (
      "https://user:secret@例え.jp/",
      #"invalid URL "…@例え.jp/": the host "例え.jp" is not ASCII (use its punycode form, xn--…)"#
    ),
    ("https://user:sec/ret@h/", #"invalid URL "…@h/": the port "sec" is not a number from 1 to 65535"#),
    ("user:secret@h", #"invalid URL "…@h": only http and https are supported, not "user""#),
  ])
  func `A refused URL has an explanation.`(text: String, message: String) {
    let error = #expect(throws: WebURLError.self) { try WebURL(text) }
    #expect(error?.description == message)
  }
}
