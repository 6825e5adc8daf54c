/// The rows found in a reply.
struct FoundRows {
  /// The reply that contains the rows; it has a new body if the rows had to be assembled.
  var reply: ReplyValues
  var nodes: [JSONNode]
  /// The number of rows received, including null entries; the basis of offsets and totals.
  var received: Int
  /// What was found instead of rows; nil if there are rows, or an empty list of them.
  var absence: Absence?

  enum Absence { case null, nothing }

  var documentRows: DocumentRows { DocumentRows(reply: reply, nodes: nodes) }
}

extension Source {
  /// The rows of a reply (rules 5, 23). Null, and a missing path in an object, are an empty page; null
  /// entries are skipped. Anything that does not have the source's form is an error that says what was found.
  func foundRows(in values: ReplyValues) throws(PageError) -> FoundRows {
    let document = values.document
    let path = rows.path ?? .root
    switch rows.form {
    case .columns(let names)?: return try arrayRows(at: path, in: values, names: names)
    case .columnar(let names)?: return try columnarRows(at: path, in: values, names: names)
    case .list?, .map?, .scalars?, nil: break
    }
    let place = path.firstNode(in: document, from: document.rootNode)
    guard let node = place, document.kind(of: node) != .null else {
      return try missingRows(in: values, at: path)
    }
    let all = rows.form == .map ? try members(of: node, in: document) : try elements(of: node, in: document)
    let nodes = all.filter { document.kind(of: $0) != .null }
    if let odd = nodes.first(where: { !isRow(document.kind(of: $0)) }) {
      throw oddRow(document.kind(of: odd), expected: rows.form == .scalars ? "text or a number" : "an object")
    }
    try checkAreAlike(nodes, in: document)
    return FoundRows(reply: values, nodes: nodes, received: all.count)
  }

  /// Rows that are arrays; with names they are read as objects.
  private func arrayRows(
    at path: JSONPath, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard let all = try selected(by: path, in: values) else { return try missingRows(in: values, at: path) }
    let nodes = all.filter { document.kind(of: $0) != .null }
    try checkAreArrays(nodes, in: document)
    guard let names else { return FoundRows(reply: values, nodes: nodes, received: all.count) }
    return try assembledRows(
      RowParts(arrays: nodes, received: all.count, in: document), in: values, names: names)
  }

  /// Rows assembled across arrays; with names they are read as objects, otherwise as arrays.
  private func columnarRows(
    at path: JSONPath, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    guard let arrays = try selected(by: path, in: values) else {
      return try missingRows(in: values, at: path)
    }
    return try assembledRows(try parts(columns: arrays, in: values.document), in: values, names: names)
  }

  /// The elements of the list at a path, or all values of a path that selects several; nil if there is no
  /// list.
  private func selected(by path: JSONPath, in values: ReplyValues) throws(PageError) -> [JSONNode]? {
    let document = values.document
    let list = path.singularPrefix.firstNode(in: document, from: document.rootNode)
    guard let list, document.kind(of: list) != .null else { return nil }
    let elements = try elements(of: list, in: document)
    return path.isPlural ? try bounded(path.nodes(in: document, from: document.rootNode)) : elements
  }

  func elements(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    guard document.kind(of: node) == .array else { throw noRows(document.kind(of: node), "an array") }
    return try bounded(Array(document.elements(of: node)))
  }

  /// The values of an object; of duplicate names only the last. PHP writes an empty object as `[]`.
  private func members(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    if document.kind(of: node) == .array, document.count(of: node) == 0 { return [] }
    guard document.kind(of: node) == .object else { throw noRows(document.kind(of: node), "an object") }
    return try bounded(JSONValue(document: document, node: node).members.map(\.value.node))
  }

  private func bounded(_ nodes: [JSONNode]) throws(PageError) -> [JSONNode] {
    guard nodes.count <= Self.mostRows else {
      throw PageError(.unreadable, message: "a page has \(nodes.count) rows, more than the limit of 100,000")
    }
    return nodes
  }

  private static var mostRows: Int { 100_000 }

