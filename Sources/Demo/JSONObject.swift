package import JSON

/// A value that is written as JSON.
package protocol JSONConvertible {
  /// The JSON text, on one line.
  var json: String { get }
}

extension JSONToken: JSONConvertible {}
extension String: JSONConvertible { package var json: String { JSONText.quoted(self) } }
extension Int: JSONConvertible { package var json: String { "\(self)" } }
extension Bool: JSONConvertible { package var json: String { "\(self)" } }

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  package var json: String { map(\.json) ?? "null" }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package var json: String { "[\(map(\.json).joined(separator: ","))]" }
}

/// An object, whose members are written in the order of its literal.
package struct JSONObject: JSONConvertible, ExpressibleByDictionaryLiteral {
  package let json: String

  package init(_ members: [(name: String, value: any JSONConvertible)]) {
    json = "{\(members.map { "\($0.name.json):\($0.value.json)" }.joined(separator: ","))}"
  }

  package init(dictionaryLiteral members: (String, any JSONConvertible)...) { self.init(members.map { $0 }) }
}
