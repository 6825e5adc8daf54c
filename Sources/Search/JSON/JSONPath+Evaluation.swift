extension JSONPath {
  /// All nodes that the path selects from a value, in text order. O(nodes visited).
  package func nodes(in document: JSONDocument, from node: JSONNode) -> [JSONNode] {
    var selected = [node]
    for step in steps {
      selected = selected.flatMap { step.nodes(in: document, from: $0) }
    }
    return selected
  }

  /// The first node that the path selects. Allocates nothing unless the path is plural.
  package func firstNode(in document: JSONDocument, from node: JSONNode) -> JSONNode? {
    var selected = node
    for (index, step) in steps.enumerated() {
      switch step {
      case .allElements, .slice:
        let rest = JSONPath(steps: Array(steps[index...]))
        return rest.nodes(in: document, from: selected).first
      case .member, .element, .firstElement, .name:
        guard let next = step.node(in: document, from: selected) else { return nil }
        selected = next
      }
    }
    return selected
  }

  /// The value that lacks a member named in the path; nil if the path selects something, or if the value is
  /// inconclusive: null, an empty list, an index out of range.
  package func missingMember(
    in document: JSONDocument, from node: JSONNode
  ) -> (value: JSONNode, name: String)? {
    var selected = node
    for step in steps {
      switch step {
      case .member(let key):
        if document.kind(of: selected) == .null { return nil }
        guard let next = document.member(of: selected, named: key) else { return (selected, key.name) }
        selected = next
      case .element, .slice, .allElements, .firstElement, .name:
        guard let next = step.node(in: document, from: selected) else { return nil }
        selected = next
      }
    }
    return nil
  }

  /// All values that the path selects from a value.
  package func values(in value: JSONValue) -> [JSONValue] {
    nodes(in: value.document, from: value.node).map { JSONValue(document: value.document, node: $0) }
  }

  /// The first value that the path selects from a value.
  package func firstValue(in value: JSONValue) -> JSONValue? {
    firstNode(in: value.document, from: value.node).map { JSONValue(document: value.document, node: $0) }
  }
}

extension JSONPath.Step {
  fileprivate func nodes(in document: JSONDocument, from node: JSONNode) -> [JSONNode] {
    switch self {
    case .allElements: return Array(document.elements(of: node))
    case .slice(let lower, let upper):
      let elements = Array(document.elements(of: node))
      let start = elements.place(of: lower ?? 0)
      return Array(elements[start..<max(start, upper.map(elements.place) ?? elements.count)])
    case .member, .element, .firstElement, .name:
      return self.node(in: document, from: node).map { [$0] } ?? []
    }
  }

  /// The node selected by a step that selects at most one.
  fileprivate func node(in document: JSONDocument, from node: JSONNode) -> JSONNode? {
    switch self {
    case .member(let key): document.member(of: node, named: key)
    case .element(let index): document.element(of: node, at: index)
    case .firstElement(let key, let text):
      document.elements(of: node).first { element in
        let found = document.member(of: element, named: key).flatMap { document.text(of: $0) }
        return found.map { $0.utf8.elementsEqual(text.utf8) } ?? false
      }
    case .name: document.name(of: node)
    case .allElements, .slice: nodes(in: document, from: node).first
    }
  }
}

extension [JSONNode] {
  /// The index, counted from the end if negative, clamped to the array.
  fileprivate func place(of index: Int) -> Int {
    Swift.min(Swift.max(index < 0 ? index + count : index, 0), count)
  }
}
