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

/// A serialized value that is checked after decoding and before it is used, like a reply: no file can make the
/// program overflow, crash, or work without end.
package protocol JSONChecked: Codable {
  /// Refuses what decoding alone accepts, such as numbers out of range, or limits it.
  mutating func check() throws(JSONCodingError)
}

extension Int {
  /// Checks a number that the program computes with: by default a count far below the overflow limit.
  package func check(_ name: String, in range: ClosedRange<Int> = 0...Int(Int32.max)) throws(JSONCodingError)
  {
    guard range.contains(self) else { throw JSONCodingError("\(name): \(self) is out of range") }
  }

  /// Checks a number of any size, as stated by a service or a user.
  package func checkSize(_ name: String) throws(JSONCodingError) { try check(name, in: 0...Int.max) }
}

extension JSONValue {
  /// The value of this type, checked. Accepts what `JSONEncoding` writes. O(bytes).
  package func decoded<Value: JSONChecked>(as type: Value.Type = Value.self) throws(JSONCodingError) -> Value
  {
    do {
      var value = try JSONDecoding(self).value(type)
      try value.check()
      return value
    } catch let error as JSONCodingError { throw error } catch { throw JSONCodingError("\(error)") }
  }
}

extension Decoder {
  /// The JSON value to decode, for a type with a form of its own.
  package var json: JSONValue {
    get throws(JSONCodingError) {
      guard let decoding = self as? JSONDecoding else { throw JSONCodingError("not JSON") }
      return decoding.value
    }
  }
}

/// Decodes what `JSONEncoding` writes from the tape of a document, without intermediate values.
private struct JSONDecoding: Decoder, SingleValueDecodingContainer {
  private final class Source {
    let document: JSONDocument

    init(_ document: JSONDocument) { self.document = document }
  }

  private let source: Source
  let node: JSONNode

  init(_ json: JSONValue) {
    source = Source(json.document)
    node = json.node
  }

  private init(_ source: Source, _ node: JSONNode) {
    self.source = source
    self.node = node
  }

  var document: JSONDocument { source.document }
  var value: JSONValue { JSONValue(document: document, node: node) }
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Another value of the same document.
  func at(_ node: JSONNode) -> JSONDecoding { JSONDecoding(source, node) }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      if type == Duration.self, let duration = try duration() as? Value { return duration }
      if type == [UInt64].self, let numbers = try numbers() as? Value { return numbers }
      return try Value(from: self)
    } catch is DecodingError {
      throw unknownName
    }
  }

  /// The error for a string or a member name that is none of a type's cases.
  private var unknownName: JSONCodingError {
    let members = value.members
    guard let name = value.string ?? (members.count == 1 ? members.first?.name : nil) else {
      return JSONCodingError(value, isNot: "a name or an object with one member")
    }
    return JSONCodingError("\(JSONText.quoted(name)) is not known to this version")
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.kind(of: node) == .object else { throw JSONCodingError(value, isNot: "an object") }
    return KeyedDecodingContainer(Members(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  var isEmptyObject: Bool {
    document.kind(of: node) == .object && !document.members(of: node).contains { _ in true }
  }

  func decodeNil() -> Bool { document.kind(of: node) == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
  func decode(_: Double.Type) throws -> Double { try number() }
  func decode(_: Float.Type) throws -> Float { Float(try number()) }
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number { try integer() }

  func decode(_: Bool.Type) throws -> Bool {
    guard let bool = document.bool(of: node) else { throw JSONCodingError(value, isNot: "true or false") }
    return bool
  }

  func decode(_: String.Type) throws -> String {
    guard let text = document.string(of: node) else { throw JSONCodingError(value, isNot: "a string") }
    return text
  }

  private func integer<Number: FixedWidthInteger>() throws(JSONCodingError) -> Number {
    if let number = document.numberText(of: node).flatMap({ Number($0) }) { return number }
    throw JSONCodingError(value, isNot: "a whole number")
  }

  /// Within the range that the program computes with: as seconds, thirty million years.
  private func number() throws(JSONCodingError) -> Double {
    guard let number = document.numberText(of: node).flatMap({ Double($0) }) else {
      throw JSONCodingError(value, isNot: "a number")
    }
    guard abs(number) <= 1e15 else { throw JSONCodingError("\(number) is out of range") }
    return number
  }

  private func duration() throws(JSONCodingError) -> Duration {
    let seconds = try number()
    guard abs(seconds) < 1e12 else { throw JSONCodingError(value, isNot: "a duration") }
    return .seconds(seconds)
  }

  /// The same as the standard library's, without a container for each number.
  private func numbers() throws(JSONCodingError) -> [UInt64] {
    guard document.kind(of: node) == .array else { throw JSONCodingError(value, isNot: "a list") }
    return try document.elements(of: node).map { element throws(JSONCodingError) in try at(element).integer()
    }
  }
}

/// The members of an object, or the associated values of a case: a single one without a label is the value of
/// the case itself, and nil if that is `{}`.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let object: JSONDecoding
  /// The name of the case.
  private let name: String?
  /// For a large object: looking for each of many members would take quadratic time.
  private var index: [String: JSONNode]?

  init(_ object: JSONDecoding, of name: String? = nil) {
    self.object = object
    self.name = name
    let entry = object.document.tape[object.node.index]
    guard entry.isContainer, Int(entry.link) - object.node.index > 256 else { return }
    index = [:]
    for member in object.document.members(of: object.node) {
      index?[object.document.string(of: member.name) ?? ""] = member.value
    }
  }

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    object.document.members(of: object.node).compactMap { member in
      object.document.string(of: member.name).flatMap { Key(stringValue: $0) }
    }
  }

  private func member(_ key: Key) -> JSONDecoding? {
    let name = key.stringValue
    if name == JSONEncoding.onlyValue { return object }
    if let index { return index[name].map(object.at) }
    return object.document.member(of: object.node, named: name).map(object.at)
  }

  private func required(_ key: Key) throws(JSONCodingError) -> JSONDecoding {
    if let member = member(key) { return member }
    throw inside(JSONCodingError("\"\(key.stringValue)\" is missing"))
  }

  private func inside(_ error: JSONCodingError) -> JSONCodingError { name.map(error.inside) ?? error }

  func contains(_ key: Key) -> Bool {
    if key.stringValue == JSONEncoding.onlyValue { return !object.isEmptyObject }
    return member(key) != nil
  }

  func decodeNil(forKey key: Key) -> Bool { member(key)?.decodeNil() ?? true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let member = try required(key)
    do { return try member.value(type) } catch let error as JSONCodingError {
      throw inside(key.stringValue == JSONEncoding.onlyValue ? error : error.inside(key.stringValue))
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(Members<Nested>(try required(key), of: key.stringValue))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try required(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { object }
  func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }
}

private struct Elements: UnkeyedDecodingContainer {
  private let array: JSONDecoding
  private var rest: JSONElements
  private var next: JSONNode?
  private(set) var currentIndex = 0

  init(_ array: JSONDecoding) throws(JSONCodingError) {
    guard array.document.kind(of: array.node) == .array else {
      throw JSONCodingError(array.value, isNot: "a list")
    }
    self.array = array
    rest = array.document.elements(of: array.node)
    next = rest.next()
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { next == nil }

  private mutating func element() throws(JSONCodingError) -> JSONDecoding {
    guard let node = next else { throw JSONCodingError(array.value, isNot: "long enough") }
    next = rest.next()
    currentIndex += 1
    return array.at(node)
  }

  mutating func decodeNil() throws -> Bool {
    guard let next, array.at(next).decodeNil() else { return false }
    _ = try element()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try element().value(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try element().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try element() }
}
