import Text

/// A column of a table that is being written: its width is settled.
struct TableColumn: Sendable {
  let column: OutputColumn
  /// In terminal columns.
  let width: Int
  let widthModel: WidthModel

  /// The text padded to the width of the column.
  ///
  /// - Parameter isCut: whether a wider text is cut with `…`; else it pushes what follows it to the right.
  func fitted(_ text: String, isCut: Bool) -> String {
    let safe = Sanitized(text)
    guard !isCut else { return safe.fitted(to: width, column.alignment, widthModel).string }
    let blanks = max(0, width - safe.width(widthModel))
    let before =
      switch column.alignment {
      case .leading: 0
      case .center: blanks / 2
      case .trailing: blanks
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: blanks - before)
  }

  /// The alignment as Markdown draws it: `---`, `--:` or `:-:`, as wide as the column.
  var ruler: String {
    switch column.alignment {
    case .leading: String(repeating: "-", count: width)
    case .trailing: String(repeating: "-", count: max(1, width - 1)) + ":"
    case .center: ":" + String(repeating: "-", count: max(1, width - 2)) + ":"
    }
  }
}
