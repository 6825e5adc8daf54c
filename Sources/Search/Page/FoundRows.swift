import HTTPValues
import JSON

/// The rows found in a response.
struct FoundRows {
  /// The response that contains the rows; it has a new body if the rows had to be assembled.
  var response: ResponseValues
  var nodes: [JSONNode]
  /// The number of rows received, including null entries; the basis of offsets and totals.
  var received: Int
  /// The kind of absence if there are no rows; nil if there are rows, or an empty list of them.
  var absence: MissingRows.Absence?
  /// All elements with the document they are in, if the source leaves some of them out.
  var elements: (nodes: [JSONNode], document: JSONDocument)?
  /// The number of objects that have lists of rows, if all of these are empty.
  var groupCount: Int?
  /// Whether the response lacks the path of the rows.
  var isMissing = false
  /// Whether the response has one object, the only row, in place of a list.
  var isOnlyRow = false

  /// The hash of all received values.
  var fingerprint: UInt64? {
    elements.map { RowKey.fingerprint($0.nodes, in: $0.document) }
      ?? RowKey.fingerprint(nodes, in: response.document)
  }
}

extension Source {
  /// The rows of a response (rules 5, 23); null entries are skipped. Anything else than the source's form is an error
  /// that reports what was found. `MissingRows` decides what null and a missing path mean.
  func foundRows(in values: ResponseValues) throws(PageError) -> FoundRows {
    let document = values.document
    let path = rows.path ?? .root
    let all: [JSONNode]?
    var isOnly = false
    switch rows.form {
    case .columns(let names)?: return try arrayRows(at: path, in: values, names: names)
    case .columnar(let names)?: return try columnarRows(at: path, in: values, names: names)
    case .map?:
      all = try value(at: path, in: values).map { node throws(PageError) in
        try members(of: node, in: document)
      }
    case .object?:
      all = try value(at: path, in: values).map { node throws(PageError) in try object(node, in: document) }
    case .objectOrList?:
      let node = value(at: path, in: values)
      let isObject = node.map { document.kind(of: $0) == .object } ?? false
      all = isObject ? node.map { [$0] } : try selected(by: path, in: values)
    case nil where isOnlyRow(at: path, in: values):
      all = value(at: path, in: values).map { [$0] }
      isOnly = true
    case .list?, .scalars?, nil: all = try selected(by: path, in: values)
    }
    guard let all else { return try missingRows(in: values, at: path) }
    let nodes = all.filter { document.kind(of: $0) != .null && isWanted($0, in: values) }
    if let odd = nodes.first(where: { !isRow(document.kind(of: $0)) }) {
      throw oddRow(document.kind(of: odd), expected: rows.form == .scalars ? "text or a number" : "an object")
    }
    try checkAreAlike(nodes, in: document)
    var found = FoundRows(response: values, nodes: nodes, received: all.count, isOnlyRow: isOnly)
    if rows.condition != nil { found.elements = (all, document) }
    if all.isEmpty, let outer = path.outerList {
      found.groupCount = outer.nodes(in: document, from: document.rootNode).count
    }
    return rows.hasEnclosing && readsEnclosing ? try enclosed(found, at: path) : found
  }

  /// Whether the response has one object in place of a list, with a key as rows have.
  private func isOnlyRow(at path: JSONPath, in values: ResponseValues) -> Bool {
    guard rows.path != nil, !path.isPlural, let key = rows.key, let node = value(at: path, in: values) else {
      return false
    }
    return values.document.kind(of: node) == .object && values.text(of: key, at: node) != nil
  }

  /// Whether an expression reads the object around a row (`^`).
  private var readsEnclosing: Bool {
    let columns = columns + detail.fields + [detail.body].compactMap(\.self)
    let expressions = columns.map(\.value) + [rows.key, rows.link, detail.request?.url].compactMap(\.self)
    return expressions.contains(where: \.readsEnclosing)
      || actions.contains { action in
        switch action.effect {
        case .open(let value), .copy(let value): value.readsEnclosing
        case .run(let program): program.paths.contains(where: \.readsEnclosing)
        }
      }
  }

