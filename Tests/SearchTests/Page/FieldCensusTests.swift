import HTTPValues
import JSON
import Testing

@testable import Search

@Suite struct FieldCensusTests {
  private func census(_ pages: String...) throws -> String {
    var census = FieldCensus()
    for page in pages {
      let document = try JSONDocument(Array(page.utf8))
      let response = ResponseValues(document: document, headers: [], url: try WebURL("https://a.example"))
      census.add(
        DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode))))
    }
    return census.fields.map { "\($0.path) \($0.kind.rawValue) \($0.count) \($0.sample)" }
      .joined(separator: "\n")
  }

  @Test func `Every field is there once, with its kind, how many rows have it and a value.`() throws {
    let fields = try census(
      #"""
      [{"name": "", "owner": {"login": "ann", "admin": true}, "at": "2026-01-02T03:04:05Z", "gone": null},
       {"name": "b", "labels": [{"id": 1}, {"id": 2}], "tags": ["x", "y"], "odd.key": 1, "empty": {}}]
      """#, #"[{"name": 7, "owner": null}]"#)
    #expect(
      fields == """
        name mixed 3 b
        owner.login text 1 ann
        owner.admin yes/no 1 true
        at time 1 2026-01-02T03:04:05Z
        gone null 0 
        labels list 1 [{"id": 1}, {"id": 2}]
        labels[*].id number 1 1
        tags list 1 ["x", "y"]
        ["odd.key"] number 1 1
        empty object 1 {}
        """)
  }

  @Test func `[11] A field that is null in every row is listed, and an object that is null in some is not.`()
    throws
  {
    let fields = try census(
      #"[{"a": null, "license": null}, {"a": null, "license": {"name": "MIT"}}, {"a": null, "license": null}]"#
    )
    #expect(fields == "a null 0 \nlicense.name text 1 MIT")
    #expect(try census(#"[{"a": null}, {"a": 1}, {"a": null}]"#) == "a number 1 1")
  }

  @Test func `Deep, long and numerous fields are bounded.`() throws {
    let deep = String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40)
    let long = String(repeating: "x", count: 1_000_000)
    let many = (0..<12_000).map { #""f\#($0)": 1"# }.joined(separator: ",")
    let fields = try census("[\(deep)]").split(separator: "\n")
    #expect(fields.count == 1 && fields[0].contains(" object 1 {"))
    #expect(try census("[{\"a\": \"\(long)\"}]").utf8.count < 200)
    #expect(try census("[{\(many)}]").split(separator: "\n").count == 10_000)
  }
}
