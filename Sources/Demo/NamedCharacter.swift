import JSON

/// An assigned character with its name and its properties in the standard library.
package struct NamedCharacter: Sendable, Equatable {
  package let scalar: Unicode.Scalar
  /// The name in upper-case ASCII: that of the Unicode database, or else a prefix and the code point.
  package let name: String

  /// Creates a character; nil for private use and unassigned code points.
  package init?(_ scalar: Unicode.Scalar) {
    let properties = scalar.properties
    let category = properties.generalCategory
    if category == .unassigned || category == .privateUse { return nil }
    self.scalar = scalar
    // The library lacks the names of recently added ideographs, and has one that ends in `-*`. They are made by rule
    // NR2 of the Unicode Standard (section 4.8); control characters have no names.
    switch properties.name ?? properties.nameAlias {
    case let name? where name.hasSuffix("*"): self.name = name.dropLast() + scalar.value.codePointDigits
    case let name?: self.name = name
    case nil where properties.isUnifiedIdeograph:
      name = "CJK UNIFIED IDEOGRAPH-" + scalar.value.codePointDigits
    case nil where properties.isIdeographic: name = "TANGUT IDEOGRAPH-" + scalar.value.codePointDigits
    case nil: name = "\(category.names.long.uppercased())-" + scalar.value.codePointDigits
    }
  }

  /// The code point, such as `"U+2192"`.
  package var codePoint: String { "U+" + scalar.value.codePointDigits }
  /// The general category, such as `"Math Symbol"`.
  package var category: String { scalar.properties.generalCategory.names.long }
  /// The code of the general category, such as `"Sm"`.
  package var categoryCode: String { scalar.properties.generalCategory.names.code }
  /// The version of Unicode that introduced it: `"1.1"`.
  package var age: String? { scalar.properties.age.map { "\($0.major).\($0.minor)" } }
  /// The numeric value: 0.5 for `½`.
  package var numericValue: Double? { scalar.properties.numericValue }
  /// A web page about the character.
  package var url: String {
    "https://util.unicode.org/UnicodeJsps/character.jsp?a=" + scalar.value.codePointDigits
  }
}

extension NamedCharacter: JSONConvertible {
  package var json: String {
    let row: JSONObject = [
      "code_point": codePoint, "character": String(Character(scalar)), "name": name, "category": category,
      "category_code": categoryCode, "age": age,
      // Whole numbers are written without a fraction.
      "numeric": numericValue.map { JSONToken(literal: Int(exactly: $0).map(String.init) ?? "\($0)") },
      "url": url,
    ]
    return row.json
  }
}

extension UInt32 {
  /// A code point in upper-case hexadecimal with at least four digits: `"000A"`, `"1F600"`.
  package var codePointDigits: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.utf8.count)) + digits
  }
}

extension Unicode.GeneralCategory {
  /// The two-letter code, `"Sm"`, and the name in the property value aliases of the Unicode database,
  /// `"Math Symbol"`.
  var names: (code: String, long: String) {
    switch self {
    case .uppercaseLetter: ("Lu", "Uppercase Letter")
    case .lowercaseLetter: ("Ll", "Lowercase Letter")
    case .titlecaseLetter: ("Lt", "Titlecase Letter")
    case .modifierLetter: ("Lm", "Modifier Letter")
    case .otherLetter: ("Lo", "Other Letter")
    case .nonspacingMark: ("Mn", "Nonspacing Mark")
    case .spacingMark: ("Mc", "Spacing Mark")
    case .enclosingMark: ("Me", "Enclosing Mark")
    case .decimalNumber: ("Nd", "Decimal Number")
    case .letterNumber: ("Nl", "Letter Number")
    case .otherNumber: ("No", "Other Number")
    case .connectorPunctuation: ("Pc", "Connector Punctuation")
    case .dashPunctuation: ("Pd", "Dash Punctuation")
    case .openPunctuation: ("Ps", "Open Punctuation")
    case .closePunctuation: ("Pe", "Close Punctuation")
    case .initialPunctuation: ("Pi", "Initial Punctuation")
    case .finalPunctuation: ("Pf", "Final Punctuation")
    case .otherPunctuation: ("Po", "Other Punctuation")
    case .mathSymbol: ("Sm", "Math Symbol")
    case .currencySymbol: ("Sc", "Currency Symbol")
    case .modifierSymbol: ("Sk", "Modifier Symbol")
    case .otherSymbol: ("So", "Other Symbol")
    case .spaceSeparator: ("Zs", "Space Separator")
    case .lineSeparator: ("Zl", "Line Separator")
    case .paragraphSeparator: ("Zp", "Paragraph Separator")
    case .control: ("Cc", "Control")
    case .format: ("Cf", "Format")
    case .surrogate: ("Cs", "Surrogate")
    case .privateUse: ("Co", "Private Use")
    case .unassigned: ("Cn", "Unassigned")
    @unknown default: ("??", "Unknown")
    }
  }
}
