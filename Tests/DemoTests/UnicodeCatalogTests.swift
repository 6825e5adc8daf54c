import Glibc
import TestSupport
import Testing

@testable import Demo

struct UnicodeCatalogueTests {
  private let catalog = UnicodeCatalog.standard
  private static let scalars = (UInt32(0)...0x10_FFFF).compactMap(Unicode.Scalar.init)
  private static let characters = (0..<UnicodeCatalog.standard.count)
    .compactMap(UnicodeCatalog.standard.character(at:))
  private static let codePoints = characters.map(\.codePoint)

  @Test func `The catalog contains every assigned character except private use, in order.`() {
    let assigned = Self.scalars.filter { scalar in
      let category = scalar.properties.generalCategory
      return category != .unassigned && category != .privateUse
    }
    let isSame = (0..<catalog.count).compactMap { catalog.character(at: $0)?.scalar } == assigned
    #expect(isSame)
  }

  @Test func `A name comes from the library or its alias, and otherwise contains the code point.`() {
    for row in 0..<catalog.count {
      guard let character = catalog.character(at: row) else { continue }
      let library = character.scalar.properties.name ?? character.scalar.properties.nameAlias
      if let library, !library.hasSuffix("*") {
        if character.name != library { Issue.record("\(character) is \(library)") }
      } else if !character.name.hasSuffix("-" + character.scalar.codePointDigits) {
        Issue.record("\(character)")
      }
    }
  }

  @Test func `[D65] A name made of a prefix and the code point is not stored.`() throws {
    func isStored(_ codePoint: UInt32) throws -> Bool {
      let segment = try #require(catalog.row(of: codePoint).flatMap(catalog.segment(of:)))
      if case .stored = segment.names { return true } else { return false }
    }
    #expect(try ![0x3400, 0x4E00, 0x9FFF, 0xF900, 0x17000, 0x2_0000, 0x3_1350].contains(where: isStored))
    #expect(try [0x41, 0x4DC0, 0xA000, 0xAC00, 0x1F600].allSatisfy(isStored))
    #expect(UnicodeCatalog.text.count < 2_000_000)
    // Each row is in exactly one segment.
    var next = 0
    for segment in catalog.segments {
      #expect(segment.firstRow == next)
      next = segment.rows.upperBound
    }
    #expect(next == catalog.count)
  }

  @Test(arguments: [
    (0x0A, "CONTROL-000A"), (0x2192, "RIGHTWARDS ARROW"), (0x4E00, "CJK UNIFIED IDEOGRAPH-4E00"),
  ])
  func `A character is found by its code point.`(codePoint: UInt32, name: String) throws {
    let row = try #require(catalog.row(of: codePoint))
    #expect(catalog.name(at: row) == name)
  }

  @Test(arguments: [
    "arrow", "ARROW left", "a", "e a", "  Ideograph\t9f ", "-", "2192", "u+2192", "U+1f600", "→", "⁉️",
    "e\u{301}",
    "arrow →", "ß", "no such name", "U+", "+2192", "U+110000", "face", "\u{0}",
    "latin capital letter a with grave", "4e0", "ideograph-4e0", "-9fff", "h-2f", "-2fa1d 2fa", "20000",
    "18d0",
  ])
  func `A query finds the same rows as a naive scan of the library.`(query: String) {
    let words = query.split(whereSeparator: \.isWhitespace).map(Word.init)
    // Each fifth row: the scan is as slow as it is plain.
    let looked = Seeds.every(5, of: Array(Self.characters.indices))
    let naive = looked.filter { row in
      let character = Self.characters[row]
      return words.allSatisfy { word in
        word.isFound(in: character.name) || word.spellings.contains(Self.codePoints[row])
          || word.scalars.contains(character.scalar)
      }
    }
    let isSame = catalog.rows(matching: query).filter(Set(looked).contains) == naive
    #expect(isSame)
  }

  @Test(arguments: ["", "  ", "\n"])
  func `A query without words matches everything.`(query: String) {
    #expect(catalog.rows(matching: query) == Array(0..<catalog.count))
  }

  @Test(arguments: [
    (0x2192, "U+2192 → Math Symbol Sm 1.1 -"),
    (0xBD, "U+00BD ½ Other Number No 1.1 0.5"),
    (0x1F600, "U+1F600 😀 Other Symbol So 6.1 -"),
    (0x4E00, "U+4E00 一 Other Letter Lo 1.1 1.0"),
  ])
  func `A character has the properties that the library knows.`(codePoint: UInt32, expected: String) throws {
    let character = try #require(catalog.row(of: codePoint).flatMap(catalog.character(at:)))
    let numeric = character.numericValue.map { "\($0)" } ?? "-"
    let text = [
      character.codePoint, "\(character.scalar)", character.category, character.categoryCode,
      character.age ?? "-", numeric,
    ]
    #expect(text.joined(separator: " ") == expected)
    #expect(character.url.hasSuffix("?a=" + character.codePoint.dropFirst(2)))
  }

  @Test func `There is no row outside the catalog.`() {
    #expect(catalog.character(at: -1) == nil)
    #expect(catalog.character(at: catalog.count) == nil)
    #expect(catalog.row(of: 0x10_FFFF) == nil)
  }

  /// A word in the form that a naive scan needs.
  private struct Word {
    /// `ß` stays, since names are ASCII.
    let upperCase: String
    let spellings: Set<String>
    let scalars: Set<Unicode.Scalar>

    /// A C string ends at a NUL, which no name has.
    func isFound(in name: String) -> Bool {
      !upperCase.utf8.contains(0) && strstr(name, upperCase) != nil
    }

    init(_ word: Substring) {
      upperCase = String(word.map { $0.isASCII ? Character($0.uppercased()) : $0 })
      spellings = [upperCase, "U+" + upperCase]
      scalars = word.count == 1 ? Set(word.unicodeScalars) : []
    }
  }
}
