/// The assigned characters of the Swift standard library's Unicode database in code point order, with their
/// names in one byte buffer.
///
/// Two thirds of the names are a prefix and the code point (`CJK UNIFIED IDEOGRAPH-4E00`); they are not
/// stored but derived on demand. Private use and unassigned code points are left out. The contents depend on
/// the toolchain's Unicode version.
package struct UnicodeCatalog: Sendable {
  /// Consecutive rows with consecutive code points.
  struct Segment: Sendable, Hashable {
    let firstRow: Int
    let firstCodePoint: UInt32
    let count: Int
    let names: Names

    enum Names: Sendable, Hashable {
      /// The names in `names`, starting with this one.
      case stored(first: Int)
      /// The prefix, followed by the digits of the code point.
      case made(prefix: [UInt8])
    }

    var rows: Range<Int> { firstRow..<firstRow + count }

    func codePoint(at row: Int) -> UInt32 { firstCodePoint + UInt32(row - firstRow) }
  }

  let segments: [Segment]
  /// The stored names in upper-case ASCII, each terminated by a newline. Four zero bytes follow the last, so
  /// that four bytes can be read at any offset in a name.
  let names: [UInt8]
  /// The offset of each stored name in `names`, followed by the end of the last.
  let starts: [UInt32]
  /// The number of characters; rows are `0..<count`.
  package let count: Int

  /// The catalog of this toolchain, built by the first thread that uses it (about 0.03 s). Do not use it
  /// first on a thread that must not block.
  package static let standardLibrary = UnicodeCatalog()

  private init() {
    var builder = CatalogBuilder()
    for run in AssignedCodePoints.runs { builder.add(run) }
    builder.end()
    segments = builder.segments
    names = builder.names
    starts = builder.starts
    count = builder.count
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
    case .stored(let first):
      return String(decoding: names[range(ofName: first + row - segment.firstRow)], as: UTF8.self)
    case .made(let prefix):
      let digits = Unicode.Scalar(segment.codePoint(at: row))?.codePointDigits ?? ""
      return String(decoding: prefix, as: UTF8.self) + digits
    }
  }

  /// The range of a stored name without its terminator.
  func range(ofName index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) - 1 }

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

