/// Header fields in order. Names are compared without regard to the case of ASCII letters.
package struct HTTPFields: Sendable, Hashable {
  private var fields: [HTTPField]

  package init(_ fields: [HTTPField] = []) { self.fields = fields }

  /// The value of the first field of that name.
  package func first(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// The values of all fields of that name in order.
  package func all(_ name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  package mutating func append(_ field: HTTPField) { fields.append(field) }

  /// Puts a field in the place of the first of its name and removes further ones; adds it when there is none.
  package mutating func set(_ field: HTTPField) {
    let place = fields.firstIndex { $0.isNamed(field.name) } ?? fields.endIndex
    remove(field.name)
    fields.insert(field, at: place)
  }

  /// The fields that say what is wanted and who asks; any other may be a key to the host it is meant for.
  package var impersonal: HTTPFields {
    let names = ["accept", "accept-language", "content-type", "user-agent"]
    return HTTPFields(fields.filter { names.contains($0.name.lowercased()) })
  }

  /// Removes all fields of that name.
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
