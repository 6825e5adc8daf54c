import Glibc

/// The hosts of `no_proxy`, parsed like curl does: names including their subdomains, addresses, networks such
/// as `10.0.0.0/8`, or `*` for everything, separated by commas or spaces.
struct ProxyExceptions: Sendable {
  private let entries: [Substring]

  init(_ text: String) {
    entries = text.lowercased().split { $0 == "," || $0.isWhitespace }
  }

  /// - Parameter host: In lowercase, an IPv6 address in brackets.
  func hold(_ host: String) -> Bool {
    if entries == ["*"] { return true }
    let host = Self.bare(host[...])
    if let address = IPAddress(host) {
      return entries.contains { IPNetwork(Self.bare($0))?.holds(address) ?? false }
    }
    return entries.contains { entry in
      let name = Self.bare(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  /// Removes brackets and a final dot.
  private static func bare(_ host: Substring) -> Substring {
    if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
      return host[..<end].dropFirst() + host[host.index(after: end)...]
    }
    return host.hasSuffix(".") ? host.dropLast() : host
  }
}

/// The bytes of an IPv4 (4) or IPv6 (16) address.
private struct IPAddress {
  let bytes: [UInt8]

  init?(_ text: Substring) {
    var buffer = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, String(text), &buffer) == 1 {
      bytes = Array(buffer.prefix(4))
    } else if inet_pton(AF_INET6, String(text), &buffer) == 1 {
      bytes = buffer
    } else {
      return nil
    }
  }
}

/// An address with its prefix length.
private struct IPNetwork {
  private let address: IPAddress
  private let bits: Int

  /// Parses `10.0.0.0/8`, or a single address.
  init?(_ text: Substring) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let address = IPAddress(first) else { return nil }
    let width = address.bytes.count * 8
    guard let bits = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
    self.address = address
    self.bits = bits
  }

  func holds(_ other: IPAddress) -> Bool {
    guard address.bytes.count == other.bytes.count else { return false }
    return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
      let counted = min(8, max(0, bits - index * 8))
      return (pair.0 ^ pair.1) >> (8 - counted) == 0
    }
  }
}