  /// The rows with a field `^` that holds the plain fields of the enclosing object, one level up.
  private func enclosed(_ found: FoundRows, at path: JSONPath) throws(PageError) -> FoundRows {
    let document = found.response.document
    let objects = Dictionary(
      path.nodesInObjects(in: document, from: document.rootNode).map { ($0.node, $0.object) },
      uniquingKeysWith: { first, _ in first })
    let rows = found.nodes.filter { document.kind(of: $0) == .object }
    let texts = rows.map { row in
      // If a name occurs several times, the last field counts.
      text(
        of: row, in: document,
        adding: Array("\"^\":{".utf8) + plainMembers(of: objects[row] ?? row, in: document) + Array("}".utf8))
    }
    return try reading(Array("[".utf8) + texts.joined(separator: ",".utf8) + Array("]".utf8), as: found)
  }

  /// The rows with a field `parent` that holds the values copied from their parent row. A row that has such a field
  /// keeps its own.
  func besideParent(of query: Query, _ found: FoundRows) throws(PageError) -> FoundRows {
    let document = found.response.document
    guard let copies = query.parent?.copies, !found.nodes.isEmpty,
      found.nodes.allSatisfy({ document.kind(of: $0) == .object })
    else { return found }
    let addition = Array("\"parent\":\(copies)".utf8)
    let texts = found.nodes.map { row in
      let hasOwn = document.members(of: row).contains { document.string(of: $0.name) == "parent" }
      return hasOwn
        ? Array(document.bytes[document.byteRange(of: row)]) : text(of: row, in: document, adding: addition)
    }
    // The rows of a map keep their names.
    guard rows.form == .map else {
      return try reading(Array("[".utf8) + texts.joined(separator: ",".utf8) + Array("]".utf8), as: found)
    }
    let members = zip(found.nodes, texts).map { node, text in
      let name = document.name(of: node).map { Array(document.bytes[document.byteRange(of: $0)]) } ?? []
      return name + Array(":".utf8) + text
    }
    return try reading(Array("{".utf8) + members.joined(separator: ",".utf8) + Array("}".utf8), as: found)
  }

  /// The text of an object with one more field at its end.
  private func text(of object: JSONNode, in document: JSONDocument, adding member: [UInt8]) -> [UInt8] {
    let inner = document.bytes[document.byteRange(of: object)].dropFirst().dropLast()
    let comma = document.members(of: object).contains { _ in true } ? "," : ""
    return Array("{".utf8) + inner + Array(comma.utf8) + member + Array("}".utf8)
  }

  /// The fields of an object that are neither objects nor lists, in their source text.
  private func plainMembers(of object: JSONNode, in document: JSONDocument) -> [UInt8] {
    let plain = document.members(of: object).filter {
      ![.object, .array].contains(document.kind(of: $0.value))
    }
    return Array(
      plain.map { member in
        document.bytes[
          document.byteRange(of: member.name).lowerBound..<document.byteRange(of: member.value).upperBound]
      }.joined(separator: ",".utf8))
  }

  /// The rows of a new document that was assembled from those found.
  private func reading(_ list: [UInt8], as found: FoundRows) throws(PageError) -> FoundRows {
    guard list.count <= Self.maxBytes else { throw tooManyBytes }
    do {
      let assembled = try JSONDocument(list)
      var result = found
      result.response.document = assembled
      result.nodes =
        assembled.kind(of: assembled.rootNode) == .object
        ? assembled.members(of: assembled.rootNode).map(\.value)
        : Array(assembled.elements(of: assembled.rootNode))
      return result
    } catch {
      throw PageError(.unreadable, message: "cannot assemble the rows of source \(id): \(error)")
    }
  }

  /// Whether a value is one of the rows (`rows.where`).
  private func isWanted(_ node: JSONNode, in values: ResponseValues) -> Bool {
    rows.condition.map { values.holds($0, at: node) } ?? true
  }

