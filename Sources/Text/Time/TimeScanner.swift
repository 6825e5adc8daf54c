/// Reads the parts of a date, each from where the last one ended. After a nil the position is of no use.
struct TimeScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Exactly so many decimal digits.
  mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// All digits that follow, at least one, as nanoseconds: what is beyond the ninth is left out.
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

  /// Takes any one of the given bytes, when it comes next.
  mutating func take(anyOf choices: StaticString) -> UInt8? {
    let isChoice = choices.withUTF8Buffer { buffer in rest.first.map(buffer.contains) ?? false }
    return isChoice ? rest.popFirst() : nil
  }

  /// Takes exactly this text, when it comes next.
  mutating func take(all text: StaticString) -> Bool {
    let comesNext = text.withUTF8Buffer { rest.starts(with: $0) }
    if comesNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
    return comesNext
  }

  /// The position of the one of these names that comes next, from 0.
  mutating func take(oneOf names: [StaticString]) -> Int? {
    for (position, name) in names.enumerated() where take(all: name) { return position }
    return nil
  }
}
