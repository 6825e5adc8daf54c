private import Text

/// The kind of a column's values, which determines how a filter reads its operand.
package enum ValueReading: Sendable, Hashable {
  case any, bool, number, percent, duration, time

  /// Whether a nonempty string is a value of this kind.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .any, .bool: true
    case .number, .percent: FilterOperand.number(text, self) != nil
    case .duration: FilterOperand.number(text, self) != nil || FilterOperand.seconds(text) != nil
    case .time: FilterOperand.seconds(text) != nil || FilterOperand.instants(text) != nil
    }
  }

  var noun: String {
    switch self {
    case .any: "a text"
    case .bool: "yes or no"
    case .number: "a number"
    case .percent: "a percentage"
    case .duration: "a duration"
    case .time: "a date or an age"
    }
  }

  var example: String {
    switch self {
    case .any: "a word"
    case .bool: "yes or no"
    case .number: "a number such as 1500 or 1.5k"
    case .percent: "a percentage such as 25%"
    case .duration: "a duration such as 90s or 5m"
    case .time: "a date such as 2026-01-31 or an age such as 30d"
    }
  }
}

/// Parses the operand of a filter.
enum FilterOperand {
  private static let factors: [(suffix: String, power: Int, base: Double)] = [
    ("kib", 1, 1_024), ("mib", 2, 1_024), ("gib", 3, 1_024), ("tib", 4, 1_024), ("kb", 1, 1_000),
    ("mb", 2, 1_000), ("gb", 3, 1_000), ("tb", 4, 1_000), ("k", 1, 1_000), ("m", 2, 1_000), ("g", 3, 1_000),
    ("t", 4, 1_000), ("b", 0, 1),
  ]

  /// A number, with thousands separators (`1,000`, `1_000`) and a suffix (`1.5k`, `2M`, `1 MiB`). `25%` is a quarter,
  /// and so is `25` in a column of percentages.
  static func number(_ text: String, _ reading: ValueReading) -> SortKey? {
    var digits = text.filter { $0 != "_" && $0 != "," && $0 != " " }.lowercased()
    if digits.hasPrefix("+") { digits.removeFirst() }
    let isPercentage = digits.hasSuffix("%")
    if isPercentage { digits.removeLast() }
    if isPercentage || reading == .percent { return SortKey(number: digits + "e-2", takesExponent: true) }
    if let key = SortKey(number: digits) { return key }
    guard let factor = factors.first(where: { digits.hasSuffix($0.suffix) }) else { return nil }
    let mantissa = String(digits.dropLast(factor.suffix.count))
    guard SortKey(number: mantissa, takesExponent: false) != nil else { return nil }
    if factor.base == 1_000 { return SortKey(number: "\(mantissa)e\(3 * factor.power)") }
    return Double(mantissa).map { number in
      SortKey(epoch: (0..<factor.power).reduce(number) { value, _ in value * factor.base })
    }
  }

  private static let units: [(suffix: String, seconds: Double)] = [
    ("mo", 30 * 86_400), ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 7 * 86_400),
    ("y", 365 * 86_400),
  ]

  /// A number of seconds, minutes, hours, days, weeks, months of 30 days or years of 365 days: `90s`, `30d`.
  static func seconds(_ text: String) -> (amount: Double, unit: Double)? {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    let digits = String(text.dropLast(unit.suffix.count))
    guard SortKey(number: digits, takesExponent: false) != nil, let number = Double(digits) else {
      return nil
    }
    return (number * unit.seconds, unit.seconds)
  }

  /// The instants from the start of a year, month, or day in UTC to the start of the next. For a time, both are the
  /// time itself.
  static func instants(_ text: String) -> (start: Double, end: Double)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let year = parts.first, year.utf8.count == 4, let number = Int(year), number >= 0 else {
      return nil
    }
    switch parts.count {
    case 1: return span("\(year)-01-01", "\((number + 1).padded(to: 4))-01-01")
    case 2:
      guard parts[1].utf8.count == 2, let month = Int(parts[1]) else { return nil }
      let next =
        month == 12 ? "\((number + 1).padded(to: 4))-01-01" : "\(year)-\((month + 1).padded(to: 2))-01"
      return span("\(text)-01", next)
    default:
      guard let time = Timestamp(iso8601: text)?.epoch else { return nil }
      return text.utf8.count == 10 ? (time, time + 86_400) : (time, time)
    }
  }

  private static func span(_ start: String, _ end: String) -> (Double, Double)? {
    guard let start = Timestamp(iso8601: start)?.epoch else { return nil }
    return (start, Timestamp(iso8601: end)?.epoch ?? .infinity)
  }
}

/// Compares the values of a column with an operand, in the order in which rows are sorted: numbers and times by
/// magnitude, strings by their letters, ignoring case and Latin accents. A missing value equals only "".
///
/// - A date stands for its whole day, month or year in UTC: `<=2026-01` includes all of January.
/// - An age is compared with the time before `now`: `<30d` matches later times, including future ones.
/// - `yes`, `no`, and "" have no order.
/// - A value of a different kind than the operand is unequal to it, and neither less nor greater.
struct ValueTest: Sendable {
  /// A point, or the interval from `low` up to but not including `high`.
  private struct Interval: Sendable {
    let low: SortKey
    let high: SortKey
    let isPoint: Bool

    init(_ low: SortKey, _ high: SortKey) {
      (self.low, self.high, isPoint) = (low, high, low == high)
    }

