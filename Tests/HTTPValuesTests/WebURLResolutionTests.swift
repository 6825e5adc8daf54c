import HTTPValues
import Testing

@Suite struct WebURLResolutionTests {
  /// RFC 3986, sections 5.4.1 and 5.4.2. `g:h` and `http:g` are not http URLs with a host, fragments are
  /// dropped, and an empty path is written as `/`.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
  ])
  func `The examples in RFC 3986 resolve.`(reference: String, expected: String) throws {
    #expect(try WebURL("http://a/b/c/d;p?q").resolving(reference).description == expected)
  }

  @Test(arguments: ["g:h", "http:g", "mailto:a@b.c", "https://", "//", "///x"])
  func `A reference that does not lead to an http host is refused.`(reference: String) throws {
    let base = try WebURL("http://a/b/c/d;p?q")
    #expect(throws: WebURLError.self) { try base.resolving(reference) }
  }

  @Test(arguments: [
    ("?page=2&q=c++ [x]", "https://api.example.org:8443/v1/items?page=2&q=c++%20%5Bx%5D"),
    ("?", "https://api.example.org:8443/v1/items?"),
    ("</v2>", "https://api.example.org:8443/v1/%3C/v2%3E"),
    ("https://OTHER.org/x", "https://other.org/x"),
    ("//other.org:9/x", "https://other.org:9/x"),
    (" /v2/_catalog?last=b&n=2 ", "https://api.example.org:8443/v2/_catalog?last=b&n=2"),
    ("/.//other.org/x", "https://api.example.org:8443//other.org/x"),
  ])
  func `Next links in responses resolve.`(reference: String, expected: String) throws {
    #expect(
      try WebURL("https://api.example.org:8443/v1/items?page=1").resolving(reference).description == expected)
  }

  @Test func `A relative path keeps the user info of its base, and another authority has its own.`() throws {
    let base = try WebURL("https://user@a.org/x")
    #expect(try base.resolving("/y").hasUserinfo)
    #expect(try !base.resolving("//a.org/y").hasUserinfo)
    #expect(try WebURL("https://a.org/x").resolving("//user@a.org/y").hasUserinfo)
  }
}
