import TestSupport
import Testing
import Text

@Suite struct FittingTests {
  @Test(arguments: [
    ("abc", 5, "abc  "),
    ("abc", 3, "abc"),
    ("abcdef", 4, "abc…"),
    ("abcdef", 1, "…"),
    ("abcdef", 0, ""),
    ("", 3, "   "),
    ("日本語", 6, "日本語"),
    ("日本語", 5, "日本…"),
    ("日本語", 4, "日 …"),
    ("日本語", 2, " …"),
    ("cafe\u{301}s", 4, "caf…"),
    ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
  ])
  func `A text fits its columns and is cut between clusters`(raw: String, columns: Int, picture: String) {
    #expect(Sanitized(raw).fitted(to: columns, .leading, .clusters).string == picture)
  }

  @Test(arguments: [(Alignment.leading, "ab   "), (.trailing, "   ab"), (.center, " ab  ")])
  func `A text is positioned by its alignment`(alignment: Alignment, picture: String) {
    #expect(Sanitized("ab").fitted(to: 5, alignment, .clusters).string == picture)
  }

  @Test func `The ellipsis may be ASCII`() {
    #expect(Sanitized("abcdef").fitted(to: 4, ellipsis: .asciiEllipsis, .codePoints).string == "ab..")
    #expect(Sanitized("abcdef").fitted(to: 1, ellipsis: .asciiEllipsis, .codePoints).string == ".")
  }

  @Test func `A wide ellipsis takes up two columns`() {
    let model = WidthModel(.codePoints, ambiguousIsWide: true)
    #expect(Sanitized("abcdef").fitted(to: 4, .leading, model).string == "ab…")
    #expect(Sanitized("abcdef").fitted(to: 1, .leading, model).string == " ")
  }

  @Test(arguments: [
    ("日本語x", 0, "", "日本語x"),
    ("日本語x", 1, " ", " 本語x"),
    ("日本語x", 2, "日", "本語x"),
    ("日本語x", 3, "日 ", " 語x"),
    ("日本語x", 7, "日本語x", ""),
    ("日本語x", 9, "日本語x", ""),
    ("ascii", 2, "as", "cii"),
    ("ascii", -1, "", "ascii"),
  ])
  func `A cut through a wide cluster leaves spaces on both sides`(
    raw: String, columns: Int, left: String, right: String
  ) {
    #expect(Sanitized(raw).prefix(columns: columns, .clusters).string == left)
    #expect(Sanitized(raw).dropping(columns: columns, .clusters).string == right)
  }

  @Test func `A fitted text has exactly its columns, and a cut keeps every column`() {
    var generator = SeededGenerator(seed: 7)
    for _ in Seeds.first(2_000) {
      let text = Sanitized(RandomText.text(from: RandomText.harmless, upTo: 10, &generator))
      let columns = Int.random(in: 0...15, using: &generator)
      for model in [WidthModel.codePoints, .clusters, WidthModel(.clusters, ambiguousIsWide: true)] {
        let width = text.width(model)
        #expect(text.fitted(to: columns, .center, model).width(model) == columns)
        #expect(text.prefix(columns: columns, model).width(model) == min(columns, width))
        #expect(text.dropping(columns: columns, model).width(model) == max(width - columns, 0))
      }
    }
  }
}
