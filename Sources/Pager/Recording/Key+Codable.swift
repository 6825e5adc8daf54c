package import Search
package import Terminal

/// Encoded in key notation. Keys that cannot be bound, because terminals send other keys for them, have a
/// notation too.
extension Key: JSONCodable {
  package func write(to json: inout JSONWriter) { json.text(notation) }

  package init(json: JSONValue) throws(JSONCodingError) {
    var rest = try String(json: json)[...]
    var modifiers: Modifiers = []
    for (name, modifier) in [("ctrl-", Modifiers.ctrl), ("alt-", .alt), ("shift-", .shift)]
    where rest.hasPrefix(name) && rest.count > name.count {
      modifiers.insert(modifier)
      rest = rest.dropFirst(name.count)
    }
    if rest.count == 1, let character = rest.first {
      self.init(character, modifiers)
    } else if let key = try? Key(notation: String(rest)) {
      self.init(key.code, modifiers)
    } else {
      throw JSONCodingError(json, isNot: "a key")
    }
  }
}

extension Mouse: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("action", action)
      $0.member("column", column)
      $0.member("row", row)
      $0.member("modifiers", Int(modifiers.rawValue))
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      action: try json.member("action"), column: try json.amount("column"), row: try json.amount("row"),
      modifiers: Key.Modifiers(rawValue: UInt8(truncatingIfNeeded: try json.amount("modifiers") as Int)))
  }
}

extension Mouse.Action: JSONCodable {
  private static let plain: [(Mouse.Action, String)] = [
    (.move, "move"), (.wheelUp, "wheel-up"), (.wheelDown, "wheel-down"), (.wheelLeft, "wheel-left"),
    (.wheelRight, "wheel-right"),
  ]

  package func write(to json: inout JSONWriter) {
    switch self {
    case .press(let button): json.choice("press", button)
    case .release(let button): json.choice("release", button)
    case .drag(let button): json.choice("drag", button)
    case .move, .wheelUp, .wheelDown, .wheelLeft, .wheelRight:
      json.text(Self.plain.first { $0.0 == self }?.1 ?? "")
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "press": .press(try Int(json: value))
      case "release": .release(try Int(json: value))
      case "drag": .drag(try Int(json: value))
      default: Self.plain.first { $0.1 == name }?.0
      }
    }
  }
}
