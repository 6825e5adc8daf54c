package import Text

/// A picture of the whole screen: a value that the view makes and the diff draws.
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
  /// Where the terminal's cursor shows; nil hides it.
  package var caret: Position?
  /// The window's title; nil leaves it as it is.
  package var title: Sanitized?
  /// How often the user asked to redraw: another number than the frame before draws everything anew.
  package var redraws: Int
  /// Whether the terminal reports the mouse.
  package var tracksMouse = false
  /// Whether the program waits for something, which some terminals show beside the window.
  package var isBusy = false
  /// What is to be copied; told of by `UIEvent.copied`.
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

  /// The picture as plain text, for tests: one line a row, without trailing blanks.
  package var text: String {
    (0..<canvas.size.rows).map { row in
      self.row(row).plainText.trimmingSuffix(" ")
    }.joined(separator: "\n")
  }

  /// The picture on a terminal that shows no links.
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
