import JSON

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

/// An IPv6 address without a zone (RFC 4291).
struct IPv6Address: Hashable {
  /// Eight groups of 16 bits.
  let groups: [UInt16]

  /// Parses groups of hexadecimal digits, one `::`, and optionally an IPv4 address at the end (RFC 4291,
  /// section 2.2).
  init?(_ text: String) {
    let halves = Self.halves(of: text)
    guard let head = Self.groups(in: halves.head, endsAddress: halves.tail == nil) else { return nil }
    if let tailText = halves.tail {
      guard let tail = Self.groups(in: tailText, endsAddress: true), head.count + tail.count < 8 else {
        return nil
      }
      groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    } else {
      guard head.count == 8 else { return nil }
      groups = head
    }
  }

  /// The IPv4 address that a packet to this address reaches: mapped (`::ffff:a.b.c.d`), compatible
  /// (`::a.b.c.d`), translated (`64:ff9b::a.b.c.d`, RFC 6052), or tunneled (`2002:aabb:ccdd::`, RFC 3056).
  var embeddedIPv4: IPv4Address? {
    let low = UInt32(groups[6]) << 16 | UInt32(groups[7])
    switch groups.prefix(6) {
    case [0, 0, 0, 0, 0, 0]: return low > 1 ? IPv4Address(value: low) : nil
    case [0, 0, 0, 0, 0, 0xFFFF], [0x64, 0xFF9B, 0, 0, 0, 0]: return IPv4Address(value: low)
    default:
      let isTunnelled = groups[0] == 0x2002
      return isTunnelled ? IPv4Address(value: UInt32(groups[1]) << 16 | UInt32(groups[2])) : nil
    }
  }

  /// The parts before and after the first `::`.
  private static func halves(of text: String) -> (head: Substring, tail: Substring?) {
    let utf8 = text.utf8
    let gap = zip(utf8.indices, utf8.indices.dropFirst()).first { utf8[$0] == 0x3A && utf8[$1] == 0x3A }
    guard let gap else { return (text[...], nil) }
    return (text[..<gap.0], text[utf8.index(after: gap.1)...])
  }

  private static func groups(in text: Substring, endsAddress: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if endsAddress, index == parts.count - 1, let address = dottedAddress(part) {
        groups += [UInt16(address.value >> 16), UInt16(address.value & 0xFFFF)]
      } else {
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.hexDigitValue != nil }),
          let group = UInt16(part, radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    return groups
  }

  /// Only four decimal numbers are allowed here.
  private static func dottedAddress(_ text: Substring) -> IPv4Address? {
    guard let address = IPv4Address(String(text)), "\(address)" == text else { return nil }
    return address
  }
}

extension IPv6Address: CustomStringConvertible {
  /// The canonical text: lower case, with the first longest run of two or more zeros as `::` (RFC 5952).
  var description: String {
    let gap = longestZeroRun
    let head = Self.joined(groups[..<gap.lowerBound])
    return gap.count < 2 ? Self.joined(groups[...]) : head + "::" + Self.joined(groups[gap.upperBound...])
  }

  private var longestZeroRun: Range<Int> {
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 { start = index + 1 }
      if index + 1 - start > longest.count { longest = start..<index + 1 }
    }
    return longest
  }

  private static func joined(_ groups: ArraySlice<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }
}
