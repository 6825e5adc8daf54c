import Glibc
import TestSupport
import Testing

@testable import Demo

struct UnicodeCatalogTests {
  private let catalog = UnicodeCatalog.standard
  private static let characters = UnicodeCatalog.standard.scalars.compactMap(NamedCharacter.init)

  @Test func `The catalog contains every assigned character except private use, in order.`() {
    let assigned = (UInt32(0)...0x10_FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
      let category = scalar.properties.generalCategory
      return category != .unassigned && category != .privateUse
    }
    let isSame = catalog.scalars == assigned
    #expect(isSame)
  }

  @Test func `A name comes from the library or its alias, and otherwise ends in the code point.`() {
    let unnamed = Self.characters.filter { character in
      character.name != character.scalar.properties.name ?? character.scalar.properties.nameAlias
    }
    let prefixes = unnamed.map { $0.name.replacing($0.codePoint.dropFirst(2), with: "") }
    #expect(
      Set(prefixes) == [
        "CONTROL-", "CJK UNIFIED IDEOGRAPH-", "TANGUT IDEOGRAPH-", "KHITAN SMALL SCRIPT CHARACTER-",
      ])
  }

  @Test(arguments: [
    ("\n", "CONTROL-000A"), ("→", "RIGHTWARDS ARROW"), ("一", "CJK UNIFIED IDEOGRAPH-4E00"),
    ("\u{187F8}", "TANGUT IDEOGRAPH-187F8"), ("\u{18CFF}", "KHITAN SMALL SCRIPT CHARACTER-18CFF"),
    ("\u{323B0}", "CJK UNIFIED IDEOGRAPH-323B0"), ("\u{E000}", nil), ("\u{378}", nil), ("\u{10FFFF}", nil),
  ])
  func `Only private use and unassigned code points have no name.`(scalar: Unicode.Scalar, name: String?) {
    #expect(NamedCharacter(scalar)?.name == name)
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
    // Each tenth character: the scan is as slow as it is plain.
    let sample = Seeds.every(10, of: Self.characters)
    let naive = sample.filter { character in
      words.allSatisfy { word in
        word.isFound(in: character.name) || word.spellings.contains(character.codePoint)
          || word.scalars.contains(character.scalar)
      }
    }
    let found = catalog.scalars(matching: query).filter(Set(sample.map(\.scalar)).contains)
    let isSame = found == naive.map(\.scalar)
    #expect(isSame)
  }

  @Test(arguments: ["", "  ", "\n"])
  func `A query without words matches everything.`(query: String) {
    let isEverything = catalog.scalars(matching: query) == catalog.scalars
    #expect(isEverything)
  }

  @Test(arguments: [
    ("→", "U+2192 → Math Symbol Sm 1.1 -"),
    ("½", "U+00BD ½ Other Number No 1.1 0.5"),
    ("😀", "U+1F600 😀 Other Symbol So 6.1 -"),
    ("一", "U+4E00 一 Other Letter Lo 1.1 1.0"),
  ])
  func `A character has the properties that the library knows.`(scalar: Unicode.Scalar, expected: String)
    throws
  {
    let character = try #require(NamedCharacter(scalar))
    let numeric = character.numericValue.map { "\($0)" } ?? "-"
    let text = [
      character.codePoint, "\(character.scalar)", character.category, character.categoryCode,
      character.age ?? "-", numeric,
    ]
    #expect(text.joined(separator: " ") == expected)
    #expect(character.url.hasSuffix("?a=" + character.codePoint.dropFirst(2)))
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