  /// Rows that are arrays; with names they are read as objects.
  private func arrayRows(
    at path: JSONPath, in values: ResponseValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard let all = try selected(by: path, in: values) else { return try missingRows(in: values, at: path) }
    let nodes = all.filter { document.kind(of: $0) != .null }
    if let odd = nodes.first(where: { document.kind(of: $0) != .array }) {
      throw oddRow(document.kind(of: odd), expected: "an array")
    }
    guard let names else { return FoundRows(response: values, nodes: nodes, received: all.count) }
    return try assembledRows(count: nodes.count, received: all.count, in: values, names: names) {
      Array(document.elements(of: nodes[$0]))
    }
  }

  /// Rows assembled across arrays; with names they are read as objects, otherwise as arrays.
  private func columnarRows(
    at path: JSONPath, in values: ResponseValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    guard let all = try selected(by: path, in: values) else { return try missingRows(in: values, at: path) }
    let columns = try all.map { node throws(PageError) in try elements(of: node, in: values.document) }
    let count = columns.map(\.count).max() ?? 0
    // Short rows with long names can expand a small response enormously.
    guard count * columns.count <= Self.maxBytes else { throw tooManyBytes }
    return try assembledRows(count: count, received: count, in: values, names: names) { row in
      columns.map { row < $0.count ? $0[row] : nil }
    }
  }

  /// The value at a path; nil if there is none, or null.
  private func value(at path: JSONPath, in values: ResponseValues) -> JSONNode? {
    path.firstNode(in: values.document, from: values.document.rootNode).flatMap {
      values.document.kind(of: $0) == .null ? nil : $0
    }
  }

  /// The elements of the list at a path, or all values of a plural path; nil if there is no list.
  private func selected(by path: JSONPath, in values: ResponseValues) throws(PageError) -> [JSONNode]? {
    let document = values.document
    guard let list = value(at: path.singularPrefix, in: values) else { return nil }
    let elements = try elements(of: list, in: document)
    return path.isPlural ? try bounded(path.nodes(in: document, from: document.rootNode)) : elements
  }

  private func elements(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    if ResponseValue.node(node, document).isEmptyScalar { return [] }
    guard document.kind(of: node) == .array else { throw noRows(document.kind(of: node), "an array") }
    return try bounded(Array(document.elements(of: node)))
  }

  private func object(_ node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    guard document.kind(of: node) == .object else { throw noRows(document.kind(of: node), "an object") }
    return [node]
  }

  /// The values of an object; of duplicate names only the last. PHP writes an empty object as `[]`.
  private func members(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    if document.kind(of: node) == .array, document.count(of: node) == 0 { return [] }
    if ResponseValue.node(node, document).isEmptyScalar { return [] }
    guard document.kind(of: node) == .object else { throw noRows(document.kind(of: node), "an object") }
    return try bounded(JSONValue(document: document, node: node).members.map(\.value.node))
  }

  private func bounded(_ nodes: [JSONNode]) throws(PageError) -> [JSONNode] {
    guard nodes.count <= 100_000 else {
      throw PageError(.unreadable, message: "a page has \(nodes.count) rows, more than the limit of 100,000")
    }
    return nodes
  }

  /// Whether a value can be a row. The values of a map are rows regardless of their type.
  private func isRow(_ kind: JSONKind) -> Bool {
    switch kind {
    case _ where rows.form == .map: true
    case .object: rows.form != .scalars
    case .string, .number, .bool: takesScalars
    case .array, .null: false
    }
  }

  /// Whether plain values are rows: the source says so, or it declares no form and reads `$` itself.
  private var takesScalars: Bool {
    switch rows.form {
    case .scalars?: true
    case .list?, .map?, .columns?, .columnar?, .object?, .objectOrList?: false
    case nil: columns.isEmpty || columns.contains(where: \.value.readsRoot) || rows.key?.readsRoot ?? false
    }
  }

