/// The rows a request asks for, and their JSON.
struct CharacterSearch {
  /// Every match, ascending.
  let rows: [Int]
  private let catalogue = UnicodeCatalogue.standardLibrary

  /// Searches for the parameter `q`; without it, all characters.
  init(_ request: Request) throws(Refusal) {
    let text = request.query["q"] ?? ""
    guard text.utf8.count <= Self.longestText else {
      throw Refusal(422, "q must have at most \(Self.longestText) bytes")
    }
    rows = catalogue.rows(matching: text)
  }

  /// In bytes, so that one query's words cannot keep the server busy.
  private static let longestText = 256

  /// The page size a request asks for, `standard` unless it does, never above 100.
  static func size(_ name: String, of request: Request) throws(Refusal) -> Int {
    try request.query.number(name, in: 1...100, standard: 30)
  }

  /// The matches from one on, at most `size`; none beyond the end.
  func items(from start: Int, size: Int) -> JSONValue {
    let page = rows.dropFirst(start).prefix(size)
    return .array(page.compactMap { catalogue.character(at: $0) }.map(\.json))
  }
}

extension NamedCharacter {
  var json: JSONValue {
    [
      "code_point": .string(codePoint),
      "character": .string(String(Character(scalar))),
      "name": .string(name),
      "category": .string(category),
      "category_code": .string(categoryCode),
      "age": .optional(age),
      "numeric": .optional(numericValue),
      "url": .string(url),
    ]
  }
}
