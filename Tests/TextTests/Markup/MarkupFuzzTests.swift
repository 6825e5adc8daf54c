import TestSupport
import Testing

@testable import Text

/// Random sequences of markup characters.
@Suite struct MarkupFuzzTests {
  private static let parts = [
    "<", ">", "!", "--", "/", "&", "#", ";", "x", "1", "[", "]", "(", ")", "*", "_", "`", "~~", "\\", " ",
    "\"", "'",
    "br", "script", "|", "+ ", "```", "é", "日", "amp;", "-",
  ]

  private func texts(_ seed: UInt64, _ parts: [String]) -> [String] {
    var generator = SeededGenerator(seed: seed)
    return (0..<2_000).map { _ in
      (0..<Int.random(in: 0...16, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? ""
      }
      .joined()
    }
  }

  @Test(arguments: [1, 2, 3]) func `No sequence of markup crashes a reader or grows beyond twice its size.`(
    seed: UInt64
  ) {
    for text in texts(seed, Self.parts + ["\n"]) {
      // A bullet is two bytes longer than its marker, and a character may be longer than a short reference.
      for result in [MarkdownText.plain(text), HTMLText.stripped(text), HTMLText.decoded(text)] {
        #expect(result.utf8.count <= 2 * text.utf8.count, "\(text.debugDescription)")
      }
    }
  }

  @Test(arguments: [4, 5]) func `Escaped HTML decodes to the original text.`(seed: UInt64) {
    for text in texts(seed, Self.parts) {
      let escaped = text.map { "<>&".contains($0) ? "&#\($0.unicodeScalars.first?.value ?? 0);" : String($0) }
        .joined()
      #expect(HTMLText.decoded(escaped) == text)
      let blanksCollapsed = text.split(separator: " ").joined(separator: " ")
      #expect(HTMLText.stripped(escaped) == blanksCollapsed)
    }
  }

  @Test(arguments: [6, 7]) func `Escaped Markdown renders as the original text.`(seed: UInt64) {
    for text in texts(seed, Self.parts) {
      let escaped = text.map {
        $0.isASCII && !$0.isLetter && !$0.isNumber && $0 != " " ? "\\\($0)" : String($0)
      }
      .joined()
      #expect(MarkdownText.plain(escaped) == String(text.drop { $0 == " " }), "\(text.debugDescription)")
    }
  }
}
