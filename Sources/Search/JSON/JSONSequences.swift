/// The elements of an array in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let tape: [JSONTapeEntry]
  private var index: Int
  private let end: Int

  init(_ tape: [JSONTapeEntry], of node: JSONNode) {
    self.tape = tape
    index = node.index + 1
    end = tape[node.index].kind == .array ? Int(tape[node.index].link) : 0
  }

  package mutating func next() -> JSONNode? {
    guard index < end else { return nil }
    defer { index = JSONDocument.indexAfter(index, in: tape.span) }
    return JSONNode(index: index)
  }
}

/// The members of an object as written; `name` is the node of a string.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let tape: [JSONTapeEntry]
  private var index: Int
  private let end: Int

  init(_ tape: [JSONTapeEntry], of node: JSONNode) {
    self.tape = tape
    index = node.index + 1
    end = tape[node.index].kind == .object ? Int(tape[node.index].link) : 0
  }

  package mutating func next() -> (name: JSONNode, value: JSONNode)? {
    guard index < end else { return nil }
    defer { index = JSONDocument.indexAfter(index + 1, in: tape.span) }
    return (JSONNode(index: index), JSONNode(index: index + 1))
  }
}
