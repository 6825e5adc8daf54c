/// Escaping and unescaping of JSON strings (RFC 8259, section 7).
package enum JSONText {
  /// The text as a JSON string, including quotes. Escapes only what must be escaped: quotes, backslashes, and
  /// U+0000 to U+001F.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(quoted: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text as a JSON string, including quotes.
  package static func append(quoted text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(quoted: $0, to: &output) }
  }

  /// Appends UTF-8 as a JSON string, including quotes. Copies runs that need no escape as a whole.
  package static func append(quoted utf8: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var copied = 0
    for index in utf8.indices where needsEscape(utf8[index]) {
      output.append(contentsOf: utf8[copied..<index])
      append(escapeOf: utf8[index], to: &output)
      copied = index + 1
    }
    output.append(contentsOf: utf8[copied...])
    output.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func append(escapeOf byte: UInt8, to output: inout [UInt8]) {
    let letter: UInt8? =
      switch byte {
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0C: UInt8(ascii: "f")
      case 0x0D: UInt8(ascii: "r")
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      default: nil
      }
    output.append(UInt8(ascii: "\\"))
    if let letter {
      output.append(letter)
    } else {
      output += "u00".utf8
      output.append(UInt8(ascii: "0") + byte >> 4)
      output.append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
    }
  }
}
