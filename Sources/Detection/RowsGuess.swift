import HTTPValues
import JSON

/// The location of the rows in a response.
struct RowsGuess: Sendable {
  /// The form of the rows: the value of `shape`.
  enum Shape: String, Sendable {
    case list, map, columns, scalars
    /// One object, which is the only row.
    case object
  }

  let path: JSONPath
  let shape: Shape
  /// The path of the list of column names, for the shape `columns`; nil for rows without names.
  let names: JSONPath?
  /// The first rows; for a map, its values.
  let sample: [JSONNode]
  let count: Int

  /// The most likely location; nil if nothing looks like rows.
  ///
  /// - Parameter size: The number of rows that the URL requests.
  init?(_ members: MemberIndex, size: Int? = nil) {
    let found = members.places.compactMap { Candidate($0, in: members, size: size) }
    // The fields are in order of depth, and `max` returns the last of equal elements.
    let best = found.reversed().max { $0.rank < $1.rank }
    if let object = RowsGuess(object: members), best?.isWeak ?? true {
      self = object
    } else if let best {
      self = best.guess
    } else {
      return nil
    }
  }

  /// The rows at a known path; nil if there are none.
  init?(_ members: MemberIndex, at path: JSONPath) {
    let place = members.places.first { $0.path == path } ?? MemberIndex.Place(path, in: members.document)
    guard let found = place.flatMap({ Candidate($0, in: members, size: nil) }) else { return nil }
    self = found.guess
  }

  /// The response itself, or the object that it wraps, as the only row: an account, settings. Nil if it looks like
  /// something else.
  private init?(object members: MemberIndex) {
    let document = members.document
    func names(of node: JSONNode) -> [String] {
      document.members(of: node).prefix(200).compactMap { name, value in
        [.object, .array, .null].contains(document.kind(of: value))
          ? nil : document.string(of: name).map { ParameterRole.word($0) }
      }
    }
    let objects = members.places.filter { $0.kind == .object && $0.depth <= 1 }
    let place = objects.first { Self.isNamedValue(names(of: $0.node)) }
    guard let place else { return nil }
    self.init(path: place.path, shape: .object, names: nil, rows: [place.node])
  }

  private static func isNamedValue(_ names: [String]) -> Bool {
    let isNamed = names.contains { valueNames.contains($0) || $0.hasSuffix("id") || $0.hasSuffix("name") }
    return names.count >= 2 && isNamed && !names.allSatisfy(responseNames.contains)
  }

  private static let valueNames: Set = [
    "id", "uuid", "name", "login", "user", "email", "title", "version", "key",
  ]

  /// Names of fields of a response about the request.
  private static let responseNames: Set = [
    "status", "message", "error", "code", "success", "ok", "requestid", "traceid", "id", "version", "jsonrpc",
  ]
}

extension RowsGuess {
  private struct Candidate {
    let guess: RowsGuess
    /// The rank, compared lexicographically.
    let rank: (kind: Int, isOwn: Int, fits: Int, count: Int)
    /// Whether it may be a list inside an object: of plain values, empty, or next to the rows.
    var isWeak: Bool { !isPreferred && (rank.kind <= 1 || rank.isOwn == 0) }
    private let isPreferred: Bool

    init?(_ place: MemberIndex.Place, in members: MemberIndex, size: Int?) {
      let document = members.document
      let isPreferred = place.depth == 0 || ResponseWords.rows.contains(place.word)
      self.isPreferred = isPreferred
      let isOwn =
        place.path.steps.contains {
          if case .member(let key) = $0 {
            ResponseWords.otherLists.contains(ParameterRole.word(key.name))
          } else {
            false
          }
        } ? 0 : 1
      /// How well a number of rows fits a page: the requested number, or a number that services choose as a page size.
      func fits(_ count: Int) -> Int {
        let isUsual = size.map { $0 == count } ?? (count >= 10 && count % 5 == 0)
        return (isUsual ? 1 : 0) + (isPreferred ? 1 : 0)
      }
      switch place.kind {
      case .array:
        let elements = Array(document.elements(of: place.node).prefix(maxRows))
        guard let (kind, guess) = Self.list(place, elements, members) else { return nil }
        self.guess = guess
        rank = (kind, isOwn, fits(guess.count), guess.count)
      case .object where document.isMapOfRows(place.node):
        let rows = document.members(of: place.node).prefix(maxRows).map(\.value)
        guess = RowsGuess(path: place.path, shape: .map, names: nil, rows: rows)
        rank = (3, isOwn, fits(guess.count), guess.count)
      default: return nil
      }
    }

