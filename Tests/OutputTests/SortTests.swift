import Output
import Search
import Testing

@Suite struct SortTests {
  private static let first = #"[{"id": 1, "name": "b", "stars": 9}, {"id": 2, "name": "A", "stars": 10}]"#
  private static let second = #"[{"id": 3, "name": null, "stars": 2}, {"id": 4, "name": "a", "stars": null}]"#

  private func sorted(
    _ order: String..., format: String = "csv", columns: String = "id,name,stars", first limit: Int? = nil
  ) throws -> String {
    let source = try source()
    var writer = OutputWriter(
      try #require(OutputFormats.named(format)), selection: try ColumnSelection(parsing: columns, of: source),
      outputOptions: OutputOptions(hasHeader: format == "table"),
      sort: try RowSort(parsing: order, of: source), limit: limit)
    var output: [UInt8] = []
    try writer.append(try rows(Self.first), into: &output)
    try writer.append(try rows(Self.second, page: 2), into: &output)
    try writer.end(into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `Numbers are sorted by value, and rows without a value come last.`() throws {
    #expect(try sorted("stars") == "3,,2\n1,b,9\n2,A,10\n4,a,\n")
    #expect(try sorted("stars:desc") == "2,A,10\n1,b,9\n3,,2\n4,a,\n")
  }

  @Test func `Texts are sorted ignoring case.`() throws {
    #expect(try sorted("name") == "2,A,10\n4,a,\n1,b,9\n3,,2\n")
  }

  @Test func `A sorted row keeps the number of its page.`() throws {
    #expect(try sorted("stars", columns: "id,@page") == "3,2\n1,1\n2,1\n4,2\n")
  }

  @Test func `When sorting, the widths of a table fit all rows.`() throws {
    #expect(
      try sorted("id", format: "table", columns: "name,id") == """
        Name  id
        b     1
        A     2
              3
        a     4

        """)
  }

  @Test func `An unknown column or an invalid order is refused.`() throws {
    #expect(throws: ColumnSelectionError.self) { try sorted("starz") }
    for order in ["stars:down", "*", "stars,", "name,stars:down", "stars,name,stars:desc"] {
      #expect(throws: ColumnSelectionError.self) { try RowSort(parsing: [order], of: try source()) }
    }
    #expect(throws: ColumnSelectionError.self) { try RowSort(parsing: ["name", "name"], of: try source()) }
  }

  @Test func `[D32] Rows that are equal in one column are sorted by the next.`() throws {
    let page = #"""
      [{"id": 1, "name": "b", "stars": 2}, {"id": 2, "name": "a", "stars": 1}, {"id": 3, "name": "B", "stars": 3},
       {"id": 4, "name": "a", "stars": 2}, {"id": 5, "stars": 2}, {"id": 6, "name": "a"}]
      """#
    func order(_ lists: String..., first limit: Int? = nil) throws -> [String] {
      var writer = OutputWriter(
        try #require(OutputFormats.named("csv")), selection: try ColumnSelection(parsing: "id", of: source()),
        outputOptions: OutputOptions(hasHeader: false), sort: try RowSort(parsing: lists, of: source()),
        limit: limit)
      var output: [UInt8] = []
      try writer.append(try rows(page), into: &output)
      try writer.end(into: &output)
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    #expect(try order("stars,id") == ["2", "1", "4", "5", "3", "6"])
    #expect(try order("stars:desc,name") == ["3", "4", "1", "5", "2", "6"])
    #expect(try order("stars:desc", "name:desc") == ["3", "1", "4", "5", "2", "6"])
    #expect(try order("stars,name:asc", "id:desc") == ["2", "4", "1", "5", "3", "6"])
    #expect(try order(#"["stars"]:desc,$.id"#, first: 3) == ["3", "1", "4"])
    #expect(try order("id:desc", first: 0) == [])
  }
}
