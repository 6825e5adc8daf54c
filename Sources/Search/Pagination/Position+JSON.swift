extension Position {
  /// The position as one JSON object, for resuming the run later.
  package var json: String {
    var members = ["\"ordinal\": \(ordinal)"]
    switch value {
    case .start: break
    case .number(let number): members.append("\"number\": \(number)")
    case .token(let token): members.append("\"token\": \(token.json)")
    case .link(let url): members.append("\"link\": \(JSONText.quoted(url.description))")
    case .members(let list):
      let items = list.map { "[\(JSONText.quoted($0.name)), \($0.value.json)]" }
      members.append("\"members\": [\(items.joined(separator: ", "))]")
    }
    if !carried.isEmpty {
      let items = carried.map { "[\($0.slot.json), \($0.value.json)]" }
      members.append("\"carried\": [\(items.joined(separator: ", "))]")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Parses the output of `json`; nil for anything else.
  package init?(_ object: JSONValue) {
    guard let ordinal = object["ordinal"]?.numberText.flatMap({ Int($0) }), ordinal >= 0,
      let value = Value(object)
    else { return nil }
    var carried: [Carried] = []
    for pair in object["carried"]?.elements ?? [] {
      guard let slot = pair[0].flatMap(Slot.init), let value = pair[1] else { return nil }
      carried.append(Carried(slot: slot, value: JSONToken(value.node, in: value.document)))
    }
    self.init(ordinal: ordinal, value: value, carried: carried)
  }
}

extension Position.Value {
  fileprivate init?(_ object: JSONValue) {
    if let number = object["number"] {
      guard let number = number.numberText.flatMap({ Int($0) }) else { return nil }
      self = .number(number)
    } else if let token = object["token"] {
      self = .token(JSONToken(token.node, in: token.document))
    } else if let link = object["link"] {
      guard let text = link.string, let url = try? WebURL(text) else { return nil }
      self = .link(url)
    } else if let members = object["members"] {
      var list: [Position.Member] = []
      for pair in members.elements {
        guard let name = pair[0]?.string, let value = pair[1] else { return nil }
        list.append(Position.Member(name: name, value: JSONToken(value.node, in: value.document)))
      }
      self = .members(list)
    } else {
      self = .start
    }
  }
}

extension Slot {
  /// `["query", "page"]`, `["body", "a", "b"]`.
  fileprivate var json: String {
    let words =
      switch self {
      case .query(let name): ["query", name]
      case .header(let name): ["header", name]
      case .body(let path): ["body"] + path
      }
    return "[\(words.map(JSONText.quoted).joined(separator: ", "))]"
  }

  fileprivate init?(_ array: JSONValue) {
    let words = array.elements.compactMap(\.string)
    switch (words.first, words.count) {
    case ("query", 2): self = .query(words[1])
    case ("header", 2): self = .header(words[1])
    case ("body", _): self = .body(Array(words.dropFirst()))
    default: return nil
    }
  }
}
