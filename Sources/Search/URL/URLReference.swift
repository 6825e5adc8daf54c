/// The parts of a URL or relative reference (RFC 3986, appendix B) without the fragment. Illegal bytes of the
/// path and query are encoded; the authority is unchanged.
///
/// Split by bytes, not by `Character`: a combining mark after a `/` must not hide it.
struct URLReference {
  let scheme: String?
  let authority: ArraySlice<UInt8>?
  let path: String
  let query: String?

  init(_ text: String) throws(WebURLError) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw WebURLError(.controlCharacter, in: text)
    }
    var rest = Array(text.utf8).drop { $0 == UInt8(ascii: " ") }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    rest = rest.prefix { $0 != UInt8(ascii: "#") }
    scheme = Self.takeScheme(from: &rest)
    authority = Self.takeAuthority(from: &rest)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let hasQuery = path.endIndex < rest.endIndex
    self.path = PercentEncoding.repaired(path, keeping: Self.isPathByte)
    query = hasQuery ? PercentEncoding.repaired(rest[(path.endIndex + 1)...], keeping: Self.isQueryByte) : nil
  }

  /// The text after `#` with its illegal bytes encoded (RFC 3986, section 3.5).
  static func fragment(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return PercentEncoding.repaired(rest, keeping: isQueryByte)
  }

  /// `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":"`, in lower case.
  private static func takeScheme(from rest: inout ArraySlice<UInt8>) -> String? {
    let name = rest.prefix { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard let first = name.first, letters.contains(first | 0x20), name.endIndex < rest.endIndex,
      rest[name.endIndex] == UInt8(ascii: ":"), !name.contains(where: { $0 == 0x5F || $0 == 0x7E })
    else { return nil }
    rest = rest[(name.endIndex + 1)...]
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func takeAuthority(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    rest = rest[authority.endIndex...]
    return authority
  }

  /// `pchar` and `/` (RFC 3986, section 3.3).
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"):
      true
    default: PercentEncoding.isUnreserved(byte)
    }
  }

  private static func isQueryByte(_ byte: UInt8) -> Bool {
    isPathByte(byte) || byte == UInt8(ascii: "?")
  }
}
