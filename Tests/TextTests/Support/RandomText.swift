import TestSupport

/// One or more scalars of every kind that the rules on clusters and widths distinguish.
enum RandomText {
  static let harmless: [String] = [
    "a", "1", "#", " ", "~", "é", "e\u{301}", "\u{301}", "\u{20E3}", "\u{200C}", "日", "ｱ", "ﾞ", "±", "…", "�",
    "\u{2764}", "\u{FE0F}", "\u{FE0E}", "\u{200D}", "👨", "🔥", "☝", "🏽", "🇩", "🇪", "©",
    "क", "\u{94D}", "ष", "\u{93F}", "\u{941}", "ก", "\u{E33}", "\u{E49}", "க", "\u{BCD}", "\u{600}",
    "\u{110BD}",
    "가", "각", "\u{1100}\u{1161}", "\u{1100}\u{1161}\u{11A8}", "\u{378}", "\u{1F8FF}", "\u{E0100}", "\u{E000}",
  ]
  static let hostile: [String] = [
    "\u{1B}[31m", "\u{1B}]0;x\u{7}", "\u{9B}", "\u{7F}", "\0", "\r\n", "\t", "\u{202E}", "\u{2066}",
    "\u{200B}",
    "\u{AD}", "\u{FEFF}", "\u{2028}", "\u{E0041}", "\u{FFF9}", "\u{3164}", "\u{180E}", "\u{1161}",
    "\u{13430}", "\u{16D63}", "\u{2060}",
  ]

  static func text(from pieces: [String], upTo count: Int, _ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }
}
