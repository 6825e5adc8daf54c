/// The query of a request target: named values in order, in the format of HTML forms.
struct Query: Sendable, Equatable {
  private(set) var items: [Item]

  struct Item: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// Parses `a=1&b=%E2%86%92+x`. A plus sign is a space, an invalid escape is unchanged, invalid UTF-8
  /// becomes U+FFFD.
  init(parsing text: Substring) {
    items = text.split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      let value = part.dropFirst(name.count + 1)
      return Item(name: PercentEncoding.decoded(name), value: PercentEncoding.decoded(value))
    }
  }

  /// The first value with this name.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The first value with this name as a number in the range; `standard` if it is absent or empty.
  func number(_ name: String, in range: ClosedRange<Int>, standard: Int) throws(Refusal) -> Int {
    guard let text = self[name], !text.isEmpty else { return standard }
    guard let number = Int(text), number >= range.lowerBound else {
      throw Refusal(422, "\(name) must be a whole number from \(range.lowerBound), but is '\(text)'")
    }
    return min(number, range.upperBound)
  }

  /// The same query with one value replacing all values of this name, or appended.
  func setting(_ name: String, to value: String) -> Query {
    var query = self
    let position = items.firstIndex { $0.name == name } ?? items.endIndex
    query.items.removeAll { $0.name == name }
    query.items.insert(Item(name: name, value: value), at: min(position, query.items.endIndex))
    return query
  }

  /// The same query without the values of this name.
  func removing(_ name: String) -> Query {
    var query = self
    query.items.removeAll { $0.name == name }
    return query
  }

  /// The query as it appears in a URL after the question mark.
  var text: String {
    items.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }
      .joined(separator: "&")
  }
}
