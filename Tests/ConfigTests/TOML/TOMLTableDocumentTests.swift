import Config
import Testing

/// A tree of values written as a document.
@Suite struct TOMLTableDocumentTests {
  @Test
  func `Simple values precede tables with headers, and short tables are inline.`()
    throws
  {
    let text = """
      b.c = { d = 1, e = "x\\u0007\\n" }
      query = "a\\n  b"
      list = [1.5, true, 2024-05-06, inf, []]
      "odd key" = 'it"s'
      a = "first"
      [[columns]]
      path = "x"
      width = { min = 1 }
      [[columns]]
      path = "y"
      [empty]

      """
    let document = try TOMLDocument(text, file: "a.toml").root.document
    #expect(
      document == """
        query = '''
        a
          b'''
        list = [1.5, true, 2024-05-06, inf, []]
        "odd key" = "it\\"s"
        a = "first"

        [b]
        c = { d = 1, e = "x\\u0007\\n" }

        [[columns]]
        path = "x"
        width = { min = 1 }

        [[columns]]
        path = "y"

        [empty]

        """)
    #expect(try TOMLDocument(document, file: "b.toml").root.document == document)
  }
}
