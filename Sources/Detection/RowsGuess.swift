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
  /// The path of the number of all rows, if the shape of the response says where it is.
  var total: JSONPath?
  /// The first rows; for a map, its values.
  let sample: [JSONNode]
  let count: Int

  /// The most likely location; nil if nothing looks like rows.
  ///
  /// - Parameter size: The number of rows that the URL requests.
  init?(_ members: MemberIndex, size: Int? = nil) {
    if let groonga = RowsGuess(groonga: members) {
      self = groonga
      return
    }
    let found = members.places.compactMap { Candidate($0, in: members, size: size) }
    // The fields are in order of depth, and `max` returns the last of equal elements.
    let best = found.reversed().max { $0.rank < $1.rank }
    // A response that mentions a next page is a list, even if its rows are hard to see.
    let mayBeObject = (best?.isWeak ?? true) && !members.places.contains(where: \.mentionsNextPage)
    if mayBeObject, let object = RowsGuess(object: members) {
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
  /// A list that may be the rows. The rows are many, alike and most of the response; a name only adds to that.
  private struct Candidate {
    let guess: RowsGuess
    /// The rank, compared lexicographically.
    let rank: (kind: Int, score: Double)
    /// Whether it may be a list in an object that is the only row: of plain values, empty, or about the response.
    let isWeak: Bool

    init?(_ place: MemberIndex.Place, in members: MemberIndex, size: Int?) {
      let document = members.document
      guard let (found, weight, guess) = Self.rows(place, members) else { return nil }
      self.guess = guess
      // As many plain values as requested are not beside the rows.
      let kind = found == 1 && guess.count > 1 && guess.count == size ? 2 : found
      let isPreferred = place.depth == 0 || ResponseWords.rows.contains(place.word)
      let isAside = guess.isAboutResponse(in: document)
      isWeak = isAside || kind < 2 && !isPreferred
      // A response consists mostly of its rows.
      var score = Double(document.byteRange(of: place.node).count) * weight
      if isPreferred { score *= 8 }
      if isAside { score /= 64 }
      if guess.sample.first.map({ !guess.isAlike($0, in: document) }) ?? false { score /= 4 }
      if let size {
        score *= guess.count == size ? 16 : guess.count > size ? 0.125 : 1
      } else if guess.count >= 10, guess.count % 5 == 0 {
        score *= 2
      }
      rank = (kind, score)
    }

    /// The kind is 2 for lists of rows, 1 for plain values, 0 for empty lists.
    private static func rows(
      _ place: MemberIndex.Place, _ members: MemberIndex
    ) -> (kind: Int, weight: Double, guess: RowsGuess)? {
      let document = members.document
      if place.kind == .object, document.isMapOfRows(place.node) {
        let rows = document.members(of: place.node).prefix(maxRows).map(\.value)
        return (2, 0.0625, RowsGuess(path: place.path, shape: .map, names: nil, rows: rows))
      }
      guard place.kind == .array else { return nil }
      let rows = document.elements(of: place.node).prefix(maxRows).filter { document.kind(of: $0) != .null }
      let kinds = Set(rows.map { document.kind(of: $0) })
      func guess(_ shape: Shape, names: JSONPath? = nil) -> RowsGuess {
        RowsGuess(path: place.path, shape: shape, names: names, rows: rows)
      }
      if kinds.isEmpty { return (0, 1, guess(.list)) }
      if kinds == [.object] { return (2, 1, RowsGuess(edges: place, rows, in: document) ?? guess(.list)) }
      if kinds == [.array] {
        let names = names(for: rows, beside: place, members)
        return (2, names == nil ? 0.125 : 1, guess(.columns, names: names))
      }
      return kinds.isSubset(of: [.string, .number]) ? (1, 1, guess(.scalars)) : nil
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

  /// The nodes of the edges of a connection (Relay): `edges[*].node`.
  private init?(edges place: MemberIndex.Place, _ rows: [JSONNode], in document: JSONDocument) {
    let nodes = rows.compactMap { document.member(of: $0, named: "node") }
    guard place.word == "edges", nodes.count == rows.count else { return nil }
    self.init(
      path: JSONPath(steps: place.path.steps + [.allElements, .member("node")]), shape: .list, names: nil,
      rows: nodes)
  }

  /// `[[0, …], [[[1200], [["_key", "ShortText"], …], ["a", …], …]]]`: status, then a total, columns and rows (groonga).
  private init?(groonga members: MemberIndex) {
    func value(_ path: String) -> JSONNode? {
      (try? JSONPath(path))?.firstNode(in: members.document, from: members.document.rootNode)
    }
    guard members.places.first?.kind == .array, value("[0][0]").map(members.document.kind) == .number,
      value("[1][0][0][0]").map(members.document.kind) == .number,
      value("[1][0][1][0][1]").map(members.document.kind) == .string, let set = value("[1][0]"),
      let path = try? JSONPath("[1][0][2:]"), let names = try? JSONPath("[1][0][1][*][0]")
    else { return nil }
    self.init(
      path: path, shape: .columns, names: names, rows: Array(members.document.elements(of: set).dropFirst(2)))
    total = try? JSONPath("[1][0][0][0]")
  }

  /// Whether the elements tell about the response and are not its rows.
  private func isAboutResponse(in document: JSONDocument) -> Bool {
    guard shape == .list, !sample.isEmpty else { return false }
    return sample.prefix(5).allSatisfy { element in
      let names = document.members(of: element).prefix(8).compactMap { document.string(of: $0.name) }
      return Self.isAboutResponse(Set(names.map(ParameterRole.word)))
    }
  }

  /// Whether an object with these fields is a link, a count of values, or a message.
  static func isAboutResponse(_ words: Set<String>) -> Bool {
    words.count <= 6 && words.isDisjoint(with: ["id", "uuid"])
      && (words == ["message"] || asides.contains { words.isSuperset(of: $0) })
  }

  private static let asides: [Set<String>] = [
    ["rel", "href"], ["relation", "url"], ["value", "count"], ["name", "count"], ["key", "doccount"],
    ["code", "message"], ["name", "toggleurl"], ["field", "buckets"],
  ]

  /// Whether the rows have the fields of one of them, and the same type.
  private func isAlike(_ row: JSONNode, in document: JSONDocument) -> Bool {
    guard shape == .list, sample.count > 1 else { return true }
    let names = document.members(of: row).prefix(20).compactMap { document.string(of: $0.name) }
    let shared = names.filter { name in
      sample.count { document.member(of: $0, named: JSONKey(name)) != nil } * 2 > sample.count
    }
    let types = Set(sample.map { document.member(of: $0, named: "type").flatMap(document.string) })
    return shared.count * 2 >= names.count && types.count * 2 <= sample.count + 1
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
  /// Numbers in one object that fit together whatever their names: a total, and the pages that it takes with as many
  /// rows as a list here has. The others beside them may be the page.
  private(set) var pageFacts: (total: Place, pages: Place, others: [Place])?

  private static let deepest = 4
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
      if place.depth == 0, place.kind == .array { places += Self.parts(of: place, in: document) }
      guard place.kind == .object, place.depth < Self.deepest, !document.isMapOfRows(place.node) else {
        continue
      }
      places += Self.members(of: place, in: document).prefix(Self.maxPlaces - places.count)
    }
    self.places = places
    pageFacts = facts()
  }

  /// The elements of a pair of facts and rows: `[{"total": 137}, [{…}, …]]`.
  private static func parts(of place: Place, in document: JSONDocument) -> [Place] {
    let elements = Array(document.elements(of: place.node).prefix(4))
    let kinds = elements.map { document.kind(of: $0) }
    guard 2...3 ~= elements.count, kinds.contains(.object), kinds.count(where: { $0 == .array }) == 1 else {
      return []
    }
    return elements.enumerated().map { number, node in
      Place(
        path: JSONPath(steps: place.path.steps + [.element(number)]), node: node, kind: kinds[number],
        name: "",
        parentName: "")
    }
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

  /// The lengths of the lists near the root that have more than one element.
  var lengths: Set<Int> {
    Set(places.filter { $0.kind == .array }.map { document.count(of: $0.node) }.filter { $0 > 1 })
  }

  private func facts() -> (total: Place, pages: Place, others: [Place])? {
    let numbers = places.filter { $0.kind == .number && $0.depth > 0 && count($0) != nil }
    let tables = Dictionary(grouping: numbers) { JSONPath(steps: $0.path.steps.dropLast()) }
    let lengths = lengths.filter { $0 >= 5 }
    // The fields are in order of depth.
    for place in numbers {
      guard let total = count(place) else { continue }
      let beside = tables[JSONPath(steps: place.path.steps.dropLast())] ?? []
      let sizes = lengths.filter { $0 < total }
      guard beside.count <= 20, !sizes.isEmpty,
        let pages = beside.first(where: { other in
          let number = count(other) ?? 0
          return number > 2 && other.path != place.path && sizes.contains { number == (total + $0 - 1) / $0 }
        })
      else { continue }
      return (place, pages, beside.filter { $0.path != place.path && $0.path != pages.path })
    }
    return nil
  }

  /// A whole number of at least 0, including one written as a string.
  func count(_ place: Place) -> Int? {
    guard place.kind == .number || place.kind == .string else { return nil }
    return text(place).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension JSONDocument {
  /// Whether an object is a map whose values are rows: at least three objects that share a field. The links of a page
  /// (`self`, `first`, `next`) are none.
  func isMapOfRows(_ node: JSONNode) -> Bool {
    let values = members(of: node).prefix(50).map(\.value)
    guard values.count >= 3, values.allSatisfy({ kind(of: $0) == .object }),
      !["next", "self", "first"].contains(where: { member(of: node, named: JSONKey($0)) != nil })
    else { return false }
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
    let fitting = members.pageFacts.flatMap { facts in
      members.count(facts.total).map { TotalGuess(expression: "\(facts.total.path)", count: $0) }
    }
    guard let found = Self.inBody(members, rows) ?? fitting ?? Self.inHead(headers, rows) else { return nil }
    self = found
  }

  /// Prefers totals next to the rows or at the root, then the best name, then the least depth.
  private static func inBody(_ members: MemberIndex, _ rows: RowsGuess) -> TotalGuess? {
    if let path = rows.total,
      let node = path.firstNode(in: members.document, from: members.document.rootNode),
      let count = members.document.text(of: node).flatMap({ Int($0) })
    {
      return TotalGuess(expression: "\(path)", count: count)
    }
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
    let exact = ResponseWords.totals.firstIndex(of: word)
    let found =
      exact ?? ResponseWords.totals.firstIndex { $0.utf8.count > 6 && word.hasSuffix($0) }.map { 100 + $0 }
      ?? (word.hasSuffix("total") && !word.hasSuffix("subtotal") ? 200 : nil)
    guard let name = found, !place.parentName.hasPrefix("_"), !place.parentName.hasPrefix("next"),
      let count = members.count(place), count >= rows.count, !(word == "count" && count == rows.count)
    else { return nil }
    let isNear = place.path.steps.dropLast() == rows.path.singularPrefix.steps.dropLast() || place.depth == 1
    return (name, isNear ? 0 : 1)
  }

  private static func inHead(_ headers: HTTPFields, _ rows: RowsGuess) -> TotalGuess? {
    let others = headers.map(\.name).filter(ResponseWords.isTotalHeader)
    return (ResponseWords.totalHeaders + others).lazy.compactMap { name in
      // `items 0-24/137` (RFC 9110, section 14.4).
      headers.first(name).flatMap { Int($0.drop { $0 != "/" }.dropFirst()) ?? Int($0) }
        .map { TotalGuess(expression: "header:\(name.lowercased())", count: $0) }
    }.first { $0.count >= rows.count }
  }
}
