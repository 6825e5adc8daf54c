import JSON

/// Header fields in order. Names are compared ignoring ASCII case.
package struct HTTPFields: Sendable, Hashable {
  private var fields: [HTTPField]

  package init(_ fields: [HTTPField] = []) { self.fields = fields }

  /// The value of the first field with this name.
  package func first(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

  /// The values of all fields with this name, in order.
  package func all(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

  package mutating func append(_ field: HTTPField) { fields.append(field) }

  /// Replaces the first field with the same name, or appends the field; removes the others.
  package mutating func set(_ field: HTTPField) {
    let place = fields.firstIndex { $0.isNamed(field.name) } ?? fields.endIndex
    remove(field.name)
    fields.insert(field, at: place)
  }

  /// The fields that describe the wanted content and the client; any other field may be a credential for the
  /// host that it is meant for.
  package var withoutCredentials: HTTPFields {
    let names = ["accept", "accept-language", "content-type", "user-agent"]
    return HTTPFields(fields.filter { names.contains($0.name.lowercased()) })
  }

  /// Removes all fields with this name.
  package mutating func remove(_ name: String) { fields.removeAll { $0.isNamed(name) } }
}

extension HTTPFields: RandomAccessCollection {
  package var startIndex: Int { fields.startIndex }
  package var endIndex: Int { fields.endIndex }
  package subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: HTTPField...) { self.init(elements) }
}

/// A header field of a request or response (RFC 9110, section 5).
///
/// It has no description because its value may be a credential.
package struct HTTPField: Sendable, Hashable {
  package let name: String
  package let value: String

  /// A field to send. The name must be a token, and the value must not contain control characters except
  /// tabs.
  package init(name: String, value: String) throws(HTTPFieldError) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
      throw HTTPFieldError(
        description: "\(JSONText.quoted(name)) is not a valid header name: use letters, digits and hyphens")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw HTTPFieldError(
        description: "the value of header \(name) contains a control character, such as a line break")
    }
    self.name = name
    self.value = value
  }

  /// A field of a response, unchanged.
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

  /// Whether a byte is a `tchar` (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
  }
}

extension StringProtocol {
  /// The string without leading and trailing spaces and tabs.
  package var trimmedBlanks: SubSequence {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return self[endIndex...] }
    return start[...last]
  }
}

extension Substring {
  /// The parts of a field value, split at a separator outside quotes.
  package func split(outsideQuotesAt separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = startIndex
    var isQuoted = false
    var isEscaped = false
    for index in indices {
      let character = self[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == separator {
        parts.append(self[start..<index])
        start = self.index(after: index)
      }
    }
    return parts + [self[start...]]
  }
}

/// The reason why a header field cannot be sent. The value is not included, because it may be a credential.
package struct HTTPFieldError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

/// Checks which header fields a source or the user may set.
package enum HeaderCheck {
  /// Whether the field belongs to the connection.
  static func isReserved(_ name: String) -> Bool {
    ["accept-encoding", "connection", "content-length", "host", "transfer-encoding"].contains(
      name.lowercased())
  }

  /// The reason why a field cannot be sent; nil if it can.
  package static func problem(name: String, value: String) -> String? {
    if isReserved(name) { return "cannot be set: riffle sets this header itself" }
    do { _ = try HTTPField(name: name, value: value) } catch { return "\(error)" }
    return nil
  }
}