    func holds(_ comparison: RowFilter.Comparison, _ key: SortKey) -> Bool {
      let isBefore = key.isLess(than: low)
      let isAfter = isPoint ? high.isLess(than: key) : !key.isLess(than: high)
      return switch comparison {
      case .equal, .unequal: !isBefore && !isAfter
      case .less: isBefore
      case .atMost: !isAfter
      case .greater: isAfter
      case .atLeast: !isBefore
      }
    }
  }

  private let comparison: RowFilter.Comparison
  private let reading: ValueReading
  /// The strings that equal the operand, in UTF-8. An ordered comparison uses only the first.
  private let texts: [[UInt8]]
  private let number: Interval?
  /// The interval of times, and how values are compared with it.
  private let time: (interval: Interval, comparison: RowFilter.Comparison)?

  /// - Parameter now: The time from which ages are counted, in seconds since 1970.
  init(_ comparison: RowFilter.Comparison, _ text: String, _ reading: ValueReading, now: Double) {
    self.comparison = comparison
    self.reading = reading
    let synonyms = reading == .bool ? Self.flags.first { $0.contains(text.lowercased()) } : nil
    texts = (synonyms ?? [text]).map { Array($0.utf8) }
    time = Self.time(comparison, text, now: now)
    number = Self.number(text, reading)
  }

  private static let flags = [["yes", "true"], ["no", "false"]]

  private static func number(_ text: String, _ reading: ValueReading) -> Interval? {
    if reading == .duration, let seconds = FilterOperand.seconds(text)?.amount {
      return Interval(SortKey(epoch: seconds), SortKey(epoch: seconds))
    }
    return FilterOperand.number(text, reading).map { Interval($0, $0) }
  }

  private static func time(
    _ comparison: RowFilter.Comparison, _ text: String, now: Double
  ) -> (Interval, RowFilter.Comparison)? {
    if let instants = FilterOperand.instants(text) {
      return (Interval(SortKey(epoch: instants.start), SortKey(epoch: min(instants.end, 1e12))), comparison)
    }
    guard let age = FilterOperand.seconds(text) else { return nil }
    let instant = SortKey(epoch: now - age.amount)
    switch comparison {
    case .equal, .unequal:
      return (Interval(SortKey(epoch: now - age.amount - age.unit), instant), comparison)
    case .less: return (Interval(instant, instant), .greater)
    case .atMost: return (Interval(instant, instant), .atLeast)
    case .greater: return (Interval(instant, instant), .less)
    case .atLeast: return (Interval(instant, instant), .atMost)
    }
  }

  /// - Parameter text: The cell, in UTF-8.
  func holds(_ key: SortKey, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    comparison == .unequal ? !compares(key, text) : compares(key, text)
  }

  private func compares(_ key: SortKey, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let isEquality = comparison == .equal || comparison == .unequal
    if !isEquality, reading == .bool || texts[0].isEmpty { return false }
    switch key.kind {
    case .missing: return isEquality && texts[0].isEmpty
    case .number where reading == .time:
      guard let time else { return false }
      return time.interval.holds(time.comparison, key)
    case .number:
      guard let number else { return isEquality && isSame(text) }
      return number.holds(comparison, key)
    case .text:
      if let time, let instant = Self.instant(text) { return time.interval.holds(time.comparison, instant) }
      if isEquality { return isSame(text) }
      return number == nil && time == nil && isOrdered(text)
    }
  }

  /// The time that a string contains, if it begins like a date.
  private static func instant(_ text: UnsafeBufferPointer<UInt8>) -> SortKey? {
    guard 10...40 ~= text.count, text[4] == UInt8(ascii: "-"), text[0] &- 0x30 < 10 else { return nil }
    return Timestamp(iso8601: String(decoding: text, as: UTF8.self)).map { SortKey(epoch: $0.epoch) }
  }

  private func isSame(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    texts.contains { $0.withUnsafeBufferPointer { FoldedText.isSame($0, text) } }
  }

  private func isOrdered(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    texts[0].withUnsafeBufferPointer { other in
      if FoldedText.isSame(text, other) { return comparison == .atMost || comparison == .atLeast }
      let isLess = FoldedText.precedes(text, other) ?? false
      return (comparison == .less || comparison == .atMost) == isLess
    }
  }
}

extension SortKey {
  /// Compares two numbers.
  @inline(__always)
  fileprivate func isLess(than other: SortKey) -> Bool {
    bits != other.bits ? bits < other.bits : moreBits < other.moreBits
  }
}

/// Letters to find in this order within one word of a cell, ignoring case and Latin accents.
package struct FuzzyWord: Sendable {
  private let letters: [UInt32]

  /// Creates the letters to find. Spaces are ignored.
  package init(_ text: String) {
    letters = FoldedText.letters(of: text).map(\.letter).filter { !Self.isBlank($0) }
  }

  /// Whether a cell contains the letters. O(length).
  func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if letters.isEmpty { return true }
    var folded = FoldedText(text)
    var next = 0
    while let letter = folded.next() {
      if letter == letters[next] {
        next += 1
        if next == letters.count { return true }
      } else if Self.isBlank(letter) {
        next = 0
      }
    }
    return false
  }

  /// The characters of the first match, as byte offsets; none if there is no match.
  package func ranges(in text: String) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var next = 0
    var offset = 0
    for character in text where next < letters.count {
      let end = offset + character.utf8.count
      let own = FoldedText.letters(of: String(character)).map(\.letter)
      if !own.isEmpty, letters[next...].starts(with: own) {
        found.append(offset..<end)
        next += own.count
      } else if own.contains(where: Self.isBlank) {
        (next, found) = (0, [])
      }
      offset = end
    }
    return next == letters.count ? found : []
  }

  private static func isBlank(_ letter: UInt32) -> Bool { letter == 0x20 || letter == 0x09 || letter == 0xA0 }
}
