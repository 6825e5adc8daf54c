/// The location of the rows in a reply.
struct RowsGuess: Sendable {
  /// The value of `shape`.
  enum Shape: String, Sendable {
    case list, map, columns, scalars
  }

  let path: JSONPath
  let shape: Shape
  /// The path of the list of column names, for the shape `columns`; nil if the values of a row are only
  /// numbered.
  let names: JSONPath?
  /// The first rows; for a map, its values.
  let sample: [JSONNode]
  let count: Int

  /// The most likely location; nil if nothing looks like rows.
  init?(_ members: MemberIndex) {
    let found = members.places.compactMap { Candidate($0, in: members) }
    // The members are in order of depth, and `max` returns the last of equal elements.
    guard let best = found.reversed().max(by: { $0.rank < $1.rank }) else { return nil }
    self = best.guess
  }
}

extension RowsGuess {
  /// Names that services commonly use for rows.
  fileprivate static let preferredNames: Set = [
    "items", "results", "data", "hits", "rows", "docs", "entries", "records", "value", "values", "content",
    "nodes", "objects", "members", "hydramember", "features", "resources", "entities",
  ]

  private struct Candidate {
    let guess: RowsGuess
    /// Compared lexicographically.
    let rank: (kind: Int, isPreferred: Int, count: Int)

    init?(_ place: MemberIndex.Place, in members: MemberIndex) {
      let document = members.document
      let isPreferred = place.depth == 0 || preferredNames.contains(place.word)
      switch place.kind {
      case .array:
        let elements = Array(document.elements(of: place.node).prefix(mostRows))
        guard let (kind, guess) = Self.list(place, elements, members) else { return nil }
        self.guess = guess
        rank = (kind, isPreferred ? 1 : 0, guess.count)
      case .object where document.isMapOfRows(place.node):
        let rows = document.members(of: place.node).prefix(mostRows).map(\.value)
        guess = RowsGuess(path: place.path, shape: .map, names: nil, rows: rows)
        rank = (3, isPreferred ? 1 : 0, guess.count)
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
        return (2, guess(.columns, names: names(for: rows, beside: place, members)))
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

  private static let mostRows = 100_000
  private static let sampleSize = 100

  private init(path: JSONPath, shape: Shape, names: JSONPath?, rows: [JSONNode]) {
    self.path = path
    self.shape = shape
    self.names = names
    sample = Array(rows.prefix(Self.sampleSize))
    count = rows.count
  }
}