  private func missingRows(in values: ResponseValues, at path: JSONPath) throws(PageError) -> FoundRows {
    let document = values.document
    let place = path.singularPrefix.firstNode(in: document, from: document.rootNode)
    let kind = document.kind(of: document.rootNode)
    // PHP writes an empty object as `[]`.
    let isEmptyList = rows.mayBeMissing && kind == .array && document.count(of: document.rootNode) == 0
    guard kind == .object && (!rows.isRequired || rows.mayBeMissing) || isEmptyList else {
      throw PageError(
        .unreadable,
        message: "no rows at \(pathText): the response is \(kind.phrase)",
        remedy: "correct rows.path of source \(id)", needsRestart: true)
    }
    if rows.mayBeMissing {
      return FoundRows(response: values, nodes: [], received: 0, isMissing: place == nil)
    }
    return FoundRows(response: values, nodes: [], received: 0, absence: place == nil ? .nothing : .null)
  }
}

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

  private func noRows(_ kind: JSONKind, _ expected: String) -> PageError {
    PageError(
      .unreadable,
      message: "the value at \(pathText) (rows.path of source \(id)) is \(kind.phrase), not \(expected)",
      remedy: kind == .object
        ? "correct rows.path, or set rows.shape = \"map\" to use the values of an object as rows"
        : "correct rows.path", needsRestart: true)
  }

  private func oddRow(_ kind: JSONKind, expected: String) -> PageError {
    PageError(
      .unreadable, message: "a row at \(pathText) of source \(id) is \(kind.phrase), not \(expected)",
      remedy: kind.matchingShape.map { "set rows.shape = \"\($0)\" for such rows" },
      needsRestart: kind.matchingShape != nil)
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

extension Source {
  /// Rows serialized as one list: objects if there are names, otherwise arrays.
  ///
  /// Values are copied byte by byte, so numbers keep their text. Values without a name are left out.
  ///
  /// - Parameters:
  ///   - count: The number of rows that are not null.
  ///   - received: The number of rows received, including null entries.
  ///   - row: The values of a row; nil for missing ones.
  private func assembledRows(
    count: Int, received: Int, in values: ResponseValues, names: ColumnNames?, row: (Int) -> [JSONNode?]
  ) throws(PageError) -> FoundRows {
    let found = FoundRows(response: values, nodes: [], received: received)
    if count == 0 { return found }
    let document = values.document
    let texts: [String]? = if let names { try texts(of: names, in: document) } else { nil }
    // Encoded as JSON, including the colon.
    let keys = texts.map { $0.map { Array("\(JSONText.quoted($0)):".utf8) } }
    let (open, close) = keys == nil ? ("[", "]") : ("{", "}")
    var list: [UInt8] = [UInt8(ascii: "[")]
    for index in 0..<count {
      if index > 0 { list.append(UInt8(ascii: ",")) }
      list += open.utf8
      let nodes = row(index)
      for (place, node) in nodes.prefix(keys?.count ?? nodes.count).enumerated() {
        if place > 0 { list.append(UInt8(ascii: ",")) }
        if let keys { list += keys[place] }
        if let node { list += document.bytes[document.byteRange(of: node)] } else { list += "null".utf8 }
      }
      list += close.utf8
      guard list.count < Self.maxBytes else { throw tooManyBytes }
    }
    list.append(UInt8(ascii: "]"))
    return try reading(list, as: found)
  }

  private var tooManyBytes: PageError {
    PageError(.unreadable, message: "the rows of source \(id), with their column names, exceed 64 MiB")
  }

  private static var maxBytes: Int { 64 << 20 }

  private func texts(of names: ColumnNames, in document: JSONDocument) throws(PageError) -> [String] {
    switch names {
    case .stated(let names): return names
    case .path(let path):
      let found = path.nodes(in: document, from: document.rootNode)
      let nodes = path.isPlural ? found : found.first.map { Array(document.elements(of: $0)) } ?? []
      let names = nodes.compactMap { document.text(of: $0) }
      guard !names.isEmpty, names.count == nodes.count else {
        throw PageError(
          .unreadable, message: "rows.names of source \(id) (\(path)) is not a list of names in the response",
          remedy: "correct rows.names, or list the names in it", needsRestart: true)
      }
      return names
    }
  }
}
