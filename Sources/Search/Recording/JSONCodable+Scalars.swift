extension Int: JSONCodable {}
extension UInt32: JSONCodable {}
extension UInt64: JSONCodable {}

extension JSONCodable where Self: FixedWidthInteger {
  package func write(to json: inout JSONWriter) { json.literal(String(self)) }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let number = json.numberText.flatMap({ Self($0) }) else {
      throw JSONCodingError(json, isNot: "a whole number")
    }
    self = number
  }
}

/// Values that JSON numbers cannot represent are strings: `"inf"`, `"-inf"`, `"nan"`.
extension Double: JSONCodable {
  package func write(to json: inout JSONWriter) { isFinite ? json.literal("\(self)") : json.text("\(self)") }

  package init(json: JSONValue) throws(JSONCodingError) {
    if let number = json.numberText.flatMap({ Double($0) }), number.isFinite {
      self = number
    } else if let name = json.string, ["inf", "-inf", "nan"].contains(name), let number = Double(name) {
      self = number
    } else {
      throw JSONCodingError(json, isNot: "a number")
    }
  }
}

extension Bool: JSONCodable {
  package func write(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let bool = json.bool else { throw JSONCodingError(json, isNot: "true or false") }
    self = bool
  }
}

extension String: JSONCodable {
  package func write(to json: inout JSONWriter) { json.text(self) }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let text = json.string else { throw JSONCodingError(json, isNot: "a string") }
    self = text
  }
}

extension Array: JSONCodable where Element: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.array { json in for element in self { element.write(to: &json) } }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard json.kind == .array else { throw JSONCodingError(json, isNot: "a list") }
    self = []
    for node in json.document.elements(of: json.node) {
      append(try Element(json: JSONValue(document: json.document, node: node)))
    }
  }
}

/// An object with arbitrary names, sorted by name: `[["name", value], …]`.
extension Dictionary: JSONCodable where Key == String, Value: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.array { json in
      for (name, value) in sorted(by: { $0.key < $1.key }) {
        json.array {
          name.write(to: &$0)
          value.write(to: &$0)
        }
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard json.kind == .array else { throw JSONCodingError(json, isNot: "a list of pairs") }
    self = [:]
    for pair in json.elements {
      let parts = pair.elements
      guard parts.count == 2 else { throw JSONCodingError(pair, isNot: "a pair") }
      self[try String(json: parts[0])] = try Value(json: parts[1])
    }
  }
}

extension JSONCodable where Self: RawRepresentable, RawValue == String {
  package func write(to json: inout JSONWriter) { json.text(rawValue) }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let value = json.string.flatMap(Self.init(rawValue:)) else {
      throw JSONCodingError(json, isNot: "a name this version knows")
    }
    self = value
  }
}

/// In seconds.
extension Duration: JSONCodable {
  package func write(to json: inout JSONWriter) { (self / .seconds(1)).write(to: &json) }

  package init(json: JSONValue) throws(JSONCodingError) {
    let seconds = try Double(json: json)
    guard abs(seconds) < 1e12 else { throw JSONCodingError(json, isNot: "a duration") }
    self = .seconds(seconds)
  }
}
