/// A character of the catalog with its properties in the standard library.
package struct NamedCharacter: Sendable, Equatable {
  package var scalar: Unicode.Scalar
  package var name: String

  /// `"U+2192"`.
  package var codePoint: String { "U+" + scalar.codePointDigits }
  /// `"Math Symbol"`.
  package var category: String { scalar.properties.generalCategory.longName }
  /// `"Sm"`.
  package var categoryCode: String { scalar.properties.generalCategory.code }
  /// The version of Unicode that introduced it: `"1.1"`.
  package var age: String? { scalar.properties.age.map { "\($0.major).\($0.minor)" } }
  /// The numeric value: 0.5 for `½`.
  package var numericValue: Double? { scalar.properties.numericValue }
  /// A web page about the character.
  package var url: String {
    "https://util.unicode.org/UnicodeJsps/character.jsp?a=" + scalar.codePointDigits
  }
}

extension UnicodeCatalog {
  /// The character in a row; nil if there is no such row.
  package func character(at row: Int) -> NamedCharacter? {
    guard let scalar = codePoint(at: row).flatMap(Unicode.Scalar.init) else { return nil }
    return NamedCharacter(scalar: scalar, name: name(at: row))
  }
}
