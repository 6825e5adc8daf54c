extension Position: JSONCodable {
  package func write(to json: inout JSONWriter) { json.position(self) }

  package init(json: JSONValue) throws(JSONCodingError) {
    let position: Position? = Position(json)
    guard let position, position.ordinal <= Int32.max, position.isNear else {
      throw JSONCodingError(json, isNot: "a position")
    }
    self = position
  }

  /// Whether the number is small enough to count the following pages without overflow.
  private var isNear: Bool {
    guard case .number(let number) = value else { return true }
    return number.magnitude < 1 << 53
  }
}

extension Continuation: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .end(let reason): json.choice("end", reason)
    case .next(let position, let evidence):
      json.choice("next") {
        $0.member("position", position)
        $0.member("evidence", evidence)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "end": .end(try EndReason(json: value))
      case "next": .next(try value.member("position"), try value.member("evidence"))
      default: nil
      }
    }
  }
}

extension Evidence: JSONCodable {}

extension EndReason: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .last, .emptyPage, .total, .cap, .repeats, .limit: json.text(name)
    case .status(let number): json.choice("status", number)
    case .emptyPages(let count): json.choice("empty-pages", count)
    case .maxPages(let count): json.choice("max-pages", count)
    case .maxRows(let count): json.choice("max-rows", count)
    case .refusedNext(let why): json.choice("refused-next", why)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "status": .status(try Int(json: value))
      case "empty-pages": .emptyPages(try Int(json: value))
      case "max-pages": .maxPages(try Int(json: value))
      case "max-rows": .maxRows(try Int(json: value))
      case "refused-next": .refusedNext(try String(json: value))
      default: [.last, .emptyPage, .total, .cap, .repeats, .limit].first { $0.name == name }
      }
    }
  }
}
