package import Search
private import Terminal

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
