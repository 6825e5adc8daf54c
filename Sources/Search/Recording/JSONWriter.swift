/// Writes JSON text value by value and redacts it: secrets that a service repeats in its texts, and positions
/// that contain one.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var needsComma = false
  /// Redacts the secrets in a text; nil if there are none.
  private let redacted: ((String) -> String)?
  /// The replacements for positions that contain a secret, by the first position with the same request.
  /// Positions with the same request thus have the same replacement.
  private var placeholders: [Position: JSONToken] = [:]

  package init(redacting redacted: ((String) -> String)? = nil) { self.redacted = redacted }

  /// The output since the last call.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    needsComma = false
    return bytes
  }

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
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
    needsComma = false
    value(&self)
  }

  package mutating func member(_ name: StaticString, _ value: some JSONCodable) {
    member(name) { value.write(to: &$0) }
  }

  /// Writes a member of the current object, or nothing for nil.
  package mutating func member(_ name: StaticString, _ value: (some JSONCodable)?) {
    if let value { member(name, value) }
  }

  /// `{"name": value}`: one of several alternatives.
  package mutating func choice(_ name: StaticString, _ value: some JSONCodable) {
    object { $0.member(name, value) }
  }

  package mutating func choice(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    object { $0.member(name) { $0.object(members) } }
  }

  /// A number, `true`, `false`, or JSON text that was parsed before.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// A text with its secrets redacted.
  package mutating func text(_ text: String) {
    separate()
    JSONText.append(quoted: redacted?(text) ?? text, to: &bytes)
    needsComma = true
  }

  package mutating func text(_ utf8: ArraySlice<UInt8>) {
    guard redacted == nil else { return text(String(decoding: utf8, as: UTF8.self)) }
    separate()
    utf8.withUnsafeBufferPointer { JSONText.append(quoted: $0, to: &bytes) }
    needsComma = true
  }

  /// A position, or the replacement for one that contains a secret.
  package mutating func position(_ position: Position) {
    let json = position.json
    if let redacted, redacted(json) != json { hide(position) }
    guard let name = placeholders[position.firstRequestingSamePage] else { return literal(json) }
    literal(Position(ordinal: position.ordinal, value: .token(name)).json)
  }

  /// Replaces a position that contains a secret in all further output.
  package mutating func hide(_ position: Position) {
    let first = position.firstRequestingSamePage
    if placeholders[first] == nil { placeholders[first] = JSONToken("secret-\(placeholders.count + 1)") }
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

extension Position {
  fileprivate var firstRequestingSamePage: Position { Position(ordinal: 0, value: value, carried: carried) }
}
