/// The members of a reply near its root, shallowest first: the candidates for rows, totals, and next pages.
/// Arrays and objects that are maps of rows are not searched, so that no member of a row is mistaken for a
/// fact about the list.
struct MemberIndex: Sendable {
  struct Place: Sendable {
    let path: JSONPath
    let node: JSONNode
    let kind: JSONKind
    /// The name of the last member; empty at the root.
    let name: String
    let parentName: String

    /// The name without case, blanks, and punctuation, as in `ParameterRole.word`.
    var word: String { ParameterRole.word(name) }
    /// 0 at the root.
    var depth: Int { path.steps.count }
  }

  let document: JSONDocument
  /// In order of depth, starting with the root.
  let places: [Place]

  private static let deepest = 3
  /// A limit, because a hostile reply may have a million members.
  private static let mostPlaces = 2_000
  private static let longestName = 100

  /// O(members near the root).
  init(_ document: JSONDocument) {
    self.document = document
    let root = document.rootNode
    var places = [
      Place(path: .root, node: root, kind: document.kind(of: root), name: "", parentName: "")
    ]
    var next = 0
    while next < places.count, places.count < Self.mostPlaces {
      let place = places[next]
      next += 1
      guard place.kind == .object, place.depth < Self.deepest, !document.isMapOfRows(place.node) else {
        continue
      }
      places += Self.members(of: place, in: document).prefix(Self.mostPlaces - places.count)
    }
    self.places = places
  }

  private static func members(of place: Place, in document: JSONDocument) -> [Place] {
    document.members(of: place.node).prefix(mostPlaces).compactMap { name, node in
      guard document.byteRange(of: name).count <= longestName, let text = document.string(of: name) else {
        return nil
      }
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
  /// Whether an object is a map whose values are rows: at least three objects that share a member.
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
