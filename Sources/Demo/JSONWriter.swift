import JSON

/// Writes the body of a reply as JSON text, value by value, in the order of the calls.
package struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  private mutating func enclose(_ start: UInt8, _ end: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(start)
    needsComma = false
    body(&self)
    bytes.append(end)
    needsComma = true
  }

  /// Writes a member of the current object.
  package mutating func member(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
    separate()
    bytes += "\"\(name)\":".utf8
    needsComma = false
    value(&self)
  }

  package mutating func member(_ name: StaticString, _ value: some Encodable) {
    member(name) { $0.value(value) }
  }

  /// Writes a member of the current object, or nothing for nil.
  package mutating func member(_ name: StaticString, _ value: (some Encodable)?) {
    if let value { member(name, value) }
  }

  /// Writes a member of the current object, null for nil.
  package mutating func nullable(_ name: StaticString, _ value: (some Encodable)?) {
    member(name) { json in
      if let value { json.value(value) } else { json.literal("null") }
    }
  }

  /// An object with one member.
  package mutating func choice(_ name: StaticString, _ value: some Encodable) {
    object { $0.member(name, value) }
  }

  package mutating func choice(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    object { $0.member(name) { $0.object(members) } }
  }

  /// JSON text: a number, `true`, `false`, or a whole value.
  package mutating func literal(_ text: String) {
    separate()
    bytes += text.utf8
    needsComma = true
  }

  package mutating func value(_ value: some Encodable) {
    separate()
    bytes += JSONEncoding().bytes(of: value)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
