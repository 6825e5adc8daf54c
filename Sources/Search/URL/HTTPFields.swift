/// Header fields in order. Names are compared ignoring ASCII case.
package struct HTTPFields: Sendable, Hashable {
  private var fields: [HTTPField]

  package init(_ fields: [HTTPField] = []) { self.fields = fields }

  /// The value of the first field with this name.
  package func first(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// The values of all fields with this name, in order.
  package func all(_ name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  package mutating func append(_ field: HTTPField) { fields.append(field) }

  /// Replaces the first field with the same name and removes the others; appends the field if there is none.
  package mutating func set(_ field: HTTPField) {
    let place = fields.firstIndex { $0.isNamed(field.name) } ?? fields.endIndex
    remove(field.name)
    fields.insert(field, at: place)
  }

  /// The fields that describe the wanted content and the client; any other field may be a credential for the
  /// host that it is meant for.
  package var withoutCredentials: HTTPFields {
    let names = ["accept", "accept-language", "content-type", "user-agent"]
    return HTTPFields(fields.filter { names.contains($0.name.lowercased()) })
  }

  /// Removes all fields with this name.
  package mutating func remove(_ name: String) {
    fields.removeAll { $0.isNamed(name) }
  }
}

extension HTTPFields: RandomAccessCollection {
  package var startIndex: Int { fields.startIndex }
  package var endIndex: Int { fields.endIndex }
  package subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: HTTPField...) { self.init(elements) }
}
