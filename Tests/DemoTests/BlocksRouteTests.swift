import JSON
import Testing

@testable import Demo
@testable import DemoTesting

/// A list of parents, and a list for each of them.
struct BlocksRouteTests {
  private func rows(_ target: String, _ key: String) throws -> [String] {
    try DemoSession().json("GET \(target)")["items"].map { $0.elements.compactMap { $0[key]?.string } } ?? []
  }

  @Test func `Blocks are listed in the order of their code points, in pages.`() throws {
    let all = try rows("/blocks", "id")
    #expect(all.count == UnicodeBlock.all.count)
    #expect(UnicodeBlock.all.map(\.first) == UnicodeBlock.all.map(\.first).sorted())
    #expect(try rows("/blocks?per_page=3&page=2", "id") == Array(all[3..<6]))
    #expect(try rows("/blocks?page=9", "id") == [])
    #expect(
      try DemoSession().text("GET /blocks?q=arr") == """
        200 {"total_count":1,"items":[{"id":"arrows","name":"Arrows","first":"U+2190","last":"U+21FF","reserved":false}]}
        """)
  }

  @Test func `The characters of a block are those of the catalog in its range, once each and in order.`()
    throws
  {
    let found = try rows("/blocks/greek-and-coptic/characters?q=small+letter&per_page=100", "code_point")
    let all = try rows("/characters?q=greek+small+letter&per_page=100", "code_point")
    #expect(found.first == "U+0371")
    #expect(found.contains("U+03C9"))
    #expect(found.filter(all.contains) == all.filter(found.contains))
    let pages = try (1...3).map {
      try rows("/blocks/arrows/characters?per_page=50&page=\($0)", "code_point")
    }
    #expect(pages.map(\.count) == [50, 50, 12])
    #expect(
      pages.flatMap(\.self) == (0x2190...0x21FF).map { "U+" + String($0, radix: 16, uppercase: true) })
  }

  @Test(arguments: [
    ("private-use-area", #"200 {"total_count":0,"items":[]}"#),
    ("high-surrogates", #"403 {"message":"the surrogates of this block are reserved"}"#),
    ("low-surrogates", #"404 {"message":"this block has no characters, only surrogates"}"#),
  ])
  func `One block is empty, and two refuse to be listed.`(id: String, response: String) throws {
    #expect(try DemoSession().text("GET /blocks/\(id)/characters") == response)
  }
}
