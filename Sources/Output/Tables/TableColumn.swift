import Text

/// A column of a table whose width is determined.
struct TableColumn: Sendable {
  let column: OutputColumn
  /// In terminal columns.
  let width: Int
  let widthModel: WidthModel

  /// The text padded to the width of the column.
  ///
  /// - Parameter isCut: Whether a wider text is truncated with `…`; otherwise it moves the following cells to
  ///   the right.
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

  /// The delimiter of the column in Markdown for its alignment, `---`, `--:`, or `:-:`, as wide as the
  /// column.
  var ruler: String {
    switch column.alignment {
    case .leading: String(repeating: "-", count: width)
    case .trailing: String(repeating: "-", count: max(1, width - 1)) + ":"
    case .center: ":" + String(repeating: "-", count: max(1, width - 2)) + ":"
    }
  }
}