extension Array {
  /// The first index whose element satisfies a condition that all later elements satisfy too; `count` if there is none.
  /// O(log n).
  package func partitionIndex(where isMet: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The code points of assigned characters, without private use.
private enum AssignedCodePoints {
  /// The planes in which the Unicode Standard (section 2.8) has or plans characters: 0 to 3 and 14. Planes 15
  /// and 16 are for private use.
  private static let planes: [ClosedRange<UInt32>] = [0...0x3_FFFF, 0xE_0000...0xE_FFFF]

  /// Ranges of consecutive assigned code points. O(code points of the planes), without reading names.
  static var runs: [ClosedRange<UInt32>] {
    var runs: [ClosedRange<UInt32>] = []
    for plane in planes {
      for codePoint in plane where isAssigned(codePoint) {
        if let last = runs.last, last.upperBound + 1 == codePoint {
          runs[runs.count - 1] = last.lowerBound...codePoint
        } else {
          runs.append(codePoint...codePoint)
        }
      }
    }
    return runs
  }

  private static func isAssigned(_ codePoint: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(codePoint) else { return false }
    switch scalar.properties.generalCategory {
    case .unassigned, .privateUse: return false
    default: return true
    }
  }
}

/// Builds segments from ranges of code points.
private struct CatalogBuilder {
  private(set) var segments: [UnicodeCatalog.Segment] = []
  private(set) var names: [UInt8] = []
  private(set) var starts: [UInt32] = []
  private(set) var count = 0

  /// White space, so that no search word can extend beyond the end of a name.
  private static let nameEnd = UInt8(ascii: "\n")

  init() {
    names.reserveCapacity(2 << 20)
    starts.reserveCapacity(64 << 10)
  }

  /// Adds consecutive characters that do not directly follow the previous ones.
  mutating func add(_ run: ClosedRange<UInt32>) {
    var naming = CharacterNaming()
    var firstStored: UInt32?
    var codePoint = run.lowerBound
    while codePoint <= run.upperBound {
      guard let scalar = Unicode.Scalar(codePoint), var name = naming.name(of: scalar) else { return }
      if let prefix = naming.series {
        if let first = firstStored {
          addSegment(first, upTo: codePoint, .stored(first: starts.count - Int(codePoint - first)))
        }
        firstStored = nil
        let end = naming.end(ofSeries: codePoint...run.upperBound)
        addSegment(codePoint, upTo: end + 1, .made(prefix: Array(prefix.utf8)))
        codePoint = end + 1
      } else {
        firstStored = firstStored ?? codePoint
        starts.append(UInt32(names.count))
        name.withUTF8 { names.append(contentsOf: $0) }
        names.append(Self.nameEnd)
        codePoint += 1
      }
    }
    if let first = firstStored {
      addSegment(first, upTo: codePoint, .stored(first: starts.count - Int(codePoint - first)))
    }
  }

  mutating func end() {
    starts.append(UInt32(names.count))
    names.append(contentsOf: [0, 0, 0, 0])
  }

  private mutating func addSegment(_ first: UInt32, upTo end: UInt32, _ names: UnicodeCatalog.Segment.Names) {
    let length = Int(end - first)
    segments.append(.init(firstRow: count, firstCodePoint: first, count: length, names: names))
    count += length
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

/// Names characters in code point order: the standard library's name, or else the alias, or else a name
/// derived from the code point.
///
/// The library lacks the names of recently added ideographs, and has one as `KHITAN SMALL SCRIPT
/// CHARACTER-*`. By rule NR2 of the Unicode Standard (section 4.8) such a name is a prefix and the code
/// point, so the prefix of the preceding character's name is used.
struct CharacterNaming {
  /// `"TANGUT IDEOGRAPH-"` after U+17000, whose name ends in its own code point; nil after any other
  /// character.
  private(set) var series: Substring?

  /// The upper-case name; nil for code points that are not characters (unassigned and private use).
  mutating func name(of scalar: Unicode.Scalar) -> String? {
    guard let name = libraryName(of: scalar) ?? madeName(of: scalar) else {
      series = nil
      return nil
    }
    let digits = scalar.codePointDigits
    series = name.hasSuffix("-" + digits) ? name.dropLast(digits.utf8.count) : nil
    return name
  }

  /// The last of consecutive characters whose names continue the series of the first, which was the last one
  /// named. Checks only one name in sixteen, since names change only between blocks, which begin at multiples
  /// of 16 (Unicode Standard, section 2.8).
  func end(ofSeries characters: ClosedRange<UInt32>) -> UInt32 {
    var next = (characters.lowerBound | 0xF) + 1
    while next <= characters.upperBound {
      guard isInSeries(next) else { return next - 1 }
      next += 16
    }
    return characters.upperBound
  }

  /// Whether a character without a name continues the series of the preceding one.
  private func isInSeries(_ codePoint: UInt32) -> Bool {
    guard let series, let scalar = Unicode.Scalar(codePoint) else { return false }
    return libraryName(of: scalar).map { $0 == series + scalar.codePointDigits } ?? true
  }

  private func libraryName(of scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name ?? scalar.properties.nameAlias else { return nil }
    return name.hasSuffix("*") ? name.dropLast() + scalar.codePointDigits : name
  }

  /// A name that continues the series, or a label such as `CONTROL-000A`.
  private func madeName(of scalar: Unicode.Scalar) -> String? {
    let category = scalar.properties.generalCategory
    if category == .unassigned || category == .privateUse { return nil }
    return (series ?? category.names.long.uppercased() + "-") + scalar.codePointDigits
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
