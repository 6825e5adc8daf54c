import JSON
import Output
import Search
import Testing

/// Tests documents to which only new and changed rows are added.
@Suite struct WrittenRowsTests {
  /// What each version of the rows adds to a document, and how many rows of it are new and changed. The rows are known
  /// by their ids.
  private func additions(_ name: String, _ versions: String..., columns: String? = nil) throws
    -> [String]
  {
    let source = try source([])
    let format = try #require(OutputFormats.named(name))
    let selection =
      try columns.map { try ColumnSelection(parsing: $0, of: source) } ?? ColumnSelection(columnsOf: source)
    var writer = OutputWriter(format, selection: selection, outputOptions: OutputOptions())
    var written = WrittenRows()
    return try versions.map { version in
      let rows = try rows(version)
      let keys = rows.nodes.map { node in
        rows.response.document.member(of: node, named: "id").flatMap(rows.response.document.text).map {
          RowKey.hash($0)
        }
          ?? RowKey.none
      }
      var bytes: [UInt8] = []
      let (new, changed) = try writer.append(rows, keys: keys, unless: &written, into: &bytes)
      return "+\(new) ~\(changed) " + String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func `Only rows that are new or changed are added, each as a whole.`() throws {
    #expect(
      try additions(
        "csv", #"[{"id": 1, "v": "a"}, {"id": 2, "v": "b"}]"#, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "b"}]"#,
        #"[{"id": 3, "v": "c"}, {"id": 2, "v": "B"}, {"id": 1, "v": "a"}]"#, #"[{"id": 2, "v": "b"}]"#)
        == ["+2 ~0 id,v\n1,a\n2,b\n", "+0 ~0 ", "+1 ~1 3,c\n2,B\n", "+0 ~1 2,b\n"])
  }

  @Test func `A change in columns that are not written does not count.`() throws {
    #expect(
      try additions("tsv", #"[{"id": 1, "v": "a"}]"#, #"[{"id": 1, "v": "b"}]"#, columns: "id") == [
        "+1 ~0 id\n1\n", "+0 ~0 ",
      ])
    #expect(
      try additions("jsonl", #"[{"id": 1, "v": "a"}]"#, #"[{"id": 1, "v": "b"}]"#) == [
        "+1 ~0 {\"id\": 1, \"v\": \"a\"}\n", "+0 ~1 {\"id\": 1, \"v\": \"b\"}\n",
      ])
  }

  @Test func `A document begins with its first rows, and a row without a key is known by its form.`() throws {
    #expect(
      try additions("csv", "[]", #"[{"v": "a"}]"#, #"[{"v": "a"}, {"v": "b"}]"#) == [
        "+0 ~0 ", "+1 ~0 v\na\n", "+1 ~0 b\n",
      ])
  }

  @Test func `Rows can be added to formats that end with any row.`() {
    #expect(OutputFormats.growing == "csv, tsv, jsonl or template")
  }
}
