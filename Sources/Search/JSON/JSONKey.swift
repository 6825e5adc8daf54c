/// A member name prepared for fast lookup: create it once and use it for every row.
package struct JSONKey: Sendable, Hashable {
  package let name: String
  let utf8: [UInt8]
  let fingerprint: UInt32

  package init(_ name: String) {
    self.name = name
    utf8 = Array(name.utf8)
    fingerprint = utf8.withUnsafeBufferPointer { text in
      text.baseAddress.map { Self.fingerprint(of: $0, count: text.count) } ?? 0
    }
  }

  /// 24 bits derived from the first and last bytes; names of equal length rarely share them.
  @inline(__always)
  static func fingerprint(of text: UnsafePointer<UInt8>, count: Int) -> UInt32 {
    guard count >= 4 else {
      var combined: UInt32 = 0
      for index in 0..<count { combined = combined &<< 8 | UInt32(text[index]) }
      return combined & JSONTapeEntry.mostLink
    }
    let first = UnsafeRawPointer(text).loadUnaligned(as: UInt32.self)
    let last = UnsafeRawPointer(text + count - 4).loadUnaligned(as: UInt32.self)
    return (first &* 0x9E37_79B1 ^ last) &>> 8
  }
}

extension JSONKey: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value) }
}
