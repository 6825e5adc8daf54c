import TestSupport
import Testing

@testable import Text

@Suite struct SanitizedTests {
  @Test(arguments: [
    ("plain ASCII ~", "plain ASCII ~"),
    ("naïve 日本語 Ελληνικά עברית", "naïve 日本語 Ελληνικά עברית"),
    ("\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"),
    ("bell\u{7} nul\0 del\u{7F}", "bell␇ nul␀ del␡"),
    ("c1 \u{9B}31m\u{85}\u{90}", "c1 �31m��"),
    ("two\nlines", "two lines"),
    ("two\r\nlines", "two lines"),
    ("\r\r\n\n\tx", "    x"),
    ("sep\u{2028}ara\u{2029}tors", "sep ara tors"),
    ("user\u{202E}txt.exe\u{202C}", "usertxt.exe"),
    ("\u{2066}iso\u{2069}\u{200E}\u{200F}\u{61C}lated", "isolated"),
    ("in\u{200B}vis\u{FEFF}i\u{AD}ble\u{2060}\u{206F}", "invisible"),
    ("tags\u{E0001}\u{E0041}\u{E007F}", "tags"),
    ("\u{FFF9}anno\u{FFFA}tation\u{FFFB}", "annotation"),
    ("family 👨‍👩‍👧", "family 👨‍👩‍👧"),
    ("kiss 👩🏻‍❤️‍💋‍👨🏿", "kiss 👩🏻‍❤️‍💋‍👨🏿"),
    ("a\u{200D}b", "ab"),
    ("👨\u{200D}b", "👨b"),
    ("👨\u{200D}", "👨"),
    ("👨\u{200D}\u{200B}👩", "👨\u{200D}👩"),
    ("👨\u{200D}\u{200D}👩", "👨\u{200D}👩"),
    ("👨\u{200D}\u{1B}👩", "👨␛👩"),
    ("क्\u{200D}ष", "क्ष"),
    ("heart ❤\u{FE0F} ❤\u{FE0E}", "heart ❤\u{FE0F} ❤\u{FE0E}"),
    ("keycap 1\u{FE0F}\u{20E3}", "keycap 1\u{FE0F}\u{20E3}"),
    ("letter a\u{FE0F}b\u{FE0E}", "letter ab"),
    ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"),
    ("\u{301}first", "\u{25CC}\u{301}first"),
    ("🏽 first", "\u{25CC}🏽 first"),
    ("\u{200B}\u{301}first", "\u{25CC}\u{301}first"),
  ])
  func `Text is rewritten so that it can neither control a terminal nor hide`(raw: String, safe: String) {
    #expect(scalars(Sanitized(raw).string) == scalars(safe))
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a�b"),
      ([0xC2], "�"),
      ([0xE6, 0x97, 0x61], "�a"),
      ([0xC0, 0x80], "��"),
      ([0xED, 0xA0, 0x80], "���"),
      ([0xF4, 0x90, 0x80, 0x80], "����"),
      ([0xC2, 0x9B], "�"),
      ([0x1B, 0x5B, 0x48], "␛[H"),
      ([0xE6, 0x97, 0xA5], "日"),
      ([0xEF, 0xBF, 0xBE], "�"),
      ([0xEF, 0xB7, 0x90], "�"),
      ([0xF4, 0x8F, 0xBF, 0xBF], "�"),
    ] as [([UInt8], String)])
  func `Bytes that are not UTF-8, and noncharacters, become U+FFFD`(bytes: [UInt8], safe: String) {
    #expect(Sanitized(utf8: bytes).string == safe)
    #expect(Sanitized(utf8: bytes.lazy.map { $0 }).string == safe)
  }

  @Test func `Texts are equal if their bytes are`() {
    #expect(Sanitized("caf\u{E9}") != Sanitized("cafe\u{301}"))
    #expect(Sanitized("caf\u{E9}") == Sanitized("caf\u{E9}"))
    #expect(Set([Sanitized("a"), Sanitized("a"), Sanitized("b")]).count == 2)
  }

  @Test func `Marks may be plain ASCII, with the same width as the others.`() {
    let text = Sanitized("\u{1b}[31mred\u{7f} \u{9b}日本 …")
    #expect(text.string == "␛[31mred␡ �日本 …")
    #expect(text.withPlainMarks.string == "?[31mred? ?日本 …")
    #expect(text.withPlainMarks.width(.clusters) == text.width(.clusters))
  }

  @Test func `A literal follows the same rules`() {
    let literal: StaticString = "a\u{1B}b"
    #expect(Sanitized(stringLiteral: literal).string == "a␛b")
  }

  @Test func `No scalar lets a control, a bidirectional control or an invisible character through`() {
    // The planes without assigned characters are represented by one in sixteen.
    let assigned = Array(UInt32(0)...0x3FFFF) + Array(0xE0000...0xEFFFF)
    let others = Array(UInt32(0x40000)...0xDFFFF) + Array(0xF0000...0x10FFFF)
    var leaks: [String] = []
    for value in assigned + Seeds.every(16, of: others) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = Sanitized(String(scalar))
      if text.string.unicodeScalars.contains(where: isForbidden) { leaks.append(String(value, radix: 16)) }
      if !text.isEmpty && text.width(.codePoints) < 1 {
        leaks.append("no column: " + String(value, radix: 16))
      }
    }
    #expect(leaks.isEmpty)
  }

  @Test func `[D54] No default-ignorable scalar remains, except inside an emoji`() {
    var kept: [String] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isDefaultIgnorableCodePoint else {
        continue
      }
      if Sanitized("pay\(scalar)pal").string != "paypal" { kept.append(String(value, radix: 16)) }
      if !Sanitized("\(scalar)").isEmpty { kept.append("alone " + String(value, radix: 16)) }
    }
    #expect(kept.isEmpty)
    #expect(Sanitized("한\u{3164}글 葛\u{E0100} می\u{200C}خواهم").string == "한글 葛 میخواهم")
    #expect(Sanitized("❤\u{FE0F}\u{E0100} 👨\u{2060}\u{200D}👩").string == "❤\u{FE0F} 👨\u{200D}👩")
  }

  @Test func `Sanitizing a sanitized text changes nothing`() {
    var generator = SeededGenerator(seed: 1)
    for _ in Seeds.first(4_000) {
      let raw = RandomText.text(from: RandomText.harmless + RandomText.hostile, upTo: 12, &generator)
      let once = Sanitized(raw)
      #expect(Sanitized(once.string) == once, "\(scalars(raw))")
      #expect(!once.string.unicodeScalars.contains(where: isForbidden))
    }
  }

  @Test func `The ninth mark on one base is dropped`() {
    let marks = String(repeating: "\u{301}", count: 200_000)
    let text = Sanitized("e" + marks + "x" + marks)
    #expect(text.string.unicodeScalars.count == 18)
    #expect(text.width(.clusters) == 2)
  }

  @Test func `A hundred thousand joiners disappear`() {
    #expect(Sanitized(String(repeating: "\u{200D}", count: 100_000)).isEmpty)
    #expect(Sanitized("👨" + String(repeating: "\u{200D}", count: 100_000)).string == "👨")
  }

  @Test func `Two concatenated sanitized texts are sanitized`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5_000 {
      let left = Sanitized(RandomText.text(from: RandomText.harmless, upTo: 5, &generator))
      let right = Sanitized(RandomText.text(from: RandomText.harmless, upTo: 5, &generator))
      let both = left + right
      #expect(both.string == left.string + right.string)
      #expect(Sanitized(both.string) == both)
    }
  }

  private func scalars(_ text: String) -> [String] {
    text.unicodeScalars.map { String($0.value, radix: 16) }
  }

  /// Scalars that must never reach a screen, written independently of the rules under test.
  private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    let isOneOf = ["\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{FEFF}"]
      .contains(scalar)
    let category = scalar.properties.generalCategory
    let isIgnored =
      scalar.properties.isDefaultIgnorableCodePoint && !["\u{200D}", "\u{FE0E}", "\u{FE0F}"].contains(scalar)
    return isOneOf || isIgnored || category == .control || scalar.properties.isNoncharacterCodePoint
      || [0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB, 0xE0000...0xE007F].contains {
        $0 ~= scalar.value
      }
  }
}
