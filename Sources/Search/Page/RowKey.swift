/// The identity of a row as a number: FNV-1a over the key's text. 64 bits, so that the keys of a page are one
/// flat array. `none` is for a row without a key.
package enum RowKey {
  package static let none: UInt64 = 0

  package static func hash(_ text: String) -> UInt64 {
    let hash = fold(text.utf8, into: basis)
    return hash == none ? 1 : hash
  }

  /// The hash of unmodified bytes.
  package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { fold(bytes, into: basis) }

  /// One hash over the bytes of all rows.
  static func fingerprint(_ nodes: [JSONNode], in document: JSONDocument) -> UInt64 {
    var hash = basis
    for node in nodes { hash = fold(document.bytes[document.byteRange(of: node)], into: hash) }
    return hash
  }

  private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func fold(_ bytes: some Sequence<UInt8>, into start: UInt64) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