  /// Whether a value can be a row. The values of a map are rows regardless of their type.
  private func isRow(_ kind: JSONKind) -> Bool {
    if rows.form == .map { return true }
    switch kind {
    case .object: return rows.form != .scalars
    case .string, .number, .bool: return takesScalars
    case .array, .null: return false
    }
  }

  /// Whether plain values are rows: if the source says so, or says nothing and reads `$` itself.
  private var takesScalars: Bool {
    switch rows.form {
    case .scalars?: true
    case .list?, .map?, .columns?, .columnar?: false
    case nil: columns.isEmpty || columns.contains(where: \.value.readsRoot) || rows.key?.readsRoot ?? false
    }
  }

  private func missingRows(in values: ReplyValues, at path: JSONPath) throws(PageError) -> FoundRows {
    let document = values.document
    let place = path.singularPrefix.firstNode(in: document, from: document.rootNode)
    guard document.kind(of: document.rootNode) == .object, !rows.isRequired else {
      throw PageError(
        .unreadable,
        message: "no rows at \(pathText): the reply is \(document.kind(of: document.rootNode).phrase)",
        remedy: "correct rows.path of source \(id)")
    }
    return FoundRows(reply: values, nodes: [], received: 0, absence: place == nil ? .nothing : .null)
  }

  /// The warnings about missing rows: on the first page, whose path may be wrong, and if a promised page has
  /// none and ends the list. On other pages, missing rows are the normal end of a list.
  func notes(of found: FoundRows, at position: Position, _ continuation: Continuation) -> [String] {
    guard let absence = found.absence else { return [] }
    guard position.ordinal == 0 || absence == .nothing && isPromisedEnd(at: position, continuation) else {
      return []
    }
    let names = found.reply.document.root.members.prefix(12).map(\.name).joined(separator: ", ")
    let place = position.ordinal == 0 ? "" : "page \(position.ordinal + 1) is the last: "
    return ["\(place)no rows at \(pathText). The reply has: \(names.isEmpty ? "nothing" : names)"]
  }

  /// Whether a list ends with a page that the previous page linked to.
  func isPromisedEnd(at position: Position, _ continuation: Continuation) -> Bool {
    guard case .end = continuation else { return false }
    return position.ordinal > 0 && pagination.style.numbering == nil
  }
}

// MARK: Rows of an unexpected form

extension Source {
  /// Throws if the source does not declare the form of its rows, and some are objects but others are not.
  private func checkAreAlike(_ nodes: [JSONNode], in document: JSONDocument) throws(PageError) {
    guard rows.form == nil, let first = nodes.first.map(document.kind) else { return }
    if let odd = nodes.map(document.kind).first(where: { ($0 == .object) != (first == .object) }) {
      throw PageError(
        .unreadable,
        message:
          "rows at \(pathText) of source \(id) are of different kinds: \(first.phrase) and \(odd.phrase)")
    }
  }

  func checkAreArrays(_ nodes: [JSONNode], in document: JSONDocument) throws(PageError) {
    if let odd = nodes.first(where: { document.kind(of: $0) != .array }) {
      throw oddRow(document.kind(of: odd), expected: "an array")
    }
  }

  func noRows(_ kind: JSONKind, _ expected: String) -> PageError {
    PageError(
      .unreadable,
      message: "rows.path of source \(id) (\(pathText)) is \(kind.phrase) in the reply, not \(expected)",
      remedy: kind == .object
        ? "correct rows.path, or set rows.shape = \"map\" to use the values of an object as rows"
        : "correct rows.path")
  }

  private func oddRow(_ kind: JSONKind, expected: String) -> PageError {
    PageError(
      .unreadable,
      message: "a row at \(pathText) of source \(id) is \(kind.phrase), not \(expected)",
      remedy: kind.matchingShape.map { "set rows.shape = \"\($0)\" for such rows" })
  }

  var pathText: String { rows.path.map { "\($0)" } ?? "$" }
}

extension JSONKind {
  /// The shape for rows of this kind.
  fileprivate var matchingShape: String? {
    switch self {
    case .object: "list"
    case .array: "columns"
    case .string, .number, .bool: "scalars"
    case .null: nil
    }
  }
}
