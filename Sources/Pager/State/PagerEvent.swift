package import JSON
package import Search
package import Terminal
private import Text

/// An event of the pager.
///
/// Most events are keys, and the latest events are all kept; larger payloads are therefore boxed
/// (`indirect`), so that a key takes little memory.
package enum PagerEvent: Sendable, Codable {
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

  private enum ReadCodingKeys: String, CodingKey { case _0 = "content", `for` }
  private enum EffectEndedCodingKeys: String, CodingKey { case id, _1 = "outcome" }
}

extension PagerEvent: JSONChecked {
  package func check() throws(JSONCodingError) {
    switch self {
    case .mouse(let mouse):
      try mouse.column.check("column")
      try mouse.row.check("row")
    case .resized(let canvas), .resumed(let canvas): try canvas.check()
    case .session(let event): try event.check()
    case .ordered(let order): try order.check()
    case .rested(let edit): try edit.check("rested")
    case .read(_, let identity):
      try identity.version.check("version")
      try identity.row.check("row")
    case .effectEnded(let id, _): try id.check("id")
    case .key, .pasted, .background, .focused, .ticked, .historyRead, .refused, .warned, .tripped: break
    }
  }
}

extension Canvas {
  func check() throws(JSONCodingError) {
    try size.columns.check("columns", in: 1...Self.maxSide)
    try size.rows.check("rows", in: 1...Self.maxSide)
  }

  private static let maxSide = 5_000
}

/// Encoded in key notation. Keys that cannot be bound, because terminals send other keys for them, have a
/// notation too.
extension Key: Codable {
  package func encode(to encoder: any Encoder) throws {
    var text = encoder.singleValueContainer()
    try text.encode(notation)
  }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    var rest = text[...]
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
      throw JSONCodingError("\(JSONText.quoted(text)) is not a key")
    }
  }
}
