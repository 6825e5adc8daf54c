package import JSON
package import Search
package import Terminal
private import Text

/// An event of the pager.
///
/// Most events are keys, and the latest events are all kept; larger payloads are therefore boxed
/// (`indirect`), so that a key takes little memory.
package enum PagerEvent: Sendable {
  case key(Key)
  case pasted(String)
  case mouse(Mouse)
  case resized(Canvas)
  /// The program regained the terminal after a suspension.
  case resumed(Canvas)
  /// The terminal reported its background, or a change of it.
  case background(Background)
  /// The terminal gained (true) or lost the focus.
  case focused(Bool)
  indirect case session(SessionEvent)
  /// A complete or partial result of `orderRequest` or `searchRequest`.
  indirect case ordered(RowOrder)
  /// Nothing was typed since the edit with this number.
  case rested(edit: Int)
  /// The time of the run's clock; sent while something on the screen is animated, and before input.
  case ticked(Double)
  /// The result of `readingRequest`.
  indirect case read(RowDetail.Content, for: RowDetail.Identity)
  /// A one-time effect (`effects`) has ended.
  case effectEnded(id: Int, EffectOutcome)
  /// The queries of earlier sessions, the latest last.
  case historyRead([String])
  /// The chosen source cannot be used: why, and what to do. The list of sources stays open.
  case refused(String)
  /// Something outside the session failed, and the session continues without it.
  case warned(String)
  /// The loop guard stopped a cycle of events that made no progress.
  case tripped(String)
}

extension PagerEvent: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .key(let key): json.choice("key", key)
    case .pasted(let text): json.choice("pasted", text)
    case .mouse(let mouse): json.choice("mouse", mouse)
    case .resized(let canvas): json.choice("resized", canvas)
    case .resumed(let canvas): json.choice("resumed", canvas)
    case .background(let background): json.choice("background", background)
    case .focused(let isFocused): json.choice("focused", isFocused)
    case .session(let event): json.choice("session", event)
    case .ordered(let order): json.choice("ordered", order)
    case .rested(let edit): json.choice("rested", edit)
    case .ticked(let now): json.choice("ticked", now)
    case .read(let content, let identity):
      json.choice("row") {
        $0.member("for", identity)
        $0.member("content", content)
      }
    case .effectEnded(let id, let outcome):
      json.choice("errand") {
        $0.member("id", id)
        $0.member("outcome", outcome)
      }
    case .historyRead(let queries): json.choice("history", queries)
    case .refused(let why): json.choice("refused", why)
    case .warned(let text): json.choice("warned", text)
    case .tripped(let report): json.choice("tripped", report)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      if let event = try Self.input(name, value) { return event }
      return switch name {
      case "session": .session(try SessionEvent(json: value))
      case "ordered": .ordered(try RowOrder(json: value))
      case "rested": .rested(edit: try value.amount())
      case "ticked": .ticked(try value.seconds())
      case "row": .read(try value.member("content"), for: try value.member("for"))
      case "errand": .effectEnded(id: try value.amount("id"), try value.member("outcome"))
      case "history": .historyRead(try [String](json: value))
      case "refused": .refused(try String(json: value))
      case "warned": .warned(try String(json: value))
      case "tripped": .tripped(try String(json: value))
      default: nil
      }
    }
  }

  /// Decodes events from the terminal.
  private static func input(_ name: String, _ value: JSONValue) throws(JSONCodingError) -> PagerEvent? {
    switch name {
    case "key": .key(try Key(json: value))
    case "pasted": .pasted(try String(json: value))
    case "mouse": .mouse(try Mouse(json: value))
    case "resized": .resized(try Canvas(json: value))
    case "resumed": .resumed(try Canvas(json: value))
    case "background": .background(try Background(json: value))
    case "focused": .focused(try Bool(json: value))
    default: nil
    }
  }
}

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

extension Canvas: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("columns", size.columns)
      $0.member("rows", size.rows)
      $0.member("clusters", widthModel.measure == .clusters)
      $0.member("wide", widthModel.ambiguousIsWide)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let size = Size(columns: try json.amount("columns"), rows: try json.amount("rows"))
    guard size.columns <= Self.maxSide, size.rows <= Self.maxSide else {
      throw JSONCodingError(json, isNot: "a screen of at most \(Self.maxSide) columns and rows")
    }
    let isByClusters: Bool = try json.member("clusters")
    self.init(
      size: size,
      widthModel: WidthModel(
        isByClusters ? .clusters : .codePoints, ambiguousIsWide: try json.member("wide")))
  }

  private static let maxSide = 5_000
}

extension Background: JSONCodable {}
