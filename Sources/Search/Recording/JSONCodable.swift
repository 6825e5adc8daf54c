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
