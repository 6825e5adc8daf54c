/// Formats numbers for display, independently of the locale: commas group digits, and a period is the decimal
/// separator.
package enum Digits {
  /// "52,341".
  package static func grouped(_ number: Int) -> String { grouped(exact: String(number)) }

  /// "1 row", "52,341 rows": a count of a noun whose plural ends in s.
  package static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Groups the integer digits of a number's own text and keeps every digit: "9007199254740993" →
  /// "9,007,199,254,740,993", "-1234.50" → "-1,234.50". Text that is not a plain decimal number ("1e9",
  /// "abc") is unchanged.
  package static func grouped(exact text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }), let integer = parts.first
    else {
      return text
    }
    var result = sign
    for (position, digit) in integer.enumerated() {
      if position > 0 && (integer.utf8.count - position) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return parts.count == 2 ? result + "." + parts[1] : result
  }

  /// The number with at most four digits and a unit: "999", "12.3k", "12.0k", "123k", "1.2M", "7.1T"; nil if the number
  /// is not finite or above 10¹⁸.
  package static func compact(_ number: Double) -> String? {
    scaled(number, by: 1_000, units: ["", "k", "M", "B", "T"])
  }

  /// A size in powers of 1,024: "0 B", "512 B", "1.4 MiB", "2.0 MiB"; nil if the number is not finite or
  /// above 10¹⁸.
  package static func bytes(_ number: Double) -> String? {
    scaled(number, by: 1_024, units: [" B", " KiB", " MiB", " GiB", " TiB", " PiB"])
  }

  /// A fraction as a percentage, with one decimal below 100% and none from there on: 0.123 → "12.3%", 0.25 →
  /// "25.0%", 1 → "100%"; nil if the fraction is not finite or above 10¹⁶.
  package static func percent(_ fraction: Double) -> String? {
    decimal(fraction * 100, isPadded: true).map { $0 + "%" }
  }

  /// Numbers of one unit have the same number of decimals, so that they align and compare at a glance.
  private static func scaled(_ number: Double, by step: Double, units: [String]) -> String? {
    var (number, unit) = (number, 0)
    while unit < units.count - 1, number.magnitude >= step - 0.5 {
      number /= step
      unit += 1
    }
    return decimal(number, isPadded: unit > 0).map { $0 + units[unit] }
  }

  /// The number with one decimal below 100, and none from there on.
  ///
  /// - Parameter isPadded: Whether to include a decimal of zero.
  private static func decimal(_ number: Double, isPadded: Bool) -> String? {
    guard number.magnitude < 1e18 else { return nil }
    let sign = number <= -0.05 ? "-" : ""
    // Adding a half rounds, because the conversion to Int truncates; `rounded()` would require the C math
    // library.
    if number.magnitude >= 99.95 { return sign + String(Int(number.magnitude + 0.5)) }
    let (whole, tenth) = Int(number.magnitude * 10 + 0.5).quotientAndRemainder(dividingBy: 10)
    return sign + (tenth == 0 && !isPadded ? "\(whole)" : "\(whole).\(tenth)")
  }
}

extension BinaryInteger {
  /// The digits, padded with leading zeros to this length, after a sign if negative.
  package func padded(to length: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let digits = String(magnitude, radix: radix, uppercase: uppercase)
    let zeros = String(repeating: "0", count: Swift.max(0, length - digits.utf8.count))
    return (self < 0 ? "-" : "") + zeros + digits
  }
}
