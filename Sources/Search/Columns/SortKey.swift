private import Text

/// The sort key of a value, on the screen and in a pipe: numbers by magnitude before strings, strings by their letters,
/// missing values last in either direction.
///
/// - Numbers are compared by their first 33 digits, so that ids above 2^53 remain distinct. A time is compared by its
///   instant, and a string that is a plain decimal (`-12.50`) as that number.
/// - Strings are compared by their letters, ignoring case and the accents of Latin letters (`É` sorts with `e`), and if
///   those are equal, byte by byte. See `FoldedText`. The order is the same on every machine.
/// - Equal values keep their order.
///
/// The key holds a whole number or the first 16 bytes of a string in 17 bytes.
package struct SortKey: Sendable, Hashable {
  package enum Kind: UInt8, Sendable { case number, text, missing }

  package let kind: Kind
  /// The sign, the exponent, and the first 14 digits of a number, or the first letters of a string.
  package let bits: UInt64
  /// The next 19 digits of a number, or the next letters of a string.
  package let moreBits: UInt64

  package static let missing = SortKey(kind: .missing, bits: 0, moreBits: 0)

  /// Whether the value of this key sorts first; nil if the values are equal.
  ///
  /// - Parameter texts: Whether the whole text of this value precedes the other one; nil if they are the same.
  ///   Called only if the keys do not decide.
  @inline(__always)
  package func precedes(_ other: SortKey, descending: Bool, texts: () -> Bool?) -> Bool? {
    if kind == .missing || other.kind == .missing { return kind == other.kind ? nil : other.kind == .missing }
    if kind != other.kind { return (kind.rawValue < other.kind.rawValue) != descending }
    if bits != other.bits { return (bits < other.bits) != descending }
    if moreBits != other.moreBits { return (moreBits < other.moreBits) != descending }
    return kind == .text ? texts().map { $0 != descending } : nil
  }
}

// MARK: Numbers

extension SortKey {
  /// A number in the grammar of JSON (RFC 8259 section 6), with leading zeros allowed; nil for any other
  /// text. Exponents beyond ±8,000 are clamped. O(length).
  ///
  /// - Parameter takesExponent: Pass false to accept only plain decimals.
  package init?(number text: String, takesExponent: Bool = true) {
    var text = text
    guard let key = text.withUTF8({ Self.number($0, takesExponent: takesExponent) }) else { return nil }
    self = key
  }

  /// A time, in seconds since 1970.
  init(epoch: Double) { self = SortKey(number: "\(epoch)") ?? .missing }

  private static func number(_ text: UnsafeBufferPointer<UInt8>, takesExponent: Bool) -> SortKey? {
    var digits = SortDigits()
    var offset = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { offset = 1 }
    let start = offset
    while offset < text.count, let digit = text[offset].digit {
      digits.append(digit, isFraction: false)
      offset += 1
    }
    guard offset > start else { return nil }
    if offset < text.count, text[offset] == UInt8(ascii: ".") {
      offset += 1
      let start = offset
      while offset < text.count, let digit = text[offset].digit {
        digits.append(digit, isFraction: true)
        offset += 1
      }
      guard offset > start else { return nil }
    }
    if offset < text.count {
      guard takesExponent, text[offset] | 0x20 == UInt8(ascii: "e"),
        let power = exponent(UnsafeBufferPointer(rebasing: text[(offset + 1)...]))
      else { return nil }
      digits.exponent += power
    }
    let (bits, moreBits) = digits.bits
    return isNegative && bits != SortDigits.zero
      ? SortKey(kind: .number, bits: ~bits, moreBits: ~moreBits)
      : SortKey(kind: .number, bits: bits, moreBits: moreBits)
  }

  private static func exponent(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var rest = text[...]
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var power = 0
    for byte in rest {
      guard let digit = byte.digit else { return nil }
      power = min(power * 10 + Int(digit), 1 << 40)
    }
    return sign == UInt8(ascii: "-") ? -power : power
  }
}

