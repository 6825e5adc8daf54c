/// An IPv4 address in any notation that a resolver accepts.
struct IPv4Address: Hashable {
  let value: UInt32

  init(value: UInt32) { self.value = value }

  /// One to four numbers, each decimal, octal (`0…`), or hexadecimal (`0x…`); the last one fills the
  /// remaining bytes: `127.0.0.1`, `127.1`, `0x7f.1`, `017700000001`, and `2130706433` are all the same
  /// address. A trailing dot is allowed.
  init?(_ text: String) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "" { parts.removeLast() }
    let numbers = parts.compactMap(Self.number)
    guard numbers.count == parts.count, let last = numbers.last, numbers.count <= 4,
      numbers.dropLast().allSatisfy({ $0 <= 0xFF }), last >> (8 * (5 - numbers.count)) == 0
    else { return nil }
    let high = numbers.dropLast().enumerated().reduce(0) { $0 | $1.element << (24 - 8 * $1.offset) }
    value = UInt32(truncatingIfNeeded: high | last)
  }

  /// Whether resolvers treat the text as an address, well-formed or not: its last part is a number.
  static func isIntended(by text: String) -> Bool {
    let last = text.split(separator: ".").last ?? ""
    guard !last.hasPrefix("0x") else { return last.utf8.dropFirst(2).allSatisfy { $0.hexDigitValue != nil } }
    return !last.isEmpty && last.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func number(_ part: Substring) -> UInt64? {
    let (digits, radix) =
      part.hasPrefix("0x")
      ? (part.dropFirst(2), 16) : part.hasPrefix("0") && part.count > 1 ? (part.dropFirst(), 8) : (part, 10)
    guard !digits.hasPrefix("+"), !digits.hasPrefix("-") else { return nil }
    return radix == 16 && digits.isEmpty ? 0 : UInt64(digits, radix: radix).map { min($0, 1 << 33) }
  }
}

extension IPv4Address: CustomStringConvertible {
  /// Four decimal numbers.
  var description: String {
    [24, 16, 8, 0].map { String(value >> $0 & 0xFF) }.joined(separator: ".")
  }
}
