/// A reply as a value: status, header fields (without the framing, which the connection adds), and body.
struct Reply: Sendable, Equatable {
  var status = 200
  var fields: [Field] = []
  var body: [UInt8] = []

  struct Field: Sendable, Equatable {
    var name: String
    var value: String
  }

  init(status: Int = 200, json: JSONValue) {
    self.status = status
    fields = [Field(name: "Content-Type", value: "application/json; charset=utf-8")]
    body = json.bytes
  }

  /// A page of HTML.
  init(html: String) {
    fields = [Field(name: "Content-Type", value: "text/html; charset=utf-8")]
    body = Array(html.utf8)
  }

  /// The first value of this field, ignoring case.
  subscript(field: String) -> String? {
    fields.first { $0.name.lowercased() == field.lowercased() }?.value
  }

  mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }
}

/// Why a request gets an error reply: a status and a message.
struct Refusal: Error, Equatable {
  var status: Int
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  var reply: Reply { Reply(status: status, json: ["message": .string(message)]) }
}

/// How a connection sends a reply: the reply, its delay, and its delivery. Faults modify a plan.
struct ReplyPlan: Sendable, Equatable {
  var reply: Reply
  /// In milliseconds, before the first byte.
  var delay = 0
  var delivery = Delivery.whole

  enum Delivery: Sendable, Equatable {
    case whole
    /// The headers announce the whole body, but only its first bytes are sent before the connection is
    /// closed.
    case truncated(bytes: Int)
    /// The body in pieces, with a pause in milliseconds before each.
    case dripping(bytes: Int, pause: Int)
    /// The body, then a piece repeated this many times, then an end: for bodies too large to keep in memory.
    case repeating(piece: [UInt8], times: Int, end: [UInt8])
    /// The body, then a piece repeated forever, without a declared length.
    case endless(piece: [UInt8])
    /// Nothing is sent, and the connection remains open.
    case hanging
  }
}

/// A JSON document to send (RFC 8259). Members keep their order.
indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case string(String)
  case number(Double)
  case array([JSONValue])
  case object([Member])

  struct Member: Sendable, Equatable {
    var name: String
    var value: JSONValue
  }

  /// The string, or null.
  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// The number, or null.
  static func optional(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }

  /// The document without white space, as UTF-8. A number that is not finite is written as null.
  var bytes: [UInt8] {
    var text = ""
    write(into: &text)
    return Array(text.utf8)
  }

  /// Recursive, because documents are created by this program and only a few levels deep.
  private func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let isTrue): text += isTrue ? "true" : "false"
    case .string(let string): Self.write(string, into: &text)
    case .number(let number): text += Self.text(of: number)
    case .array(let elements): Self.write(elements, "[", "]", into: &text) { $0.write(into: &$1) }
    case .object(let members):
      Self.write(members, "{", "}", into: &text) { member, text in
        Self.write(member.name, into: &text)
        text += ":"
        member.value.write(into: &text)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, into text: inout String,
    each write: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      write(element, &text)
    }
    text += close
  }

  private static func write(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\u{0}"..."\u{1F}": text += "\\u" + scalar.codePointDigits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    return Int(exactly: number).map(String.init) ?? "\(number)"
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}
