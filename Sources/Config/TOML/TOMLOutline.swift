/// The structure of a TOML document: its tables, arrays and values with their positions, in document order.
/// TOMLKit provides neither positions nor order, so they are found by a separate iterative pass. Any input
/// yields an outline or a fault, in time linear in its length.
struct TOMLOutline {
  enum Kind { case scalar, array, table }

  struct Node {
    let kind: Kind
    let place: Place
    /// The number of containers around it; 0 for the document.
    let depth: Int
    /// The range of a scalar in the text.
    var bytes = 0..<0
    /// The children of a container.
    var children: [Child] = []
  }

  struct Child {
    /// Nil in an array.
    let key: Key?
    let node: Int
  }

  struct Key {
    let name: String
    let place: Place
  }

  /// Line and column from 1.
  struct Place {
    let line: Int
    let column: Int
  }

  /// Containers precede their children; the first node is the document.
  private(set) var nodes = [Node(kind: .table, place: Place(line: 1, column: 1), depth: 0)]
  private var members: [MemberName: Int] = [:]

  private struct MemberName: Hashable {
    let table: Int
    let name: String
  }

  static let root = 0
  /// The nesting limit; deeper documents are rejected.
  static let deepest = 64

  func member(of table: Int, named name: String) -> Int? { members[MemberName(table: table, name: name)] }

  /// Adds a node at `place` to a table, or at the end of an array.
  mutating func add(
    _ kind: Kind, to parent: Int, key: Key? = nil, at place: Place
  ) throws(TOMLFault) -> Int {
    let depth = nodes[parent].depth + 1
    guard depth <= Self.deepest else {
      throw TOMLFault(place: place, problem: "nested more than \(Self.deepest) levels deep")
    }
    let node = nodes.count
    nodes.append(Node(kind: kind, place: place, depth: depth))
    nodes[parent].children.append(Child(key: key, node: node))
    if let key { members[MemberName(table: parent, name: key.name)] = node }
    return node
  }

  mutating func setBytes(_ bytes: Range<Int>, of node: Int) { nodes[node].bytes = bytes }
}
