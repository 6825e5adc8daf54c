package import Text

/// The symbols of the screen, so that a terminal without them, or a person who hears the screen, has others.
package struct Glyphs: Sendable, Hashable {
  /// Before the selected row, a marked one, and one a refresh brought; one column each.
  package var selection: Sanitized
  package var mark: Sanitized
  package var novelty: Sanitized
  /// Behind the title of the column that is sorted by.
  package var ascending: Sanitized
  package var descending: Sanitized
  /// Before the title of the current column; one column.
  package var current: Sanitized
  /// Beside the number of columns to the left of the screen, and of those to its right; one column each.
  package var earlier: Sanitized
  package var later: Sanitized
  /// Before what failed.
  package var failure: Sanitized
  /// Between facts.
  package var divider: Sanitized
  package var ellipsis: Sanitized
  /// Behind the name of a line that is typed.
  package var prompt: Sanitized
  /// Makes a line between two parts of a popup.
  package var rule: Sanitized
  /// Between two numbers.
  package var dash: Sanitized
  /// Shown one after the other while something loads; empty for a still screen.
  package var spinner: [Sanitized]
  /// Whether the marks of characters that must not be drawn are ASCII, too.
  package var hasPlainMarks = false

  package static let unicode = Glyphs(
    selection: Sanitized("▌"), mark: Sanitized("●"), novelty: Sanitized("+"), ascending: Sanitized("▴"),
    descending: Sanitized("▾"), current: Sanitized("›"),
    earlier: Sanitized("«"), later: Sanitized("»"), failure: Sanitized("✗ "),
    divider: Sanitized(" · "), ellipsis: .ellipsis, prompt: Sanitized("› "), rule: Sanitized("─"),
    dash: Sanitized("–"),
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"].map { Sanitized($0) })

  package static let ascii = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), novelty: Sanitized("+"), ascending: Sanitized("^"),
    descending: Sanitized("v"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized("x "),
    divider: Sanitized(" | "), ellipsis: .asciiEllipsis, prompt: Sanitized("> "), rule: Sanitized("-"),
    dash: Sanitized("-"),
    spinner: ["|", "/", "-", "\\"].map { Sanitized($0) }, hasPlainMarks: true)

  /// Words, and symbols that are read aloud; nothing turns.
  package static let words = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), novelty: Sanitized("+"),
    ascending: Sanitized("ascending"), descending: Sanitized("descending"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized(""), divider: Sanitized(", "),
    ellipsis: .asciiEllipsis, prompt: Sanitized(": "),
    rule: Sanitized(""), dash: Sanitized(" to "), spinner: [])
}
