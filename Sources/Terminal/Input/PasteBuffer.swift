/// Collects the text between `CSI 200~` and `CSI 201~`, without interpreting it.
struct PasteBuffer: Sendable {
  private static let terminator: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var bytes: [UInt8] = []
  /// The number of bytes of the terminator that the input ends with. Esc occurs only at its start, so after a
  /// mismatch only the new byte can start another match.
  private var matched = 0

  /// Appends a byte; returns true if it ended the paste.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == PasteBuffer.terminator[matched] {
      matched += 1
    } else {
      keep(PasteBuffer.terminator[..<matched])
      matched = byte == ASCII.escape ? 1 : 0
      if matched == 0 { keep(CollectionOfOne(byte)) }
    }
    return matched == PasteBuffer.terminator.count
  }

  private mutating func keep(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more.prefix(InputParser.pasteLimit - bytes.count))
  }

  /// The text with line ends as `\n`, without control characters other than that and the tab.
  var text: String {
    var decoded = String(decoding: bytes, as: UTF8.self)
    if bytes.count == InputParser.pasteLimit, decoded.last == "\u{FFFD}" { decoded.removeLast() }
    var text = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in decoded.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\r": text.append("\n")
      case "\n", "\t": text.append(scalar)
      default: if scalar.properties.generalCategory != .control { text.append(scalar) }
      }
      previous = scalar
    }
    return String(text)
  }
}

extension InputParser {
  /// The maximum size of a paste in bytes; the rest is dropped.
  package static let pasteLimit = 65_536
}
