package import Text

/// The symbols on the screen, with alternatives for terminals that lack them and for screen readers.
package struct Glyphs: Sendable, Hashable {
  /// Before the selected row, a marked row, and a row added by a refresh; one column each.
  package var selection: Sanitized
  package var mark: Sanitized
  package var newRow: Sanitized
  /// After the title of the sort column.
  package var ascending: Sanitized
  package var descending: Sanitized
  /// Before the title of the current column; one column.
  package var current: Sanitized
  /// Next to the number of columns left of the screen, and of those right of it; one column each.
  package var earlier: Sanitized
  package var later: Sanitized
  /// Before a failure.
  package var failure: Sanitized
  /// Between facts.
  package var divider: Sanitized
  package var ellipsis: Sanitized
  /// After the label of a line being typed.
  package var prompt: Sanitized
  /// Repeated to draw a line between two parts of a popup.
  package var rule: Sanitized
  /// Between two numbers.
  package var dash: Sanitized
  /// Animation frames while loading; empty disables the animation.
  package var spinner: [Sanitized]
  /// Whether placeholders for characters that must not be drawn are ASCII, too.
  package var hasPlainMarks = false

  /// Ends the name of something that is going on.
  var busy: String { ellipsis == .asciiEllipsis ? "..." : "…" }

  package static let unicode = Glyphs(
    selection: Sanitized("▌"), mark: Sanitized("●"), newRow: Sanitized("+"), ascending: Sanitized("▴"),
    descending: Sanitized("▾"), current: Sanitized("›"),
    earlier: Sanitized("«"), later: Sanitized("»"), failure: Sanitized("✗ "),
    divider: Sanitized(" · "), ellipsis: .ellipsis, prompt: Sanitized("› "), rule: Sanitized("─"),
    dash: Sanitized("–"),
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"].map { Sanitized($0) })

  package static let ascii = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), newRow: Sanitized("+"), ascending: Sanitized("^"),
    descending: Sanitized("v"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized("x "),
    divider: Sanitized(" | "), ellipsis: .asciiEllipsis, prompt: Sanitized("> "), rule: Sanitized("-"),
    dash: Sanitized("-"),
    spinner: ["|", "/", "-", "\\"].map { Sanitized($0) }, hasPlainMarks: true)

  /// Words, and symbols that screen readers read aloud; no animation.
  package static let words = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), newRow: Sanitized("+"),
    ascending: Sanitized("ascending"), descending: Sanitized("descending"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized(""), divider: Sanitized(", "),
    ellipsis: .asciiEllipsis, prompt: Sanitized(": "),
    rule: Sanitized(""), dash: Sanitized(" to "), spinner: [])
}
