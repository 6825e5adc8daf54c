/// Names characters in code point order: the standard library's name, or else the alias, or else a name
/// derived from the code point.
///
/// The library lacks the names of recently added ideographs, and has one as `KHITAN SMALL SCRIPT
/// CHARACTER-*`. By rule NR2 of the Unicode Standard (section 4.8) such a name is a prefix and the code
/// point, so the prefix of the preceding character's name is used.
struct CharacterNaming {
  /// `"TANGUT IDEOGRAPH-"` after U+17000, whose name ends in its own code point; nil after any other
  /// character.
  private(set) var series: Substring?

  /// The upper-case name; nil for code points that are not characters (unassigned and private use).
  mutating func name(of scalar: Unicode.Scalar) -> String? {
    guard let name = libraryName(of: scalar) ?? madeName(of: scalar) else {
      series = nil
      return nil
    }
    let digits = scalar.codePointDigits
    series = name.hasSuffix("-" + digits) ? name.dropLast(digits.utf8.count) : nil
    return name
  }

  /// The last of consecutive characters whose names continue the series of the first, which was the last one
  /// named. Checks only one name in sixteen, since names change only between blocks, which begin at multiples
  /// of 16 (Unicode Standard, section 2.8).
  func end(ofSeries characters: ClosedRange<UInt32>) -> UInt32 {
    var next = (characters.lowerBound | 0xF) + 1
    while next <= characters.upperBound {
      guard isInSeries(next) else { return next - 1 }
      next += 16
    }
    return characters.upperBound
  }

  /// Whether a character without a name continues the series of the preceding one.
  private func isInSeries(_ codePoint: UInt32) -> Bool {
    guard let series, let scalar = Unicode.Scalar(codePoint) else { return false }
    return libraryName(of: scalar).map { $0 == series + scalar.codePointDigits } ?? true
  }

  private func libraryName(of scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name ?? scalar.properties.nameAlias else { return nil }
    return name.hasSuffix("*") ? name.dropLast() + scalar.codePointDigits : name
  }

  /// A name that continues the series, or a label such as `CONTROL-000A`.
  private func madeName(of scalar: Unicode.Scalar) -> String? {
    let category = scalar.properties.generalCategory
    if category == .unassigned || category == .privateUse { return nil }
    let prefix = series ?? category.longName.uppercased() + "-"
    return prefix + scalar.codePointDigits
  }
}

extension Unicode.Scalar {
  /// The code point in upper-case hexadecimal with at least four digits: `"000A"`, `"1F600"`.
  var codePointDigits: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
