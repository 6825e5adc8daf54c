import TestSupport
import Testing
import Text

@Suite struct WidthTests {
  @Test(arguments: [
    ("", 0, 0),
    ("ascii", 5, 5),
    ("日本語", 6, 6),
    ("ｱｲｳ", 3, 3),
    ("ﾊﾞ", 2, 2),
    ("é e\u{301}", 3, 3),
    ("한국 \u{1112}\u{1161}\u{11AB}", 7, 7),
    ("👍", 2, 2),
    ("👍🏽", 4, 2),
    ("👨‍👩‍👧‍👦", 8, 2),
    ("🇩🇪", 2, 2),
    ("🇩", 1, 2),
    ("🇩🇪🇫", 3, 4),
    ("❤", 1, 1),
    ("❤\u{FE0F}", 1, 2),
    ("❤\u{FE0E}", 1, 1),
    ("⌚\u{FE0E}", 2, 2),
    ("1\u{FE0F}\u{20E3}", 1, 2),
    ("❤\u{FE0F}‍🔥", 3, 2),
    ("☝🏽", 3, 1),
    ("क्ष", 2, 2),
    ("कि", 1, 2),
    ("ก็", 1, 1),
    ("a\u{300}\u{301}\u{302}", 1, 1),
    ("᠎x", 1, 1),
    ("\u{E000}", 1, 1),
    ("┌─┐±…α", 6, 6),
    ("☰䷀", 4, 4),
  ])
  func `Text is measured as both kinds of terminal measure it`(raw: String, codePoints: Int, clusters: Int) {
    let text = Sanitized(raw)
    #expect(text.width(.codePoints) == codePoints)
    #expect(text.width(.clusters) == clusters)
  }

  @Test(arguments: [("±…αа", 8), ("─│", 4), ("ascii", 5), ("日", 2), ("€ é", 5), ("ö", 1)])
  func `Ambiguous characters are wide if the user says so`(raw: String, width: Int) {
    #expect(Sanitized(raw).width(WidthModel(.codePoints, ambiguousIsWide: true)) == width)
    #expect(Sanitized(raw).width(WidthModel(.clusters, ambiguousIsWide: true)) == width)
  }

  @Test func `The width of a text is the sum of the widths of its clusters`() {
    var generator = SeededGenerator(seed: 4)
    for _ in Seeds.first(2_000) {
      let text = Sanitized(
        RandomText.text(from: RandomText.harmless + RandomText.hostile, upTo: 10, &generator))
      for model in [WidthModel.codePoints, .clusters, WidthModel(.clusters, ambiguousIsWide: true)] {
        #expect(text.clusters(model).reduce(0) { $0 + $1.width } == text.width(model))
      }
    }
  }
}
