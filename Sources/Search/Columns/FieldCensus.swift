package import JSON
import Text

/// Every field that rows have, with what a person needs to know to choose it as a column.
package struct FieldCensus: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case text, number, list, object, mixed
    case bool = "yes/no"
    case time
    /// Null in every row.
    case null

    package init(of node: JSONNode, in document: JSONDocument) {
      self =
        switch document.kind(of: node) {
        case .null: .null
        case .string:
          document.text(of: node).flatMap { $0.utf8.count >= 10 ? Timestamp(iso8601: $0) : nil } == nil
            ? .text : .time
        case .number: .number
        case .bool: .bool
        case .array: .list
        case .object: .object
        }
    }

    /// The kind of the values at a path in some rows.
    package init(of path: JSONPath, in rows: DocumentRows) {
      let document = rows.response.document
      let nodes = rows.nodes.compactMap { path.firstNode(in: document, from: $0) }
      let kinds = Set(nodes.map { Self(of: $0, in: document) }).subtracting([.null])
      self = path.isPlural ? .list : kinds.count > 1 ? .mixed : kinds.first ?? .null
    }
  }

  package struct Field: Sendable, Hashable {
    package let path: JSONPath
    /// `mixed` if its values are of several kinds; null is none of them.
    package fileprivate(set) var kind: Kind
    /// The number of rows that have it, with a value other than null.
    package fileprivate(set) var count: Int
    /// The first value that is not empty, at most `maxSample` characters of it.
    package fileprivate(set) var sample: String
  }

  /// The number of rows that were looked at.
  package private(set) var rowCount = 0
  /// In the order in which they first occur. An object is listed by its fields, even if it is null in some rows.
  package var fields: [Field] { known.filter { $0.kind != .null || !objects.contains($0.path) } }
  private var known: [Field] = []
  private var places: [JSONPath: Int] = [:]
  /// The paths of objects with fields.
  private var objects: Set<JSONPath> = []

  /// The maximum number of fields; those that occur later are left out.
  static let maxFields = 10_000
  private static let maxDepth = 16
  private static let maxSample = 120

  package init() {}

  /// The fields of these rows. O(bytes of the rows).
  package init(of rows: DocumentRows) { add(rows) }

  /// `Did you mean "owner.login"?`; nil if no path of a field is similar.
  package func question(_ path: String) -> String? {
    NearestName.question(path, among: fields.lazy.map(\.path.description))
  }

  /// Counts the fields of rows. O(bytes of the rows).
  package mutating func add(_ rows: DocumentRows) {
    for node in rows.nodes {
      rowCount += 1
      var seen: Set<Int> = []
      add(node, at: [], in: rows.response.document, &seen)
    }
  }

  private mutating func add(
    _ node: JSONNode, at steps: [JSONPath.Step], in document: JSONDocument, _ seen: inout Set<Int>
  ) {
    switch document.kind(of: node) {
    case .object where document.count(of: node) > 0 && steps.count < Self.maxDepth:
      objects.insert(JSONPath(steps: steps))
      for (name, value) in document.members(of: node) {
        guard let name = document.string(of: name) else { continue }
        add(value, at: steps + [.member(JSONKey(name))], in: document, &seen)
      }
    case .array:
      note(node, at: steps, in: document, &seen)
      let elements = document.elements(of: node)
      guard steps.count < Self.maxDepth, let first = elements.first(where: { _ in true }),
        document.kind(of: first) == .object
      else { return }
      for element in elements { add(element, at: steps + [.allElements], in: document, &seen) }
    default: note(node, at: steps, in: document, &seen)
    }
  }

  /// - Parameter seen: The fields of the row so far: one in a list is there several times.
  private mutating func note(
    _ node: JSONNode, at steps: [JSONPath.Step], in document: JSONDocument, _ seen: inout Set<Int>
  ) {
    let kind = Kind(of: node, in: document)
    let path = JSONPath(steps: steps)
    let place = places[path] ?? known.count
    if place == known.count {
      guard known.count < Self.maxFields else { return }
      places[path] = place
      known.append(Field(path: path, kind: .null, count: 0, sample: ""))
    }
    if kind == .null { return }
    if seen.insert(place).inserted { known[place].count += 1 }
    if known[place].kind != kind { known[place].kind = known[place].kind == .null ? kind : .mixed }
    if known[place].sample.isEmpty { known[place].sample = Self.sample(of: node, in: document) }
  }

  /// The column for the field that a filter names; nil if no row has one. A path that was found in none of the rows
  /// looked at may be in the others; a name is not, because it may also be a word that a colon follows.
  ///
  /// - Parameter rowCount: The number of rows that may have it.
  package func column(_ named: RowFilter.Term.Named, in rowCount: Int) -> Column? {
    let fields = fields
    let written = Column.identifier(named.column)
    let names = fields.compactMap { if case .member(let key)? = $0.path.steps.first { key } else { nil } }
    let name =
      names.first { $0.name == named.column } ?? names.first { Column.identifier($0.name) == written }
    guard let path = named.path ?? name.map({ JSONPath(steps: [.member($0)]) }),
      named.path == nil || rowCount > self.rowCount || has(path)
    else { return nil }
    return Column(path, fields.first { $0.path == path }?.kind ?? .mixed)
  }

  /// Whether a row has a value at a path, as far as that is known without the numbers of its elements.
  package func has(_ path: JSONPath) -> Bool {
    let steps = path.steps.map { step -> JSONPath.Step in
      switch step {
      case .element, .slice, .firstElement: .allElements
      case .member, .allElements, .name: step
      }
    }
    return fields.contains {
      $0.path.steps.starts(with: steps) || $0.path.steps + [.allElements] == steps
    }
  }

  private static func sample(of node: JSONNode, in document: JSONDocument) -> String {
    let text =
      switch document.kind(of: node) {
      case .array, .object:
        JSONText.readable(
          String(decoding: document.compactBytes(of: node).prefix(6 * maxSample), as: UTF8.self))
      default: document.text(of: node) ?? ""
      }
    return String(text.prefix(maxSample))
  }
}

extension Column {
  /// The column of a field, in the form for values of a kind.
  ///
  /// - Parameter name: The name and the title; by default, the path.
  package init(_ path: JSONPath, named name: String? = nil, _ kind: FieldCensus.Kind) {
    self.init(
      name: name ?? "\(path)", value: ValueExpression([.path(path)]),
      format: kind == .time ? .relative : kind == .bool ? .bool : .text)
    if kind == .number { alignment = .trailing }
  }
}