extension UInt8 {
  fileprivate var digit: UInt8? { self &- 0x30 < 10 ? self &- 0x30 : nil }
}

/// The digits of a number from the first nonzero one, and the power of ten by which 0.digits is multiplied.
private struct SortDigits {
  private var first: UInt64 = 0
  private var more: UInt64 = 0
  private var count = 0
  var exponent = 0

  static let zero: UInt64 = 1 << 63
  private static let (firstCount, maxCount) = (14, 33)

  mutating func append(_ digit: UInt8, isFraction: Bool) {
    if count == 0, digit == 0 {
      if isFraction { exponent -= 1 }
      return
    }
    if !isFraction { exponent += 1 }
    if count < Self.firstCount {
      first = first * 10 + UInt64(digit)
    } else if count < Self.maxCount {
      more = more * 10 + UInt64(digit)
    }
    count += 1
  }

  /// Two integers that sort in the order of the represented numbers.
  var bits: (UInt64, UInt64) {
    if count == 0 { return (Self.zero, 0) }
    var (first, more) = (first, more)
    for _ in min(count, Self.firstCount)..<Self.firstCount { first *= 10 }
    for _ in max(Self.firstCount, min(count, Self.maxCount))..<Self.maxCount { more *= 10 }
    let power = UInt64(max(-8_000, min(exponent, 8_000)) + 8_192)
    return (Self.zero | power << 49 | first, more)
  }
}

extension SortKey {
  /// The greatest whole number that is not above a number; nil for one of 10^14 or more, and for any other key.
  package var floor: Int? {
    guard kind == .number else { return nil }
    let isNegative = bits < SortDigits.zero
    let (first, more) = isNegative ? (~bits, ~moreBits) : (bits, moreBits)
    let exponent = Int(first >> 49 & 0x3FFF) - 8_192
    if first == SortDigits.zero { return 0 }
    guard exponent <= 14 else { return nil }
    let mantissa = Int(first & (1 << 49 - 1))
    let unit = (0..<(14 - max(0, exponent))).reduce(1) { unit, _ in unit * 10 }
    let whole = exponent < 0 ? 0 : mantissa / unit
    let isWhole = exponent >= 0 && mantissa % unit == 0 && more == 0
    return isNegative ? -whole - (isWhole ? 0 : 1) : whole
  }

  /// A number in decimal digits, at most 33 of them; "" for anything else.
  ///
  /// - Parameter power: The power of ten to multiply it by.
  package func decimal(shiftedBy power: Int = 0) -> String {
    guard kind == .number else { return "" }
    let isNegative = bits < SortDigits.zero
    let (first, more) = isNegative ? (~bits, ~moreBits) : (bits, moreBits)
    if first == SortDigits.zero { return "0" }
    let mantissa = first & (1 << 49 - 1)
    var digits = Substring(mantissa.padded(to: 14) + more.padded(to: 19))
    while digits.last == "0" { digits.removeLast() }
    let exponent = Int(first >> 49 & 0x3FFF) - 8_192 + power
    let sign = isNegative ? "-" : ""
    if exponent > 40 || exponent < -40 { return "\(sign)0.\(digits)e\(exponent)" }
    if exponent <= 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent))\(digits)" }
    if exponent >= digits.count {
      return "\(sign)\(digits)\(String(repeating: "0", count: exponent - digits.count))"
    }
    return "\(sign)\(digits.prefix(exponent)).\(digits.dropFirst(exponent))"
  }
}

// MARK: Texts

extension SortKey {
  /// The key of a text: its first letters. A text without letters is missing.
  package init(text: UnsafeBufferPointer<UInt8>) {
    var bytes = SortBytes()
    var letters = FoldedText(text)
    while !bytes.isFull, let letter = letters.next() {
      if letter < 0x80 {
        bytes.append(UInt8(letter))
      } else if let scalar = Unicode.Scalar(letter), let encoded = UTF8.encode(scalar) {
        for byte in encoded { bytes.append(byte) }
      }
    }
    self.init(kind: text.isEmpty ? .missing : .text, bits: bytes.first, moreBits: bytes.second)
  }
}

