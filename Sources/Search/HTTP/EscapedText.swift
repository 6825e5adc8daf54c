/// A text with its escapes decoded once (percent-encoding, JSON escapes, and HTML character references) and
/// the original position of each byte.
struct EscapedText {
  private(set) var bytes: [UInt8] = []
  /// The offset at which each byte's spelling begins, followed by the end of the text.
  private var starts: [Int] = []
  let hasEscapes: Bool

  /// O(bytes).
  init(_ text: [UInt8]) {
    hasEscapes = text.contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&")
    }
    guard hasEscapes else { return }
    var place = 0
    while place < text.count {
      let (meaning, length) = Self.escape(text[place...]) ?? ([text[place]], 1)
      bytes += meaning
      starts += meaning.map { _ in place }
      place += length
    }
    starts.append(text.count)
  }

  /// The range of the original spelling of some bytes.
  func place(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

  private static func escape(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch text.first {
    case UInt8(ascii: "%"): hexadecimal(text.dropFirst().prefix(2), digits: 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "\\"): quoted(text.dropFirst())
    case UInt8(ascii: "&"): reference(text)
    default: nil
    }
  }

  private static func quoted(_ rest: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch rest.first {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"):
      rest.first.map { ([$0], 2) }
    case UInt8(ascii: "u"): hexadecimal(rest.dropFirst().prefix(4), digits: 4).flatMap(utf8).map { ($0, 6) }
    case UInt8(ascii: "x"): hexadecimal(rest.dropFirst().prefix(2), digits: 2).flatMap(utf8).map { ($0, 4) }
    default: nil
    }
  }

  private static func reference(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let longest = 10
    guard let end = text.prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let decoded = Array(HTMLText.decoded(String(decoding: text[...end], as: UTF8.self)).utf8)
    let length = end + 1 - text.startIndex
    return decoded.count < length && !decoded.isEmpty ? (decoded, length) : nil
  }

  private static func utf8(_ code: UInt32) -> [UInt8]? { Unicode.Scalar(code).map { Array(String($0).utf8) } }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    guard digits.count == count else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