    private static func list(
      _ place: MemberIndex.Place, _ elements: [JSONNode], _ members: MemberIndex
    ) -> (kind: Int, guess: RowsGuess)? {
      let document = members.document
      let rows = elements.filter { document.kind(of: $0) != .null }
      let kinds = Set(rows.map { document.kind(of: $0) })
      func guess(_ shape: Shape, names: JSONPath? = nil) -> RowsGuess {
        RowsGuess(path: place.path, shape: shape, names: names, rows: rows)
      }
      if kinds.isEmpty { return (0, guess(.list)) }
      if kinds == [.object] { return (4, guess(.list)) }
      if kinds == [.array] {
        let names = names(for: rows, beside: place, members)
        return (names == nil ? 2 : 4, guess(.columns, names: names))
      }
      return kinds.isSubset(of: [.string, .number]) ? (1, guess(.scalars)) : nil
    }

    /// A list of strings next to the rows, one string per element of a row.
    private static func names(
      for rows: [JSONNode], beside place: MemberIndex.Place, _ members: MemberIndex
    ) -> JSONPath? {
      let document = members.document
      let width = rows.first.map { document.count(of: $0) } ?? 0
      return members.places.first { other in
        other.kind == .array && other.path != place.path
          && other.path.steps.dropLast() == place.path.steps.dropLast()
          && document.count(of: other.node) == width
          && document.elements(of: other.node).allSatisfy { document.kind(of: $0) == .string }
      }?.path
    }
  }

  private static let maxRows = 100_000
  private static let sampleSize = 100

  private init(path: JSONPath, shape: Shape, names: JSONPath?, rows: [JSONNode]) {
    self.path = path
    self.shape = shape
    self.names = names
    sample = Array(rows.prefix(Self.sampleSize))
    count = rows.count
  }
}

/// The fields of a response near its root, shallowest first: the candidates for rows, totals, and next pages.
/// Arrays and objects that are maps of rows are not searched, so that no field of a row is mistaken for a
/// fact about the list.
struct MemberIndex: Sendable {
  struct Place: Sendable {
    let path: JSONPath
    let node: JSONNode
    let kind: JSONKind
    /// The name of the last field; empty at the root.
    let name: String
    let parentName: String

    /// The name without case, spaces, and punctuation, as in `ParameterRole.word`.
    var word: String { ParameterRole.word(name) }
    /// The depth; 0 at the root.
    var depth: Int { path.steps.count }

    /// Finds the value at a path; nil if there is none.
    fileprivate init?(_ path: JSONPath, in document: JSONDocument) {
      guard let node = path.firstNode(in: document, from: document.rootNode) else { return nil }
      let names = path.memberNames ?? []
      self.init(
        path: path, node: node, kind: document.kind(of: node), name: names.last ?? "",
        parentName: names.dropLast().last ?? "")
    }

    fileprivate init(path: JSONPath, node: JSONNode, kind: JSONKind, name: String, parentName: String) {
      (self.path, self.node, self.kind, self.name, self.parentName) = (path, node, kind, name, parentName)
    }
  }

  let document: JSONDocument
  /// The values in order of depth, starting with the root.
  let places: [Place]

  private static let deepest = 3
  /// A limit, because a hostile response may have a million fields.
  private static let maxPlaces = 2_000
  private static let maxNameLength = 100

