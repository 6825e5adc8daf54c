import Glibc
import JSON

/// An IPv4 or IPv6 address without a zone.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The 4 or 16 bytes of the address, in network order.
  let bytes: [UInt8]

  /// Parses four decimal numbers, or groups of hexadecimal digits (RFC 4291, section 2.2).
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard let bytes = Self.bytes(of: text, AF_INET) ?? Self.bytes(of: text, AF_INET6) else { return nil }
    self.bytes = bytes
  }

  /// The bytes that inet_pton(3) parses; nil for invalid text.
  private static func bytes(of text: String, _ family: CInt) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// - Parameter host: The canonical host of an `Origin`.
  package init?(host: String) {
    self.init(host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...])
  }

  private init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var isIPv6: Bool { bytes.count == 16 }

  /// The IPv4 address that a packet to this IPv6 address reaches: mapped (`::ffff:a.b.c.d`), compatible
  /// (`::a.b.c.d`), translated (`64:ff9b::a.b.c.d`, RFC 6052), or tunneled (`2002:aabb:ccdd::`, RFC 3056).
  var embeddedIPv4: IPAddress? {
    if Self.tunnel?.contains(self) == true { return IPAddress(bytes: bytes[2..<6]) }
    let isOwn = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last ?? 0 <= 1
    guard !isOwn, Self.embedding.contains(where: { $0.contains(self) }) else { return nil }
    return IPAddress(bytes: bytes.suffix(4))
  }

  private static let tunnel = IPNetwork("2002::/16")
  private static let embedding = ["::/96", "::ffff:0:0/96", "64:ff9b::/96"].compactMap { IPNetwork($0) }
}

extension IPAddress {
  /// Parses an IPv4 address in any notation that a resolver accepts: one to four numbers, each decimal, octal
  /// (`0…`), or hexadecimal (`0x…`); the last one fills the remaining bytes. `127.0.0.1`, `127.1`, `0x7f.1`,
  /// `017700000001`, and `2130706433` are all the same address. A trailing dot is allowed.
  init?(looseIPv4 text: String) {
    var address = in_addr()
    let numbers = text.hasSuffix(".") ? String(text.dropLast()) : text
    // inet_aton(3) ignores everything after a space or U+0000.
    guard numbers.utf8.allSatisfy({ $0 > 0x20 }), inet_aton(numbers, &address) == 1 else { return nil }
    self.init(bytes: withUnsafeBytes(of: address.s_addr, Array.init))
  }

  /// Whether resolvers treat the text as an IPv4 address, well-formed or not: its last part is a number.
  static func isIPv4Intended(by text: String) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let end = text.utf8.lastIndex(where: { $0 != dot }) else { return false }
    let rest = text.utf8[...end]
    let last = rest.lastIndex(of: dot).map { rest[$0...].dropFirst() } ?? rest
    guard !last.starts(with: "0x".utf8) else {
      return last.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
    }
    return !last.isEmpty && last.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// The canonical text: four decimal numbers or, for IPv6, lower case with the first longest run of two or more zeros
  /// as `::` (RFC 5952).
  package var description: String {
    guard isIPv6 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    var gap = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 { start = index + 1 }
      if index + 1 - start > gap.count { gap = start..<index + 1 }
    }
    let texts = groups.map { String($0, radix: 16) }
    if gap.count < 2 { return texts.joined(separator: ":") }
    return texts[..<gap.lowerBound].joined(separator: ":") + "::"
      + texts[gap.upperBound...].joined(separator: ":")
  }
}

/// An address with its prefix length.
package struct IPNetwork: Sendable {
  private let address: IPAddress
  private let bits: Int

  /// Parses `10.0.0.0/8`, or a single address.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let address = IPAddress(first) else { return nil }
    let width = address.bytes.count * 8
    guard let bits = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
    self.address = address
    self.bits = bits
  }

  package func contains(_ other: IPAddress) -> Bool {
    guard address.bytes.count == other.bytes.count else { return false }
    return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
      let counted = min(8, max(0, bits - index * 8))
      return (pair.0 ^ pair.1) >> (8 - counted) == 0
    }
  }
}
