/// Writes values as JSON text on one line, and redacts it: secrets that a service repeats in its texts, and
/// values that contain one.
///
/// A case of an enum is an object with one member, which has its associated values as members: `{"stopped":{}}`,
/// `{"refreshed":{"rows":40}}`. A single value without a label is written as itself: `{"focused":true}`.
/// Durations are in seconds, and dictionaries are sorted.
package final class JSONEncoding: Encoder, SingleValueEncodingContainer {
  /// The key that the compiler gives to the first associated value without a label.
  static let onlyValue = "_0"

  private enum Level {
    /// Nothing is written yet.
    case empty
    case object
    case array
    /// The only associated value of a case.
    case value
  }

  private var bytes: [UInt8] = []
  private var levels: [Level] = []
  /// Redacts the secrets in a text; nil if there are none.
  package let redacted: ((String) -> String)?
  /// The replacements for values that contain a secret.
  package var placeholders: [AnyHashable: JSONToken] = [:]

  package init(redacting redacted: ((String) -> String)? = nil) { self.redacted = redacted }

  /// The value as JSON.
  package func bytes(of value: some Encodable) -> [UInt8] {
    // No container throws, and no value of ours.
    try? append(value)
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// The value as JSON, with nothing redacted.
  package static func text(of value: some Encodable) -> String {
    String(decoding: JSONEncoding().bytes(of: value), as: UTF8.self)
  }

  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    levels.append(.empty)
    return KeyedEncodingContainer(MemberWriter(output: self, level: levels.count - 1))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    levels.append(.array)
    bytes.append(UInt8(ascii: "["))
    return ElementWriter(output: self, level: levels.count - 1)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func append<Value: Encodable>(_ value: Value) throws {
    let depth = levels.count
    if Value.self == Duration.self, let duration = value as? Duration {
      encode(duration / .seconds(1))
    } else if let members = value as? any NamedValues {
      try members.write(to: self)
    } else {
      try value.encode(to: self)
    }
    close(to: depth)
  }

  /// Begins a member of the object at this level.
  fileprivate func begin(member name: String, at level: Int) {
    close(to: level + 1)
    switch levels[level] {
    case .empty where name == Self.onlyValue:
      levels[level] = .value
      return
    case .empty:
      levels[level] = .object
      bytes.append(UInt8(ascii: "{"))
    case .object: bytes.append(UInt8(ascii: ","))
    case .array, .value: assertionFailure("an unlabeled value beside others needs a coding key")
    }
    JSONText.append(quoted: name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins an element of the array at this level.
  fileprivate func beginElement(at level: Int) {
    close(to: level + 1)
    if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
  }

  private func close(to depth: Int) {
    while levels.count > depth, let level = levels.popLast() {
      switch level {
      case .empty: bytes += "{}".utf8
      case .object: bytes.append(UInt8(ascii: "}"))
      case .array: bytes.append(UInt8(ascii: "]"))
      case .value: break
      }
    }
  }

  /// Appends JSON text that was parsed before, for a type with a form of its own.
  package func append(json: String) { bytes += json.utf8 }

  package func encodeNil() { append(json: "null") }
  package func encode<Value: Encodable>(_ value: Value) throws { try append(value) }
  package func encode(_ value: Bool) { append(json: "\(value)") }
  package func encode(_ value: String) { JSONText.append(quoted: redacted?(value) ?? value, to: &bytes) }
  /// A number that JSON has no form for is null, which is refused when it is read.
  package func encode(_ value: Double) { append(json: value.isFinite ? "\(value)" : "null") }
  package func encode(_ value: Float) { encode(Double(value)) }
  package func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) { append(json: "\(value)") }
}

/// A dictionary, whose names may be texts of a service and are redacted.
private protocol NamedValues {
  func write(to output: JSONEncoding) throws
}

extension Dictionary: NamedValues where Key: CodingKeyRepresentable, Value: Encodable {
  fileprivate func write(to output: JSONEncoding) throws {
    var writer = output.container(keyedBy: Name.self)
    let members = map { (name: $0.codingKey.stringValue, value: $1) }
    for (name, value) in members.sorted(by: { $0.name < $1.name }) {
      try writer.encode(value, forKey: Name(stringValue: output.redacted?(name) ?? name))
    }
  }
}

/// An object of JSON, whose members are written in the order of its literal.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private let members: [(name: String, value: any Encodable)]

  package init(_ members: [(name: String, value: any Encodable)]) { self.members = members }

  package init(dictionaryLiteral members: (String, any Encodable)...) { self.members = members }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try object.encode(value, forKey: Name(stringValue: name)) }
  }
}

private struct Name: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONEncoding
  let level: Int

  var codingPath: [any CodingKey] { [] }

  /// Begins a member; returns the output for its value.
  private func at(_ key: Key) -> JSONEncoding {
    output.begin(member: key.stringValue, at: level)
    return output
  }

  func encodeNil(forKey key: Key) { at(key).encodeNil() }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try at(key).append(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { at(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { output }
  func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}

private struct ElementWriter: UnkeyedEncodingContainer {
  let output: JSONEncoding
  let level: Int
  var count = 0

  var codingPath: [any CodingKey] { [] }

  /// Begins an element; returns the output for it.
  private mutating func next() -> JSONEncoding {
    output.beginElement(at: level)
    count += 1
    return output
  }

  mutating func encodeNil() { next().encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try next().append(value) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}
