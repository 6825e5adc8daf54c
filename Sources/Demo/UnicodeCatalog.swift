import Glibc
import Text

/// The assigned characters of Unicode in code point order, with their names in one constant text (`UnicodeNames`).
///
/// Two thirds of the names are a prefix and the code point (`CJK UNIFIED IDEOGRAPH-4E00`); they are not in the text, but
/// derived on demand. Private use and unassigned code points are left out.
package struct UnicodeCatalog: Sendable {
  /// Consecutive rows with consecutive code points.
  struct Segment: Sendable, Hashable {
    let firstRow: Int
    let firstCodePoint: UInt32
    let count: Int
    let names: Names

    enum Names: Sendable, Hashable {
      /// The bytes of the text with these names, each ended by a newline.
      case stored(Range<Int>)
      /// The prefix, followed by the digits of the code point.
      case made(prefix: [UInt8])
    }

    var rows: Range<Int> { firstRow..<firstRow + count }

    func codePoint(at row: Int) -> UInt32 { firstCodePoint + UInt32(row - firstRow) }
  }

  let segments: [Segment]
  /// The number of characters; rows are `0..<count`.
  package let count: Int

  /// The catalog that is compiled into the program. Reading its segments takes about 0.1 ms, once.
  package static let standard = UnicodeCatalog()

  private init() {
    let text = Self.text
    var segments: [Segment] = []
    var (place, row) = (0, 0)
    while place < text.count {
      let end = text.firstOffset(of: UnicodeNames.nameEnd, from: place)
      var fields = text[place..<end].dropFirst().split(
        separator: UnicodeNames.fieldEnd, maxSplits: 2, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }[...]
      guard let first = fields.popFirst().flatMap({ UInt32($0, radix: 16) }),
        let count = fields.popFirst().flatMap({ Int($0) })
      else { break }
      place = end + 1
      let names: Segment.Names
      if let prefix = fields.popFirst() {
        names = .made(prefix: Array(prefix.utf8))
      } else {
        let next = text.firstOffset(of: UnicodeNames.segmentStart, from: place)
        names = .stored(place..<next)
        place = next
      }
      segments.append(Segment(firstRow: row, firstCodePoint: first, count: count, names: names))
      row += count
    }
    self.segments = segments
    count = row
  }

  static var text: UnsafeRawBufferPointer {
    let text = UnicodeNames.text
    return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// The segment of a row. O(log segments).
  func segment(of row: Int) -> Segment? {
    let index = segments.partitionIndex { $0.firstRow > row }
    return index > 0 && segments[index - 1].rows.contains(row) ? segments[index - 1] : nil
  }

  /// The code point of a row; nil if there is no such row. O(log segments).
  func codePoint(at row: Int) -> UInt32? { segment(of: row)?.codePoint(at: row) }

  /// The name of a row; "" if there is no such row.
  package func name(at row: Int) -> String {
    guard let segment = segment(of: row) else { return "" }
    switch segment.names {
    case .stored: return String(decoding: Self.text[range(ofName: row, in: segment)], as: UTF8.self)
    case .made(let prefix):
      let digits = Unicode.Scalar(segment.codePoint(at: row))?.codePointDigits ?? ""
      return String(decoding: prefix, as: UTF8.self) + digits
    }
  }

  /// The range of a stored name without its terminator; empty if the name is derived. O(length of the segment's names).
  func range(ofName row: Int, in segment: Segment) -> Range<Int> {
    guard case .stored(let names) = segment.names else { return 0..<0 }
    var start = names.lowerBound
    for _ in segment.firstRow..<row {
      start = Self.text.firstOffset(of: UnicodeNames.nameEnd, from: start) + 1
    }
    return start..<Self.text.firstOffset(of: UnicodeNames.nameEnd, from: start)
  }

  /// The row of a code point; nil if it is not in the catalog. O(log segments).
  package func row(of codePoint: UInt32) -> Int? {
    let row = firstRow(notBefore: codePoint)
    return self.codePoint(at: row) == codePoint ? row : nil
  }

  /// The first row whose code point is at least this one; `count` if there is none. O(log segments).
  package func firstRow(notBefore codePoint: UInt32) -> Int {
    let index = segments.partitionIndex { $0.firstCodePoint > codePoint }
    guard index > 0 else { return 0 }
    let segment = segments[index - 1]
    return min(segment.firstRow + Int(codePoint - segment.firstCodePoint), segment.rows.upperBound)
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first such byte in `start..<end`; nil if there is none.
  func firstOffset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = baseAddress, let found = memchr(base + start, Int32(byte), end - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The offset of the first such byte at or after `start`; `count` if there is none.
  func firstOffset(of byte: UInt8, from start: Int) -> Int {
    firstOffset(of: byte, from: start, to: count) ?? count
  }
}

/// A character of the catalog with its properties in the standard library.
package struct NamedCharacter: Sendable, Equatable {
  package var scalar: Unicode.Scalar
  package var name: String

  /// `"U+2192"`.
  package var codePoint: String { "U+" + scalar.codePointDigits }
  /// `"Math Symbol"`.
  package var category: String { scalar.properties.generalCategory.names.long }
  /// `"Sm"`.
  package var categoryCode: String { scalar.properties.generalCategory.names.code }
  /// The version of Unicode that introduced it: `"1.1"`.
  package var age: String? { scalar.properties.age.map { "\($0.major).\($0.minor)" } }
  /// The numeric value: 0.5 for `½`.
  package var numericValue: Double? { scalar.properties.numericValue }
  /// A web page about the character.
  package var url: String { "https://util.unicode.org/UnicodeJsps/character.jsp?a=" + scalar.codePointDigits }
}

extension UnicodeCatalog {
  /// The character in a row; nil if there is no such row.
  package func character(at row: Int) -> NamedCharacter? {
    guard let scalar = codePoint(at: row).flatMap(Unicode.Scalar.init) else { return nil }
    return NamedCharacter(scalar: scalar, name: name(at: row))
  }
}

extension Unicode.Scalar {
  /// See `UInt32.codePointDigits`.
  var codePointDigits: String { value.codePointDigits }
}

extension UInt32 {
  /// A code point in upper-case hexadecimal with at least four digits: `"000A"`, `"1F600"`.
  var codePointDigits: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.utf8.count)) + digits
  }
}

