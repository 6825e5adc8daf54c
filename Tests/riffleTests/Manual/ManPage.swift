@testable import App
@testable import riffle

/// A page for man(7). All text is escaped, so that it appears as given.
///
/// `Backticks` around text to type make it bold.
struct ManPage {
  private(set) var text: String

  /// - Parameter summary: what the page is about, for `apropos`: no capital letter, no full stop.
  init(_ name: String, section: Int, _ summary: String) {
    text = """
      .\\" Made by the tests of riffle: RIFFLE_WRITE=1 swift test --filter ManualTests
      .TH \(Self.plain(name.uppercased())) \(section) \(Version.date) "riffle \(Version.number)" "riffle Manual"
      .SH NAME

      """
    wrap("\(Self.plain(name)) \\- \(Self.plain(summary))")
  }

  mutating func section(_ title: String) { macro(".SH \(Self.plain(title))") }

  mutating func subsection(_ title: String) { macro(".SS \(Self.plain(title))") }

  mutating func paragraph(_ markup: String) {
    if !endsWithHeading { macro(".PP") }
    fill(markup)
  }

  /// A term and its definition.
  mutating func term(_ markup: String, _ meaning: String) {
    macro(".TP")
    text += Self.line(Self.escaped(markup))
    fill(meaning)
  }

  /// Text to type or output, line by line.
  mutating func example(_ lines: some Sequence<some StringProtocol>) {
    if !endsWithHeading { macro(".PP") }
    macro(".RS 2\n.EX")
    for line in lines { text += Self.line(Self.literal(String(line))) }
    macro(".EE\n.RE")
  }

  private mutating func macro(_ line: String) { text += "\(line)\n" }

  private var endsWithHeading: Bool {
    let last = text.split(separator: "\n").last ?? ""
    return last.hasPrefix(".SH") || last.hasPrefix(".SS")
  }

  /// Wraps the text to lines of at most 78 characters of source.
  private mutating func fill(_ markup: String) { wrap(Self.escaped(markup)) }

  private mutating func wrap(_ escaped: String) {
    var line = ""
    for word in escaped.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, line.count + word.count >= 78 {
        text += Self.line(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    text += Self.line(line)
  }

  /// A line of text in which a leading dot or quote is not taken as a request.
  private static func line(_ text: String) -> String {
    "\(text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "")\(text)\n"
  }

  private static func escaped(_ markup: String) -> String {
    markup.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.isMultiple(of: 2) ? plain(String($1)) : "\\fB\\%\(literal(String($1)))\\fP" }.joined()
      .split(separator: " ", omittingEmptySubsequences: false).map(unhyphenated).joined(separator: " ")
  }

  /// Only at the start of a word, `\%` means that it is not hyphenated; inside, it marks a place for a hyphen.
  private static func unhyphenated(_ word: Substring) -> String {
    let parts = word.split(separator: "\\%", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return String(word) }
    let start = parts[0] == "\\fB" ? "\\fB\\%" : "\\%\(parts[0])"
    return start + parts.dropFirst().joined()
  }

  /// Escapes running text.
  private static func plain(_ text: String) -> String { text.unicodeScalars.map(glyph).joined() }

  /// Escapes text that is meant to be copied.
  private static func literal(_ text: String) -> String {
    text.unicodeScalars.map { literalGlyphs[$0] ?? glyph($0) }.joined()
  }

  private static func glyph(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\\" { return "\\e" }
    if scalar.isASCII { return String(scalar) }
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "\\[u\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)]"
  }

  /// Characters that typesetting would replace.
  private static let literalGlyphs: [Unicode.Scalar: String] = [
    "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
  ]
}