  /// Collects the values. O(fields near the root).
  init(_ document: JSONDocument) {
    self.document = document
    let root = document.rootNode
    var places = [Place(path: .root, node: root, kind: document.kind(of: root), name: "", parentName: "")]
    var next = 0
    while next < places.count, places.count < Self.maxPlaces {
      let place = places[next]
      next += 1
      guard place.kind == .object, place.depth < Self.deepest, !document.isMapOfRows(place.node) else {
        continue
      }
      places += Self.members(of: place, in: document).prefix(Self.maxPlaces - places.count)
    }
    self.places = places
  }

  private static func members(of place: Place, in document: JSONDocument) -> [Place] {
    document.members(of: place.node).prefix(maxPlaces).compactMap { name, node in
      guard document.byteRange(of: name).count <= maxNameLength, let text = document.string(of: name)
      else { return nil }
      return Place(
        path: JSONPath(steps: place.path.steps + [.member(JSONKey(text))]), node: node,
        kind: document.kind(of: node), name: text, parentName: place.name)
    }
  }

  /// The text of a scalar; nil if the value is not a scalar or is too long.
  func text(_ place: Place) -> String? {
    guard document.byteRange(of: place.node).count <= 8_192 else { return nil }
    return document.text(of: place.node)
  }

  /// A whole number of at least 0, including one written as a string.
  func count(_ place: Place) -> Int? {
    guard place.kind == .number || place.kind == .string else { return nil }
    return text(place).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension JSONDocument {
  /// Whether an object is a map whose values are rows: at least three objects that share a field.
  func isMapOfRows(_ node: JSONNode) -> Bool {
    let values = members(of: node).prefix(50).map(\.value)
    guard values.count >= 3, values.allSatisfy({ kind(of: $0) == .object }) else { return false }
    let first = members(of: values[0]).prefix(50).compactMap { string(of: $0.name) }
    return first.contains { name in
      let key = JSONKey(name)
      return values.allSatisfy { member(of: $0, named: key) != nil }
    }
  }
}

/// Where a response contains the total number of rows.
package struct TotalGuess: Sendable, Hashable {
  /// The value expression of the total.
  package let expression: String
  package let count: Int
}

extension TotalGuess {
  init?(_ members: MemberIndex, rows: RowsGuess, headers: HTTPFields) {
    guard let found = Self.inBody(members, rows) ?? Self.inHead(headers, rows) else { return nil }
    self = found
  }

  /// Prefers totals next to the rows or at the root, then the best name, then the least depth.
  private static func inBody(_ members: MemberIndex, _ rows: RowsGuess) -> TotalGuess? {
    let candidates = members.places.enumerated().compactMap { offset, place in
      rank(place, members, rows).map { (rank: ($0.place, $0.name, offset), place: place) }
    }
    let best = candidates.min { $0.rank < $1.rank }?.place
    return best.flatMap { place in
      members.count(place).map { TotalGuess(expression: "\(place.path)", count: $0) }
    }
  }

  private static func rank(
    _ place: MemberIndex.Place, _ members: MemberIndex, _ rows: RowsGuess
  ) -> (name: Int, place: Int)? {
    // Elasticsearch has `total.value`; `_shards.total` is a different count.
    let word = place.word == "value" ? ParameterRole.word(place.parentName) : place.word
    guard let name = ResponseWords.totals.firstIndex(of: word), !place.parentName.hasPrefix("_"),
      let count = members.count(place), count >= rows.count, !(word == "count" && count == rows.count)
    else { return nil }
    let isNear = place.path.steps.dropLast() == rows.path.steps.dropLast() || place.depth == 1
    return (name, isNear ? 0 : 1)
  }

  private static func inHead(_ headers: HTTPFields, _ rows: RowsGuess) -> TotalGuess? {
    ResponseWords.totalHeaders.lazy.compactMap { name in
      headers.first(name).flatMap { Int($0) }
        .map { TotalGuess(expression: "header:\(name.lowercased())", count: $0) }
    }.first { $0.count >= rows.count }
  }
}