/// Up to 16 bytes as two numbers that sort like the bytes.
private struct SortBytes {
  private(set) var first: UInt64 = 0
  private(set) var second: UInt64 = 0
  private var shift: UInt64 = 120

  var isFull = false

  mutating func append(_ byte: UInt8) {
    if isFull { return }
    if shift >= 64 { first |= UInt64(byte) << (shift - 64) } else { second |= UInt64(byte) << shift }
    if shift == 0 { isFull = true } else { shift -= 8 }
  }
}

// MARK: Values

/// A value with its sort key.
package struct SortValue: Sendable {
  package let key: SortKey
  private let text: String

  /// Creates the sort value of a cell. A value that is not a number sorts by its displayed text.
  package init(_ value: CellValue, in column: Column) {
    if let key = column.sortNumber(value) {
      self.key = key
      text = ""
      return
    }
    let cell = column.format.display(value, FormatContext(now: 0, separator: column.separator))
    var text = CellTable.bounded(cell)
    key = text.withUTF8 { SortKey(text: $0) }
    self.text = text
  }

  /// Whether this value sorts first; nil if they are equal.
  package func precedes(_ other: SortValue, descending: Bool) -> Bool? {
    key.precedes(other.key, descending: descending) {
      var (a, b) = (text, other.text)
      return a.withUTF8 { a in b.withUTF8 { b in FoldedText.precedes(a, b) } }
    }
  }
}

extension Column {
  /// The sort key of a number, a time, or a missing value; nil if the text determines the order.
  func sortNumber(_ value: CellValue) -> SortKey? {
    if let time = format.time(of: value) { return SortKey(epoch: time.epoch) }
    return switch value {
    case .missing: .missing
    case .number(let text): SortKey(number: text)
    case .text(let text): SortKey(number: text, takesExponent: format.alignment == .trailing)
    case .bool, .list, .json: nil
    }
  }
}

/// The letters of a string for sorting: in lower case (Unicode 17.0), Latin letters without accents, strokes, and
/// hooks, without combining marks (U+0300–U+036F). Any other scalar represents itself, in code point order.
package struct FoldedText: IteratorProtocol {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset: Int
  /// The offset of the last letter.
  private(set) var start = 0

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

  /// Whether two texts have the same letters. O(length).
  static func isSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    var (lettersA, lettersB) = (FoldedText(a), FoldedText(b))
    while let letter = lettersA.next() {
      if lettersB.next() != letter { return false }
    }
    return lettersB.next() == nil
  }

  /// Whether the first text sorts first.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in precedes(a, b) } } ?? false
  }

  package static func isSame(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in isSame(a, b) } }
  }

  /// The letters of a text with their offsets in its bytes.
  static func letters(of text: String) -> [(letter: UInt32, offset: Int)] {
    var text = text
    return text.withUTF8 { bytes in
      var folded = FoldedText(bytes)
      var letters: [(letter: UInt32, offset: Int)] = []
      while let letter = folded.next() { letters.append((letter, folded.start)) }
      return letters
    }
  }

  private static func exactly(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool? {
    for offset in 0..<min(a.count, b.count) where a[offset] != b[offset] { return a[offset] < b[offset] }
    return a.count == b.count ? nil : a.count < b.count
  }

  package mutating func next() -> UInt32? {
    while offset < text.count {
      start = offset
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

  /// The folded letter of a scalar; nil for a combining mark.
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

  /// The letters of U+00C0–U+024F by their names (LATIN CAPITAL LETTER E WITH ACUTE is E); `-` for none.
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

  /// The letters of U+1E00–U+1EFF by their names; `-` for none.
  private static let latinAdditional = Array(
    """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm\
    mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv\
    wwwwwwwwwwxxxxyyzzzzzzhtwya-----aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy----yy
    """.utf8)
}
