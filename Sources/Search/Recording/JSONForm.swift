/// A value with one form in JSON, the same in both directions: what is read equals what was written.
///
/// Numbers that the program reckons with are read within bounds, so that no recording, whoever made it, brings it
/// to overflow.
package protocol JSONForm {
  func write(to json: inout JSONWriter)

  /// - Throws: for anything that `write(to:)` does not write.
  init(json: JSONValue) throws(JSONFormError)
}

/// Why a JSON value is not the form of what it should be.
package struct JSONFormError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The names of the members that lead to it.
  private var path: [String] = []
  private let problem: String

  package init(_ problem: String) { self.problem = problem }

  package init(_ json: JSONValue, isNot expectation: String) {
    let text = String(decoding: json.document.bytes[json.byteRange].prefix(40), as: UTF8.self)
    self.init("\(text) is not \(expectation)")
  }

  func inside(_ name: String) -> JSONFormError {
    var error = self
    error.path.insert(name, at: 0)
    return error
  }

  package var description: String { path.isEmpty ? problem : "\(path.joined(separator: ".")): \(problem)" }
}

extension JSONValue {
  /// A member that must be there.
  package func member<Value: JSONForm>(_ name: String) throws(JSONFormError) -> Value {
    try present(member(name), name)
  }

  /// A member that may be missing.
  package func member<Value: JSONForm>(_ name: String) throws(JSONFormError) -> Value? {
    try read(name) { (value) throws(JSONFormError) in try Value(json: value) }
  }

  /// A number of things that is reckoned with, far from where that could overflow.
  package func amount() throws(JSONFormError) -> Int { try number(upTo: Int(Int32.max)) }

  package func amount(_ name: String) throws(JSONFormError) -> Int { try present(amount(name), name) }

  package func amount(_ name: String) throws(JSONFormError) -> Int? {
    try read(name) { (value) throws(JSONFormError) in try value.amount() }
  }

  /// A number as a service or a user may state it, whatever its size.
  package func size() throws(JSONFormError) -> Int { try number(upTo: .max) }

  package func size(_ name: String) throws(JSONFormError) -> Int { try present(size(name), name) }

  package func size(_ name: String) throws(JSONFormError) -> Int? {
    try read(name) { (value) throws(JSONFormError) in try value.size() }
  }

  /// Seconds, within what times are reckoned with: thirty million years.
  package func seconds() throws(JSONFormError) -> Double {
    let seconds = try Double(json: self)
    guard abs(seconds) <= 1e15 else { throw JSONFormError("\(seconds) is no time") }
    return seconds
  }

  package func seconds(_ name: String) throws(JSONFormError) -> Double { try present(seconds(name), name) }

  package func seconds(_ name: String) throws(JSONFormError) -> Double? {
    try read(name) { (value) throws(JSONFormError) in try value.seconds() }
  }

  private func number(upTo most: Int) throws(JSONFormError) -> Int {
    let number = try Int(json: self)
    guard 0...most ~= number else { throw JSONFormError("\(number) is out of bounds") }
    return number
  }

  private func read<Value>(
    _ name: String, _ read: (JSONValue) throws(JSONFormError) -> Value
  ) throws(JSONFormError) -> Value? {
    guard let value = self[name] else { return nil }
    do throws(JSONFormError) { return try read(value) } catch { throw error.inside(name) }
  }

  private func present<Value>(_ value: Value?, _ name: String) throws(JSONFormError) -> Value {
    guard let value else { throw JSONFormError("\"\(name)\" is missing") }
    return value
  }

  /// One of several things: `"name"`, or `{"name": value}`.
  package func choice() throws(JSONFormError) -> (name: String, value: JSONValue) {
    if let name = string { return (name, self) }
    var members = document.members(of: node)
    guard let member = members.next(), members.next() == nil, let name = document.string(of: member.name)
    else { throw JSONFormError(self, isNot: "one name, or an object of one member") }
    return (name, JSONValue(document: document, node: member.value))
  }

  /// Reads one of several things by its name.
  package func choose<Value>(
    _ read: (_ name: String, _ value: JSONValue) throws(JSONFormError) -> Value?
  ) throws(JSONFormError) -> Value {
    let (name, value) = try choice()
    let result: Value?
    do throws(JSONFormError) { result = try read(name, value) } catch { throw error.inside(name) }
    guard let result else { throw JSONFormError("\"\(name)\" is not known to this version") }
    return result
  }
}
