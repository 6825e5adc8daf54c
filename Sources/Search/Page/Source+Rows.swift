extension Source {
  struct FoundRows {
    var nodes: [JSONNode]
    /// Rows received, null entries included: what offsets and totals count.
    var received: Int
  }

  /// The rows of a reply (rule 5): null, and a missing path in an object, are an empty page; null entries
  /// are skipped; anything else that is no array is an error that names what it is.
  func foundRows(
    in values: ReplyValues, isFirst: Bool, notes: inout [String]
  ) throws(PageError) -> FoundRows {
    let document = values.document
    let node = rows.path.map { $0.firstNode(in: document, from: document.rootNode) } ?? document.rootNode
    guard let node, document.kind(of: node) != .null else {
      return try missingRows(in: values, isFirst: isFirst, notes: &notes)
    }
    guard document.kind(of: node) == .array else {
      throw PageError(
        .unreadable,
        message:
          "rows.path of source \(id) (\(pathText)) leads to \(document.kind(of: node).phrase), not an array",
        remedy: "correct rows.path")
    }
    let all = Array(document.elements(of: node))
    guard all.count <= 100_000 else {
      throw PageError(.unreadable, message: "a page of \(all.count) rows is more than 100,000")
    }
    let nodes = all.filter { document.kind(of: $0) != .null }
    if let odd = nodes.first(where: { document.kind(of: $0) != .object }) {
      throw PageError(
        .unreadable,
        message: "a row at \(pathText) of source \(id) is \(document.kind(of: odd).phrase), not an object")
    }
    return FoundRows(nodes: nodes, received: all.count)
  }

  private func missingRows(
    in values: ReplyValues, isFirst: Bool, notes: inout [String]
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard document.kind(of: document.rootNode) == .object, !rows.isRequired else {
      throw PageError(
        .unreadable,
        message: "the reply is \(document.kind(of: document.rootNode).phrase) without rows at \(pathText)",
        remedy: "correct rows.path of source \(id)")
    }
    if isFirst {
      let names = document.root.members.prefix(12).map(\.name).joined(separator: ", ")
      notes.append("no rows at \(pathText); the reply has: \(names.isEmpty ? "nothing" : names)")
    }
    return FoundRows(nodes: [], received: 0)
  }

  private var pathText: String { rows.path.map { "\($0)" } ?? "$" }
}

/// The identity of a row as a number: FNV-1a over the key's text (64 bits, so that a page of keys is one
/// flat array). `none` stands for a row without a key.
package enum RowKey {
  package static let none: UInt64 = 0

  package static func hash(_ text: String) -> UInt64 {
    let hash = fold(text.utf8, into: basis)
    return hash == none ? 1 : hash
  }

  /// One hash over the bytes of all rows.
  static func fingerprint(_ nodes: [JSONNode], in document: JSONDocument) -> UInt64 {
    var hash = basis
    for node in nodes { hash = fold(document.bytes[document.byteRange(of: node)], into: hash) }
    return hash
  }

  private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func fold(_ bytes: some Sequence<UInt8>, into start: UInt64) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
