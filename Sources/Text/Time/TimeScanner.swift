/// Parses the parts of a date one after the other. After a result of nil the position is unspecified.
struct TimeScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Exactly this many decimal digits.
  mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// All following digits, at least one, as nanoseconds; digits after the ninth are ignored.
  mutating func fraction() -> Int32? {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    var value: Int32 = 0
    for place in 0..<9 {
      let digit = digits.dropFirst(place).first.map { Int32($0 - UInt8(ascii: "0")) } ?? 0
      value = value * 10 + digit
    }
    return value
  }

  /// Consumes any one of the given bytes, if it is next.
  mutating func take(anyOf choices: StaticString) -> UInt8? {
    let isChoice = choices.withUTF8Buffer { buffer in rest.first.map(buffer.contains) ?? false }
    return isChoice ? rest.popFirst() : nil
  }

  /// Consumes exactly this text, if it is next.
  mutating func take(all text: StaticString) -> Bool {
    let comesNext = text.withUTF8Buffer { rest.starts(with: $0) }
    if comesNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
    return comesNext
  }

  /// Consumes one of these names and returns its index; nil if none is next.
  mutating func take(oneOf names: [StaticString]) -> Int? {
    for (position, name) in names.enumerated() where take(all: name) { return position }
    return nil
  }
}
