import HTTPValues
import JSON

/// Storage for the JSON of loaded rows outside the state, backed by a file, or by memory in tests.
package struct RowArchive: Sendable {
  /// Stores bytes and returns their offset; nil if they cannot be stored.
  package var keep: @Sendable ([UInt8]) -> Int?
  /// The bytes of a stored range; nil if they cannot be read.
  package var read: @Sendable (Range<Int>) -> [UInt8]?

  package init(
    keep: @escaping @Sendable ([UInt8]) -> Int?, read: @escaping @Sendable (Range<Int>) -> [UInt8]?
  ) {
    self.keep = keep
    self.read = read
  }

  /// The unmodified rows of a page, in the order of `numbers`; nil if they are not stored or cannot be read.
  /// O(bytes of the rows).
  package func rows(_ numbers: [Int], of page: ArchivedRows) -> DocumentRows? {
    let texts = numbers.compactMap { page.range(of: $0).flatMap(read) }
    return texts.count == numbers.count ? page.document(of: texts) : nil
  }
}

/// The rows of one page in an archive, with the parts of the response needed to read them back unchanged. Header fields
/// are not stored, because they belong to the response and not to its rows.
package struct ArchivedRows: Sendable {
  /// The offset of the page's bytes in the archive.
  private let start: Int
  /// The end of each row, relative to `start`.
  private let ends: [UInt32]
  /// Whether the rows are the fields of an object, stored with their names (`@key`).
  private let areMembers: Bool
  private let namesRows: Bool
  private let url: WebURL
  private let options: [String: String]

  /// Stores the rows of a response; nil if the archive does not accept them. O(bytes of the rows).
  package init?(_ rows: DocumentRows, in archive: RowArchive) {
    let document = rows.response.document
    areMembers = rows.nodes.first.map { document.name(of: $0) != nil } ?? false
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
    ends.reserveCapacity(rows.nodes.count)
    for node in rows.nodes {
      let first = areMembers ? document.name(of: node) ?? node : node
      bytes +=
        document.bytes[document.byteRange(of: first).lowerBound..<document.byteRange(of: node).upperBound]
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    guard let start = archive.keep(bytes) else { return nil }
    self.start = start
    self.ends = ends
    namesRows = rows.response.namesRows
    url = rows.response.url
    options = rows.response.options
  }

  /// The bytes of a row's JSON. O(1).
  package func size(of row: Int) -> Int? { range(of: row)?.count }

  /// The byte range of a row in the archive. O(1).
  func range(of row: Int) -> Range<Int>? {
    guard ends.indices.contains(row) else { return nil }
    return start + (row == 0 ? 0 : Int(ends[row - 1]))..<start + Int(ends[row])
  }

  /// Parses the texts of rows as rows of a document.
  func document(of texts: [[UInt8]]) -> DocumentRows? {
    var bytes = [UInt8(ascii: areMembers ? "{" : "[")]
    bytes += texts.joined(separator: [UInt8(ascii: ",")])
    bytes.append(UInt8(ascii: areMembers ? "}" : "]"))
    guard let document = try? JSONDocument(bytes) else { return nil }
    let nodes =
      areMembers
      ? document.members(of: document.rootNode).map(\.value) : Array(document.elements(of: document.rootNode))
    var response = ResponseValues(document: document, headers: [], url: url, options: options)
    response.namesRows = namesRows
    return DocumentRows(response: response, nodes: nodes)
  }
}
