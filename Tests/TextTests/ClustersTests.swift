import TestSupport
import Testing
import Text

@Suite struct ClustersTests {
  @Test(arguments: [
    ("a", "a:1"),
    ("日b", "日:2 b:1"),
    ("e\u{301}x", "e\u{301}:1 x:1"),
    ("👨‍👩‍👧!", "👨‍👩‍👧:2 !:1"),
    ("🇩🇪🇫🇷", "🇩🇪:2 🇫🇷:2"),
    ("❤️1️⃣", "❤️:2 1️⃣:2"),
    ("👍🏽👍", "👍🏽:2 👍:2"),
    ("क्षि", "क्षि:2"),
    ("\u{378}", "\u{378}:1"),
    ("☰ ☱", "☰:2  :1 ☱:2"),
    ("한글", "한:2 글:2"),
    ("\u{600}1", "\u{600}:1 1:1"),
  ])
  func `Each cluster has its expected width`(raw: String, picture: String) {
    let text = Sanitized(raw)
    let found = text.clusters(.clusters).map { "\(text[$0.utf8]):\($0.width)" }
    #expect(found.joined(separator: " ") == picture)
  }

  @Test func `Clusters are Swift's characters, except that prepended marks are separate clusters`() {
    var generator = SeededGenerator(seed: 5)
    let pieces = RandomText.harmless.filter { !["\u{600}", "\u{110BD}"].contains($0) }
    for _ in Seeds.first(4_000) {
      let text = Sanitized(RandomText.text(from: pieces, upTo: 8, &generator))
      let clusters = text.clusters(.clusters).map { text[$0.utf8].string }
      #expect(clusters == text.string.map { String($0) })
    }
  }

  @Test(arguments: [WidthModel.codePoints, .clusters])
  func `Clusters cover the whole text, and each is at least one column wide`(model: WidthModel) {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<5_000 {
      let text = Sanitized(
        RandomText.text(from: RandomText.harmless + RandomText.hostile, upTo: 12, &generator))
      var end = 0
      for cluster in text.clusters(model) {
        #expect(cluster.utf8.lowerBound == end && !cluster.utf8.isEmpty)
        #expect(cluster.width >= 1 && (model == .codePoints || cluster.width <= 2))
        end = cluster.utf8.upperBound
      }
      #expect(end == text.string.utf8.count)
    }
  }

  @Test(arguments: [
    "\u{1100}", "\u{600}", "क्", "👨\u{200D}", "ﾞ", "\u{1F3FD}", "\u{16D63}", "\u{1161}", "\u{3164}",
  ])
  func `Every cluster has a maximum length, whatever the text`(piece: String) {
    let text = Sanitized("x" + String(repeating: piece, count: 40_000))
    #expect(text.clusters(.clusters).allSatisfy { $0.utf8.count <= 40 * 4 })
  }
}
