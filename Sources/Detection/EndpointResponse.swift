import JSON
import Search

/// The list in the schema of a response.
struct EndpointResponse: Sendable {
  /// A value in the response outside its rows.
  struct Place: Sendable {
    let path: JSONPath
    let schema: EndpointSchema
    let name: String
    let parentName: String

    var word: String { ParameterRole.word(name) }
    var depth: Int { path.steps.count }
  }

  /// The values outside the rows, breadth first, starting with the response itself.
  let places: [Place]
  let rowsPath: JSONPath
  let shape: RowsGuess.Shape
  let row: EndpointSchema
  /// The columns a row could have: its scalars and those of the objects in it.
  let fields: [Place]

  private static let deepest = 4
  private static let maxPlaces = 300

  /// Finds the list; nil if the schema has none.
  init?(_ schema: JSONNode, _ reader: inout SchemaReader) {
    places = Self.places(in: reader.schema(schema), deepest: Self.deepest, &reader)
    guard let found = Self.rows(places, &reader) else { return nil }
    (rowsPath, shape, row) = (found.path, found.shape, found.row)
    fields = Array(Self.places(in: found.row, deepest: 2, &reader).dropFirst())
  }

  private static func places(
    in root: EndpointSchema, deepest: Int, _ reader: inout SchemaReader
  ) -> [Place] {
    var places = [Place(path: .root, schema: root, name: "", parentName: "")]
    var next = 0
    while next < places.count, places.count < maxPlaces {
      let place = places[next]
      next += 1
      guard place.schema.kind == .object, place.depth < deepest else { continue }
      for property in place.schema.properties.prefix(maxPlaces - places.count) {
        places.append(
          Place(
            path: JSONPath(steps: place.path.steps + [.member(JSONKey(property.name))]),
            schema: reader.schema(property.schema), name: property.name, parentName: place.name))
      }
    }
    return places
  }

  private typealias Rows = (path: JSONPath, shape: RowsGuess.Shape, row: EndpointSchema)

  private static func rows(_ places: [Place], _ reader: inout SchemaReader) -> Rows? {
    var found: [(rank: (kind: Int, depth: Int, name: Int, fields: Int, order: Int), rows: Rows)] = []
    for (order, place) in places.enumerated() {
      let name = place.depth == 0 || ResponseWords.rows.contains(place.word) ? 0 : 1
      func add(_ kind: Int, _ shape: RowsGuess.Shape, _ row: EndpointSchema) {
        let isAside = RowsGuess.isAboutResponse(Set(row.properties.map { ParameterRole.word($0.name) }))
        found.append(
          ((isAside ? 3 : kind, place.depth, name, -row.properties.count, order), (place.path, shape, row)))
      }
      if place.schema.kind == .array {
        let row = place.schema.items.map { reader.schema($0) } ?? EndpointSchema()
        switch row.kind {
        case .object, .unknown:
          add(row.kind == .unknown && row.defect == nil && place.depth > 0 ? 1 : 0, .list, row)
        case .string, .integer, .number: add(name == 0 ? 3 : 4, .scalars, row)
        case .array, .boolean: break
        }
      } else if place.schema.kind == .object, place.schema.properties.isEmpty, name == 0,
        let values = place.schema.mapValues.map({ reader.schema($0) }), values.kind == .object
      {
        add(2, .map, values)
      }
    }
    return found.min { $0.rank < $1.rank }?.rows
  }

  /// The first place outside the rows with one of these words, nearest to the root.
  func place(_ words: [String], where passes: (Place) -> Bool = { _ in true }) -> Place? {
    places.dropFirst().first { words.contains($0.word) && passes($0) }
  }

  /// Whether the response describes one object that has lists, rather than a list.
  var isOneObject: Bool {
    guard let root = places.first, root.schema.kind == .object, rowsPath != .root, shape != .map else {
      return false
    }
    // A list of strings among other fields is a property of one object.
    if shape == .scalars, root.schema.properties.count > 1 { return true }
    return root.schema.properties.contains { ["id", "uuid", "guid", "_id", "slug"].contains($0.name) }
  }

  /// The field that identifies a row; nil if none is named so.
  var key: String? {
    if shape == .map { return "@key" }
    if shape == .scalars { return "$" }
    let plain = fields.filter { $0.depth == 1 && ($0.schema.isScalar || $0.schema.kind == .unknown) }
    let found =
      ResponseWords.keys.lazy.compactMap { word in plain.first { $0.word == word } }.first
      ?? plain.first { $0.name.hasSuffix("_id") || $0.name.hasSuffix("Id") }
    return found.map { "\($0.path)" }
  }

  /// The URL of a row for a browser.
  var link: String? {
    let words = ["htmlurl", "weburl", "permalink", "webviewlink", "htmllink", "link", "url"]
    let texts = fields.filter { $0.depth == 1 && $0.schema.kind == .string }
    return words.lazy.compactMap { word in texts.first { $0.word == word } }.first.map { "\($0.path)" }
  }

