/// One page of a search.
struct CharacterPage {
  let characters: [NamedCharacter]
  /// The position of the next page; nil on the last.
  let next: Int?
  /// The number of matching characters on all pages.
  let total: Int

  var items: JSONValue { .array(characters.map(\.json)) }
  var totalCount: JSONValue { .number(Double(total)) }
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
