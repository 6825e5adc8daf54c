/// A header field of a request or reply (RFC 9110, section 5).
///
/// It has no description because its value may be a credential.
package struct HTTPField: Sendable, Hashable {
  package let name: String
  package let value: String

  /// A field to send. The name must be a token, and the value must not contain control characters except
  /// tabs.
  package init(name: String, value: String) throws(HTTPFieldError) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
      throw HTTPFieldError(name: name, problem: .name)
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw HTTPFieldError(name: name, problem: .value)
    }
    self.name = name
    self.value = value
  }

  /// A field of a reply, unchanged.
  package init(received name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the names are equal, ignoring ASCII case.
  func isNamed(_ other: String) -> Bool {
    name.utf8.elementsEqual(other.utf8) { Self.lowercased($0) == Self.lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// `tchar` (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// Why a header field cannot be sent. The value is not included, because it may be a credential.
package struct HTTPFieldError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Problem: Sendable, Hashable { case name, value }

  package let name: String
  package let problem: Problem

  package var description: String {
    switch problem {
    case .name: "\(JSONText.quoted(name)) is not a valid header name: use letters, digits and hyphens"
    case .value: "the value of header \(name) contains a control character, such as a line break"
    }
  }
}
