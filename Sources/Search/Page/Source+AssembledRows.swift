/// Rows assembled from values, for a reply that does not contain them as objects.
struct RowParts {
  /// The number of rows that are not null.
  let count: Int
  /// The number of rows received, including null entries.
  let received: Int
  /// The maximum number of values in a row.
  let width: Int
  /// The values of a row; nil for missing ones.
  let values: (Int) -> [JSONNode?]
}

extension RowParts {
  /// Rows that are arrays.
  init(arrays rows: [JSONNode], received: Int, in document: JSONDocument) {
    self.init(count: rows.count, received: received, width: 0) { Array(document.elements(of: rows[$0])) }
  }
}

extension Source {
  /// Rows across several arrays, each of which contains one value of every row.
  func parts(columns nodes: [JSONNode], in document: JSONDocument) throws(PageError) -> RowParts {
    var columns: [[JSONNode]] = []
    for node in nodes { columns.append(try elements(of: node, in: document)) }
    let count = columns.map(\.count).max() ?? 0
    return RowParts(count: count, received: count, width: columns.count) { [columns] row in
      columns.map { row < $0.count ? $0[row] : nil }
    }
  }

  /// The rows serialized as one list: objects if there are names, otherwise arrays.
  ///
  /// Values are copied byte by byte, so numbers keep their text. Values without a name are left out.
  func assembledRows(
    _ parts: RowParts, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard parts.count > 0 else { return FoundRows(reply: values, nodes: [], received: parts.received) }
    let texts: [String]? = if let names { try texts(of: names, in: document) } else { nil }
    let writer = RowWriter(document: document, names: texts)
    guard let bytes = writer.list(of: parts, atMost: Self.mostBytes) else {
      throw PageError(
        .unreadable, message: "the rows of source \(id), with their column names, exceed 64 MiB")
    }
    do {
      let assembled = try JSONDocument(bytes)
      return FoundRows(
        reply: values.with(assembled), nodes: Array(assembled.elements(of: assembled.rootNode)),
        received: parts.received)
    } catch {
      throw PageError(.unreadable, message: "cannot assemble the rows of source \(id): \(error)")
    }
  }

  private static var mostBytes: Int { 64 << 20 }

  private func texts(of names: ColumnNames, in document: JSONDocument) throws(PageError) -> [String] {
    switch names {
    case .stated(let names): return names
    case .path(let path):
      let found = path.nodes(in: document, from: document.rootNode)
      let nodes = path.isPlural ? found : found.first.map { Array(document.elements(of: $0)) } ?? []
      let names = nodes.compactMap { document.text(of: $0) }
      guard !names.isEmpty, names.count == nodes.count else {
        throw PageError(
          .unreadable,
          message: "rows.names of source \(id) (\(path)) is not a list of names in the reply",
          remedy: "correct rows.names, or list the names in it")
      }
      return names
    }
  }
}

/// Writes rows as JSON.
private struct RowWriter {
  private let document: JSONDocument
  /// Encoded as JSON, including the colon.
  private let names: [[UInt8]]?

  init(document: JSONDocument, names: [String]?) {
    self.document = document
    self.names = names.map { $0.map { Array("\(JSONText.quoted($0)):".utf8) } }
  }

  /// Nil if the result would exceed the limit in bytes.
  func list(of rows: RowParts, atMost limit: Int) -> [UInt8]? {
    // Short rows with long names can expand a small reply enormously.
    guard rows.count * rows.width <= limit else { return nil }
    var output: [UInt8] = [UInt8(ascii: "[")]
    for index in 0..<rows.count {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(rows.values(index), to: &output)
      guard output.count < limit else { return nil }
    }
    output.append(UInt8(ascii: "]"))
    return output
  }

  private func append(_ row: [JSONNode?], to output: inout [UInt8]) {
    output.append(names == nil ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    for (place, node) in row.prefix(names?.count ?? row.count).enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      if let names { output += names[place] }
      if let node { output += document.bytes[document.byteRange(of: node)] } else { output += "null".utf8 }
    }
    output.append(names == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
  }
}
