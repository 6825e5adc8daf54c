/// A JSON number (RFC 8259 section 6) by its own digits, however many: what no `Double` tells apart is in order
/// all the same.
package struct ExactNumber: Sendable, Hashable, Comparable {
  private let isNegative: Bool
  /// The digits from the first to the last that is not 0; none for 0.
  private let digits: [UInt8]
  /// The power of ten by which the number is 0.digits.
  private let scale: Int

  /// Nil for what is no number. O(length).
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let hasSign = bytes.first == UInt8(ascii: "-")
    let mantissa = bytes.dropFirst(hasSign ? 1 : 0).prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    let all = Array(whole) + mantissa.dropFirst(whole.count + 1)
    guard !all.isEmpty, all.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    let counted = all.drop { $0 == UInt8(ascii: "0") }
    digits = Array(counted.reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
    isNegative = hasSign && !digits.isEmpty
    let power = Self.power(String(decoding: bytes[mantissa.endIndex...].dropFirst(), as: UTF8.self))
    scale = digits.isEmpty ? 0 : whole.count - (all.count - counted.count) + power
  }

  /// The number behind `e`; one too large to be counted is cut to what never overflows.
  private static func power(_ text: String) -> Int {
    if text.isEmpty { return 0 }
    let most = Int.max / 4
    let number = Int(text) ?? (text.hasPrefix("-") ? -most : most)
    return max(-most, min(number, most))
  }

  package static func < (a: ExactNumber, b: ExactNumber) -> Bool {
    guard a.isNegative == b.isNegative else { return a.isNegative }
    return a.isNegative ? b.isSmaller(than: a) : a.isSmaller(than: b)
  }

  /// Whether the magnitude is.
  private func isSmaller(than other: ExactNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.count < other.digits.count }
    return scale == other.scale ? digits.lexicographicallyPrecedes(other.digits) : scale < other.scale
  }
}
