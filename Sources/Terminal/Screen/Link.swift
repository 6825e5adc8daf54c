/// A web address that the terminal opens when its text is clicked.
///
/// Source: egmontkob, "Hyperlinks in terminal emulators": printable ASCII only, of at most the length that
/// browsers accept.
package struct Link: Hashable, Sendable {
  package static let limit = 2_083

  /// Printable ASCII without spaces.
  let address: String

  /// Removes control characters and percent-encodes other illegal characters.
  /// - Returns: Nil if the text is not an http or https URL, or is longer than `limit` bytes.
  package init?(_ text: String) {
    guard text.utf8.count <= Link.limit else { return nil }
    let address = text.utf8.allSatisfy(Link.isLegal) ? text : Link.encoded(text)
    guard address.utf8.count <= Link.limit, Link.schemes.contains(where: address.lowercased().hasPrefix)
    else {
      return nil
    }
    self.address = address
  }

  /// Identifies the parts of one link to terminals: a short hash of the address (FNV-1a, 32 bits).
  var id: String {
    let hash = address.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return String(hash, radix: 36)
  }

  private static let schemes = ["http://", "https://"]

  private static func isLegal(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  private static func encoded(_ text: String) -> String {
    var address = ""
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
      for byte in UTF8.encode(scalar) ?? .init() {
        if isLegal(byte) {
          address.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return address
  }
}
