/// Collects the bytes of one non-ASCII UTF-8 scalar across reads.
struct UTF8Collector: Sendable {
  enum Outcome {
    case incomplete
    case character(Character)
    /// A C1 control character, which no key sends.
    case control
    /// Invalid UTF-8; the last byte may still start another character or sequence.
    case broken(byteBelongsToNext: Bool)
  }

  private var bytes: [UInt8] = []
  private var expectedCount = 0

  var isEmpty: Bool { bytes.isEmpty }

  mutating func collect(_ byte: UInt8) -> Outcome {
    if bytes.isEmpty { return begin(byte) }
    guard byte & 0xC0 == 0x80 else {
      bytes.removeAll(keepingCapacity: true)
      return .broken(byteBelongsToNext: true)
    }
    bytes.append(byte)
    guard bytes.count == expectedCount else { return .incomplete }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
      return .broken(byteBelongsToNext: false)
    }
    return (0x80...0x9F).contains(scalar.value) ? .control : .character(Character(scalar))
  }

  private mutating func begin(_ lead: UInt8) -> Outcome {
    switch lead {
    case 0xC2...0xDF: expectedCount = 2
    case 0xE0...0xEF: expectedCount = 3
    case 0xF0...0xF4: expectedCount = 4
    default: return .broken(byteBelongsToNext: false)
    }
    bytes.append(lead)
    return .incomplete
  }
}
