/// The host and port of a URL (RFC 3986, section 3.2). A user name and password are detected but not stored.
struct URLAuthority {
  /// In lower case; a literal address in its canonical notation, with IPv6 in brackets.
  let host: String
  let port: Int?
  let hasUserinfo: Bool

  /// Throws only the reason; the caller knows the whole text.
  init(_ text: ArraySlice<UInt8>) throws(WebURLError.Reason) {
    let at = text.lastIndex(of: UInt8(ascii: "@"))
    hasUserinfo = at != nil
    let rest = at.map { text[($0 + 1)...] } ?? text
    let host = Self.hostPrefix(of: rest)
    self.host = try Self.canonicalHost(host)
    port = try Self.port(in: rest[host.endIndex...])
  }

  private static func hostPrefix(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.first == UInt8(ascii: "[") else { return text.prefix { $0 != UInt8(ascii: ":") } }
    return text[...(text.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex - 1)]
  }

  private static func canonicalHost(_ bytes: ArraySlice<UInt8>) throws(WebURLError.Reason) -> String {
    let host = String(decoding: bytes, as: UTF8.self)
    guard !bytes.isEmpty else { throw .noHost }
    guard bytes.allSatisfy(UTF8.isASCII) else { throw .nonASCIIHost(host) }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), let address = IPv6Address(String(host.dropFirst().dropLast())) else {
        throw .invalidHost(host)
      }
      return "[\(address)]"
    }
    let name = host.lowercased()
    guard !IPv4Address.isIntended(by: name) else {
      guard let address = IPv4Address(name) else { throw .invalidHost(host) }
      return "\(address)"
    }
    guard isName(name) else { throw .invalidHost(host) }
    return name
  }

  /// Letters, digits, `-`, and `_` between single dots. A trailing dot is allowed.
  private static func isName(_ name: String) -> Bool {
    var labels = name.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last == "" { labels.removeLast() }
    return labels.allSatisfy { !$0.isEmpty }
      && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
  }

  private static func port(in text: ArraySlice<UInt8>) throws(WebURLError.Reason) -> Int? {
    guard let colon = text.first else { return nil }
    let digits = text.dropFirst()
    let shown = String(decoding: digits, as: UTF8.self)
    guard colon == UInt8(ascii: ":") else { throw .invalidHost(String(decoding: text, as: UTF8.self)) }
    guard !digits.isEmpty else { return nil }
    guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let port = Int(shown), 1...65_535 ~= port
    else { throw .invalidPort(shown) }
    return port
  }
}

extension UTF8 {
  fileprivate static func isASCII(_ byte: UInt8) -> Bool { byte < 0x80 }
}
