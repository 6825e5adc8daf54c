import HTTPValues
import JSON
import Locking
import Testing

@testable import Search

@Suite struct ArchivedRowsTests {
  /// An in-memory archive that initially contains `before`.
  private func archive(before: String = "") -> RowArchive {
    let bytes = Lock(Array(before.utf8))
    return RowArchive(
      keep: { more in
        bytes.withLock { bytes in
          defer { bytes += more }
          return bytes.count
        }
      },
      read: { range in bytes.withLock { range.upperBound <= $0.count ? Array($0[range]) : nil } })
  }

  private func rows(_ body: String, _ path: String = "$") throws -> DocumentRows {
    let document = try JSONDocument(Array(body.utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://example.org/a?b=c"), options: ["sort": "new"])
    let list = try #require(try JSONPath(path).firstNode(in: document, from: document.rootNode))
    let members = document.members(of: list).map(\.value)
    return DocumentRows(
      response: response, nodes: members.isEmpty ? Array(document.elements(of: list)) : members)
  }

  private func texts(_ rows: DocumentRows?) throws -> [String] {
    let rows = try #require(rows)
    return rows.nodes.map {
      String(decoding: rows.response.document.bytes[rows.response.document.byteRange(of: $0)], as: UTF8.self)
    }
  }

  @Test func `Rows are returned unchanged, in the requested order.`() throws {
    let archive = archive(before: "of another page")
    let page = try #require(
      ArchivedRows(
        try rows(#"{"n": 3, "items": [{"a": 1.0}, {"a": "\u65e5"},  {"a" : [ ]}]}"#, "$.items"), in: archive))
    #expect(try texts(archive.rows([2, 0], of: page)) == [#"{"a" : [ ]}"#, #"{"a": 1.0}"#])
    #expect(archive.rows([0], of: page)?.response.url.description == "https://example.org/a?b=c")
    #expect(archive.rows([0], of: page)?.response.options == ["sort": "new"])
  }

  @Test func `Rows that are members of an object keep their names.`() throws {
    let archive = archive()
    let page = try #require(ArchivedRows(try rows(#"{"x": {"a": 1}, "y\n" : {"a": 2}}"#), in: archive))
    let read = try #require(archive.rows([1], of: page))
    let name = read.response.document.name(of: read.nodes[0])
    #expect(name.flatMap(read.response.document.text) == "y\n")
    #expect(try texts(read) == [#"{"a": 2}"#])
  }

  @Test func `Plain values are rows, and an empty page has none.`() throws {
    let archive = archive()
    let page = try #require(ArchivedRows(try rows(#"["one", 2, true]"#), in: archive))
    #expect(try texts(archive.rows([0, 1, 2], of: page)) == ["\"one\"", "2", "true"])
    let nothing = try #require(ArchivedRows(try rows("[]"), in: archive))
    #expect(archive.rows([0], of: nothing) == nil)
    #expect(try texts(archive.rows([], of: nothing)).isEmpty)
  }

  @Test func `Rows that cannot be stored or read back are nil.`() throws {
    let rows = try rows("[1]")
    #expect(ArchivedRows(rows, in: RowArchive(keep: { _ in nil }, read: { _ in nil })) == nil)
    let lost = RowArchive(keep: { _ in 0 }, read: { _ in nil })
    #expect(lost.rows([0], of: try #require(ArchivedRows(rows, in: lost))) == nil)
    let other = RowArchive(keep: { _ in 0 }, read: { _ in Array("]".utf8) })
    #expect(other.rows([0], of: try #require(ArchivedRows(rows, in: other))) == nil)
  }
}
