/// Bytes to search for: the first four (or fewer) are compared as one number, then the rest.
struct Needle: Hashable {
  let bytes: [UInt8]
  private let head: UInt32
  private let mask: UInt32

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    head = Self.number(bytes.prefix(4))
    mask = Self.number(bytes.prefix(4).map { _ in 0xFF })
  }

  /// The number with these bytes in memory, padded with zeros.
  private static func number(_ bytes: some Collection<UInt8>) -> UInt32 {
    (Array(bytes) + [0, 0, 0, 0]).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }

  /// The first occurrence in `start..<end`. At least three bytes of `haystack` must follow `end`.
  func firstPosition(in haystack: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    var position = start
    let last = end - bytes.count
    while position <= last {
      let number = haystack.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      if number & mask == head && continues(in: haystack, at: position) { return position }
      position += 1
    }
    return nil
  }

  /// Whether it occurs in the bytes.
  func isFound(in bytes: [UInt8]) -> Bool {
    (bytes + [0, 0, 0]).withUnsafeBytes { firstPosition(in: $0, from: 0, to: bytes.count) != nil }
  }

  /// Whether it may occur in the prefix followed by hexadecimal digits, such that it ends in the digits.
  func mayEndInDigits(after prefix: [UInt8]) -> Bool {
    let digits = bytes.reversed().prefix { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
    }.count
    guard digits > 0 else { return false }
    return (max(0, bytes.count - digits)..<bytes.count).contains {
      prefix.suffix($0).elementsEqual(bytes[..<$0])
    }
  }

  private func continues(in haystack: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var index = 4
    while index < bytes.count {
      if haystack[position + index] != bytes[index] { return false }
      index += 1
    }
    return true
  }
}
