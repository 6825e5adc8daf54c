package import Text

/// The content of the whole screen, created by the view and drawn by the diff.
package struct Frame: Hashable, Sendable {
  /// A cell of the screen, zero-based from the top left.
  package struct Position: Hashable, Sendable {
    package let column: Int
    package let row: Int

    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }

  package let canvas: Canvas
  /// From the top; missing lines are blank, lines below the last row are not shown.
  package var lines: [Line]
  /// The position of the terminal's cursor; nil hides it.
  package var caret: Position?
  /// The window's title; nil leaves it unchanged.
  package var title: Sanitized?
  /// A counter of requested redraws: if it differs from the previous frame's, the whole screen is redrawn.
  package var redraws: Int
  /// Whether the terminal reports the mouse.
  package var tracksMouse = false
  /// Whether the program is busy, which some terminals show in the tab or the taskbar.
  package var isBusy = false
  /// The text to copy; its result is reported by `UIEvent.copied`.
  package var copy: Copy?

  package init(
    _ canvas: Canvas, lines: [Line] = [], caret: Position? = nil, title: Sanitized? = nil, redraws: Int = 0
  ) {
    self.canvas = canvas
    self.lines = lines
    self.caret = caret
    self.title = title
    self.redraws = redraws
  }

  /// The frame as plain text, for tests: one line per row, without trailing spaces.
  package var text: String {
    (0..<canvas.size.rows).map { row in
      self.row(row).plainText.trimmingSuffix(" ")
    }.joined(separator: "\n")
  }

  /// The frame for a terminal that does not show links.
  var withoutLinks: Frame {
    var frame = self
    frame.lines = lines.map(\.withoutLinks)
    return frame
  }

  func line(_ row: Int) -> Line { row < lines.count ? lines[row] : Line() }

  func row(_ row: Int) -> Row { Row(line(row), columns: canvas.size.columns, canvas.widthModel) }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var rest = self[...]
    while rest.last == character { rest.removeLast() }
    return rest
  }
}
