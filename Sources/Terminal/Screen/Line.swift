package import Text

/// One row of a frame: styled text with cell boundaries. It accepts only `Sanitized` text and literals, so
/// that no raw text of a service reaches the screen. It has no widths; the frame's width model measures it.
package struct Line: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text(Sanitized, Style, Link?)
    case column(Int, Style)
  }

  private(set) var pieces: [Piece] = []

  package init() {}

  package init(_ text: StaticString, style: Style = .plain) {
    append(text, style: style)
  }

  package init(_ text: Sanitized, style: Style = .plain) {
    append(text, style: style)
  }

  /// - Parameter link: The target of the text, if the terminal shows links.
  package mutating func append(_ text: Sanitized, style: Style = .plain, link: Link? = nil) {
    pieces.append(.text(text, style, link))
  }

  package mutating func append(_ text: StaticString, style: Style = .plain) {
    append(Sanitized(text), style: style)
  }

  /// Continues at `column` (zero-based): pads with spaces in `style`, or cuts text beyond it.
  ///
  /// The column becomes a cell boundary: if the terminal may draw something before it wider or narrower than
  /// measured, the cursor is moved there absolutely, so that the error stays within the cell.
  package mutating func advance(to column: Int, style: Style = .plain) {
    pieces.append(.column(max(0, column), style))
  }

  /// The same text without links.
  var withoutLinks: Line {
    var line = self
    line.pieces = pieces.map { piece in
      if case .text(let text, let style, _?) = piece { .text(text, style, nil) } else { piece }
    }
    return line
  }

  /// The line with ASCII placeholders for characters that are not drawn.
  package var withPlainMarks: Line {
    var line = self
    line.pieces = pieces.map { piece in
      if case .text(let text, let style, let link) = piece {
        .text(text.withPlainMarks, style, link)
      } else {
        piece
      }
    }
    return line
  }

  /// The number of columns, including padding.
  package func width(_ model: WidthModel) -> Int {
    Row(self, columns: .max, model).width
  }
}
