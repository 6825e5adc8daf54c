/// A value with a JSON representation that round-trips: decoding the output gives an equal value.
///
/// Numbers that the program computes with are range-checked, so that no recording can cause an overflow.
package protocol JSONCodable {
  func write(to json: inout JSONWriter)

  /// - Throws: For anything that `write(to:)` does not write.
  init(json: JSONValue) throws(JSONCodingError)
}

/// Why a JSON value cannot be decoded.
package struct JSONCodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The member names that lead to the value.
  private var path: [String] = []
  private let problem: String

  package init(_ problem: String) { self.problem = problem }

  package init(_ json: JSONValue, isNot expectation: String) {
    let text = String(decoding: json.document.bytes[json.byteRange].prefix(40), as: UTF8.self)
    self.init("\(text) is not \(expectation)")
  }

  func inside(_ name: String) -> JSONCodingError {
    var error = self
    error.path.insert(name, at: 0)
    return error
  }

  package var description: String { path.isEmpty ? problem : "\(path.joined(separator: ".")): \(problem)" }
}

extension JSONValue {
  /// A required member.
  package func member<Value: JSONCodable>(_ name: String) throws(JSONCodingError) -> Value {
    try present(member(name), name)
  }

  /// An optional member.
  package func member<Value: JSONCodable>(_ name: String) throws(JSONCodingError) -> Value? {
    try read(name) { (value) throws(JSONCodingError) in try Value(json: value) }
  }

  /// A count that the program computes with; far below the overflow limit.
  package func amount() throws(JSONCodingError) -> Int { try number(upTo: Int(Int32.max)) }

  package func amount(_ name: String) throws(JSONCodingError) -> Int { try present(amount(name), name) }

  package func amount(_ name: String) throws(JSONCodingError) -> Int? {
    try read(name) { (value) throws(JSONCodingError) in try value.amount() }
  }

  /// A number of any size, as stated by a service or a user.
  package func size() throws(JSONCodingError) -> Int { try number(upTo: .max) }

  package func size(_ name: String) throws(JSONCodingError) -> Int { try present(size(name), name) }

  package func size(_ name: String) throws(JSONCodingError) -> Int? {
    try read(name) { (value) throws(JSONCodingError) in try value.size() }
  }

  /// Seconds, within the range that the program computes with: thirty million years.
  package func seconds() throws(JSONCodingError) -> Double {
    let seconds = try Double(json: self)
    guard abs(seconds) <= 1e15 else { throw JSONCodingError("\(seconds) is not a valid time") }
    return seconds
  }

  package func seconds(_ name: String) throws(JSONCodingError) -> Double { try present(seconds(name), name) }

  package func seconds(_ name: String) throws(JSONCodingError) -> Double? {
    try read(name) { (value) throws(JSONCodingError) in try value.seconds() }
  }

  private func number(upTo most: Int) throws(JSONCodingError) -> Int {
    let number = try Int(json: self)
    guard 0...most ~= number else { throw JSONCodingError("\(number) is out of range") }
    return number
  }

  private func read<Value>(
    _ name: String, _ read: (JSONValue) throws(JSONCodingError) -> Value
  ) throws(JSONCodingError) -> Value? {
    guard let value = self[name] else { return nil }
    do throws(JSONCodingError) { return try read(value) } catch { throw error.inside(name) }
  }

  private func present<Value>(_ value: Value?, _ name: String) throws(JSONCodingError) -> Value {
    guard let value else { throw JSONCodingError("\"\(name)\" is missing") }
    return value
  }

  /// One of several alternatives: `"name"`, or `{"name": value}`.
  package func choice() throws(JSONCodingError) -> (name: String, value: JSONValue) {
    if let name = string { return (name, self) }
    var members = document.members(of: node)
    guard let member = members.next(), members.next() == nil, let name = document.string(of: member.name)
    else { throw JSONCodingError(self, isNot: "a name or an object with one member") }
    return (name, JSONValue(document: document, node: member.value))
  }

  /// Decodes one of several alternatives by its name.
  package func choose<Value>(
    _ read: (_ name: String, _ value: JSONValue) throws(JSONCodingError) -> Value?
  ) throws(JSONCodingError) -> Value {
    let (name, value) = try choice()
    let result: Value?
    do throws(JSONCodingError) { result = try read(name, value) } catch { throw error.inside(name) }
    guard let result else { throw JSONCodingError("\"\(name)\" is not known to this version") }
    return result
  }
}

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

/// Writes JSON text value by value and redacts it: secrets that a service repeats in its texts, and positions
/// that contain one.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var needsComma = false
  /// Redacts the secrets in a text; nil if there are none.
  package let redacted: ((String) -> String)?
  /// The replacements for values that contain a secret.
  package var placeholders: [AnyHashable: JSONToken] = [:]

  package init(redacting redacted: ((String) -> String)? = nil) { self.redacted = redacted }

  /// The output since the last call.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    needsComma = false
    return bytes
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  private mutating func enclose(_ start: UInt8, _ end: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(start)
    needsComma = false
    body(&self)
    bytes.append(end)
    needsComma = true
  }

  /// Writes a member of the current object.
  package mutating func member(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
    needsComma = false
    value(&self)
  }

  package mutating func member(_ name: StaticString, _ value: some JSONCodable) {
    member(name) { value.write(to: &$0) }
  }

  /// Writes a member of the current object, or nothing for nil.
  package mutating func member(_ name: StaticString, _ value: (some JSONCodable)?) {
    if let value { member(name, value) }
  }

  /// `{"name": value}`: one of several alternatives.
  package mutating func choice(_ name: StaticString, _ value: some JSONCodable) {
    object { $0.member(name, value) }
  }

  package mutating func choice(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    object { $0.member(name) { $0.object(members) } }
  }

  /// A number, `true`, `false`, or JSON text that was parsed before.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// A text with its secrets redacted.
  package mutating func text(_ text: String) {
    separate()
    JSONText.append(quoted: redacted?(text) ?? text, to: &bytes)
    needsComma = true
  }

  package mutating func text(_ utf8: ArraySlice<UInt8>) {
    guard redacted == nil else { return text(String(decoding: utf8, as: UTF8.self)) }
    separate()
    utf8.withUnsafeBufferPointer { JSONText.append(quoted: $0, to: &bytes) }
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