  /// Where the total number of rows is, in the body or one of the response's headers.
  func total(_ headers: [String]) -> String? {
    func isCount(_ place: Place) -> Bool { place.schema.isNumber || place.schema.kind == .unknown }
    for word in ResponseWords.totals {
      if let place = place([word], where: isCount) { return "\(place.path)" }
    }
    let header = ResponseWords.totalHeaders.first { name in
      headers.contains { $0.lowercased() == name.lowercased() }
    }
    return header.map { "header:\($0.lowercased())" }
  }
}

extension EndpointResponse {
  /// At most six columns that a person would choose: the title, then fields that distinguish rows.
  var columns: [ColumnGuess] {
    switch shape {
    case .scalars: return [ColumnGuess(name: "value", path: "$")]
    case .map: return [ColumnGuess(name: "key", path: "@key")] + chosen(5)
    case .list, .columns, .object: return chosen(6)
    }
  }

  private func chosen(_ limit: Int) -> [ColumnGuess] {
    var left = fields.enumerated().compactMap { DescribedColumn($1, order: $0) }
    var columns: [DescribedColumn] = []
    while columns.count < limit, let best = left.indices.max(by: { left[$0].rank < left[$1].rank }) {
      let column = left.remove(at: best)
      columns.append(column)
      for index in left.indices where left[index].kind == column.kind {
        left[index].score -= column.kind.repetitionCost
      }
    }
    var taken: Set<String> = []
    return columns.sorted { ($0.kind.rawValue, $0.order) < ($1.kind.rawValue, $1.order) }.map {
      $0.guess(&taken)
    }
  }
}

/// A field of a row's schema as a column.
private struct DescribedColumn {
  /// In the order of the columns.
  enum Kind: Int {
    case title, identifier, choice, text, number, flag, date, list, prose

    var score: Int {
      switch self {
      case .title: 100
      case .prose: 70
      case .choice: 65
      case .date: 60
      case .identifier, .number: 50
      case .text: 45
      case .list: 35
      case .flag: 25
      }
    }

    var repetitionCost: Int {
      switch self {
      case .title, .identifier, .date, .prose: 35
      case .choice, .list: 15
      case .text, .number, .flag: 5
      }
    }
  }

  let place: EndpointResponse.Place
  let kind: Kind
  let order: Int
  var score: Int

  var rank: (Int, Int) { (score, -order) }

  /// Creates a column; nil for objects, lists of objects, and URLs.
  init?(_ place: EndpointResponse.Place, order: Int) {
    guard let kind = Self.kind(place) else { return nil }
    (self.place, self.kind, self.order) = (place, kind, order)
    score = kind.score
    if place.depth > 1, !Self.wrappers.contains(ParameterRole.word(place.parentName)) {
      score -= kind == .title ? 45 : 60
    }
  }

  private static func kind(_ place: EndpointResponse.Place) -> Kind? {
    let word = place.word
    let schema = place.schema
    if schema.isAddress || word.hasSuffix("url") || word.hasSuffix("uri") || word.hasSuffix("href")
      || word == "nodeid"
      || word == "self" || word == "etag" || word == "object"
    {
      return nil
    }
    switch schema.kind {
    case .boolean: return .flag
    case .array:
      return schema.items == nil || !["tags", "labels", "topics", "categories", "keywords"].contains(word)
        ? nil : .list
    case .object, .unknown: return nil
    case .string, .integer, .number: break
    }
    if schema.isTime
      || (schema.isNumber && (place.name.hasSuffix("_at") || word == "created" || word == "updated"))
    {
      return .date
    }
    if ColumnGuess.isTitle(place.name) { return .title }
    if proseWords.contains(word) { return .prose }
    if !schema.values.isEmpty || ["status", "state"].contains(word) { return .choice }
    if word == "id" || place.name.hasSuffix("_id") || place.name.hasSuffix("Id")
      || ["uuid", "guid", "key"].contains(word)
    {
      return .identifier
    }
    return schema.isNumber ? .number : .text
  }

  private static let proseWords: Set = [
    "description", "body", "abstract", "content", "comment", "message", "notes",
  ]
  /// The names of objects that only wrap a row.
  private static let wrappers: Set = [
    "attributes", "fields", "source", "data", "node", "properties", "resource", "item",
  ]
  private static let counts = [
    "count", "total", "stars", "downloads", "views", "likes", "score", "followers", "forks", "size",
  ]

  func guess(_ taken: inout Set<String>) -> ColumnGuess {
    let isWrapped = place.depth > 1 && !Self.wrappers.contains(ParameterRole.word(place.parentName))
    let wanted = Column.identifier(isWrapped ? "\(place.parentName)_\(place.name)" : place.name)
    let name = Column.identifier(wanted, taken: &taken)
    var column = ColumnGuess(
      name: name == Column.identifier(place.name) ? nil : name, path: "\(place.path)")
    switch kind {
    case .date:
      column.format =
        place.schema.format == "date" ? "date" : place.schema.format == "time" ? nil : "relative"
    case .flag: column.format = "bool"
    case .list: column.format = "list"
    case .number:
      if Self.counts.contains(where: place.word.contains) {
        column.format = "number"
      } else {
        column.isAlignedRight = true
      }
    case .identifier: column.isAlignedRight = place.schema.isNumber
    case .prose: column.isWide = true
    case .title, .choice, .text: break
    }
    return column
  }
}
