extension Source {
  /// The number of rows that the service reports, and its certainty; nil if it reports no number. The number
  /// may be written as a string.
  func total(in values: ReplyValues) -> Total? {
    guard let text = rows.total.flatMap({ values.text(of: $0) }), let count = Self.count(text) else {
      return nil
    }
    if let incomplete = rows.incomplete, values.isTrue(incomplete) { return .estimate(count) }
    if let bound = rows.totalAtLeast, values.holds(bound) { return .atLeast(count) }
    if let exact = rows.totalExact, !values.isTrue(exact) { return .estimate(count) }
    return .exact(count)
  }

  /// Digits only: no sign, no separators, no fraction.
  static func count(_ text: String) -> Int? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
  }
}