extension Unicode.GeneralCategory {
  /// The two-letter code, `"Sm"`, and the name in the property value aliases of the Unicode database,
  /// `"Math Symbol"`.
  var names: (code: String, long: String) {
    switch self {
    case .uppercaseLetter: ("Lu", "Uppercase Letter")
    case .lowercaseLetter: ("Ll", "Lowercase Letter")
    case .titlecaseLetter: ("Lt", "Titlecase Letter")
    case .modifierLetter: ("Lm", "Modifier Letter")
    case .otherLetter: ("Lo", "Other Letter")
    case .nonspacingMark: ("Mn", "Nonspacing Mark")
    case .spacingMark: ("Mc", "Spacing Mark")
    case .enclosingMark: ("Me", "Enclosing Mark")
    case .decimalNumber: ("Nd", "Decimal Number")
    case .letterNumber: ("Nl", "Letter Number")
    case .otherNumber: ("No", "Other Number")
    case .connectorPunctuation: ("Pc", "Connector Punctuation")
    case .dashPunctuation: ("Pd", "Dash Punctuation")
    case .openPunctuation: ("Ps", "Open Punctuation")
    case .closePunctuation: ("Pe", "Close Punctuation")
    case .initialPunctuation: ("Pi", "Initial Punctuation")
    case .finalPunctuation: ("Pf", "Final Punctuation")
    case .otherPunctuation: ("Po", "Other Punctuation")
    case .mathSymbol: ("Sm", "Math Symbol")
    case .currencySymbol: ("Sc", "Currency Symbol")
    case .modifierSymbol: ("Sk", "Modifier Symbol")
    case .otherSymbol: ("So", "Other Symbol")
    case .spaceSeparator: ("Zs", "Space Separator")
    case .lineSeparator: ("Zl", "Line Separator")
    case .paragraphSeparator: ("Zp", "Paragraph Separator")
    case .control: ("Cc", "Control")
    case .format: ("Cf", "Format")
    case .surrogate: ("Cs", "Surrogate")
    case .privateUse: ("Co", "Private Use")
    case .unassigned: ("Cn", "Unassigned")
    @unknown default: ("??", "Unknown")
    }
  }
}
