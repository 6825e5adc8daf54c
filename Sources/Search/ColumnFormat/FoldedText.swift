/// The letters of a text for sorting: in lower case (Unicode 17.0), Latin letters without accents, strokes,
/// and hooks, and without combining marks (U+0300–U+036F). Every other scalar represents itself, in code
/// point order.
package struct FoldedText: IteratorProtocol {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset: Int

  /// - Parameter text: Valid UTF-8.
  init(_ text: UnsafeBufferPointer<UInt8>, from offset: Int = 0) {
    self.text = text
    self.offset = offset
  }

  /// Whether the first text sorts first: by letters, then byte by byte; nil if they are the same. O(length).
  package static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool? {
    var same = 0
    let end = min(a.count, b.count)
    // ASCII needs no decoding.
    while same < end, a[same] | b[same] < 0x80, a[same].smallASCII == b[same].smallASCII { same += 1 }
    var (lettersA, lettersB) = (FoldedText(a, from: same), FoldedText(b, from: same))
    while true {
      switch (lettersA.next(), lettersB.next()) {
      case (let letterA?, let letterB?): if letterA != letterB { return letterA < letterB }
      case (nil, .some): return true
      case (.some, nil): return false
      case (nil, nil): return exactly(a, b)
      }
    }
  }

  private static func exactly(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool? {
    for offset in 0..<min(a.count, b.count) where a[offset] != b[offset] { return a[offset] < b[offset] }
    return a.count == b.count ? nil : a.count < b.count
  }

  package mutating func next() -> UInt32? {
    while offset < text.count {
      let first = text[offset]
      if first < 0x80 {
        offset += 1
        return UInt32(first.smallASCII)
      }
      if let letter = Self.letter(scalar()) { return letter }
    }
    return nil
  }

  /// The scalar at the offset; advances past it.
  private mutating func scalar() -> UInt32 {
    let first = text[offset]
    let length = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, text.count - offset)
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for index in offset + 1..<offset + length { value = value << 6 | UInt32(text[index] & 0x3F) }
    offset += length
    return value
  }

  /// Nil for a combining mark.
  private static func letter(_ value: UInt32) -> UInt32? {
    switch value {
    case 0xC0...0x24F: return base(latin, Int(value) - 0xC0) ?? small(value)
    case 0x300...0x36F: return nil
    case 0x1E00...0x1EFF: return base(latinAdditional, Int(value) - 0x1E00) ?? small(value)
    // Scripts without case, checked first because they are common.
    case 0x2DE0...0xA63F, 0xAC00...0xFAFF, 0x1F000...0x3FFFF: return value
    default: return small(value)
    }
  }

  private static func small(_ value: UInt32) -> UInt32 {
    Unicode.Scalar(value)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? value
  }

  private static func base(_ letters: [UInt8], _ index: Int) -> UInt32? {
    letters[index] == UInt8(ascii: "-") ? nil : UInt32(letters[index])
  }

  /// The letters of U+00C0–U+024F, from their names: LATIN CAPITAL LETTER E WITH ACUTE is E. `-` means that
  /// there is none.
  private static let latin = Array(
    """
    aaaaaa-ceeeeiiii-nooooo-ouuuuy--aaaaaa-ceeeeiiii-nooooo-ouuuuy-y\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiii---jjkk-lllllll\
    lllnnnnnn---oooooo--rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz-\
    bbbb---cc-ddd----ffg---ikkl--nnooo--pp-----ttttuu-vyyzz---------\
    -----d--l--n-aaiioouuuuuuuuuu-aaaa--ggggkkoooo--j-d-gg--nnaa--oo\
    aaaaeeeeiiiioooorrrruuuusstt--hhnd--zzaaeeooooooooyylnt---acclts\
    z--b--eejj-qrryy
    """.utf8)

  /// The same for U+1E00–U+1EFF.
  private static let latinAdditional = Array(
    """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm\
    mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv\
    wwwwwwwwwwxxxxyyzzzzzzhtwya-----aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy----yy
    """.utf8)
}

extension UInt8 {
  /// An ASCII capital in lower case; any other byte unchanged.
  @inline(__always)
  fileprivate var smallASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
