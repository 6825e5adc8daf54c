package import Text

/// One row of a frame: styled text, and the cell boundaries in it. It takes only `Sanitized` and literals, so
/// that no raw text of a service reaches the screen. It knows no widths: the frame's width model measures it.
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

  /// - Parameter link: what the text leads to, where the terminal shows links.
  package mutating func append(_ text: Sanitized, style: Style = .plain, link: Link? = nil) {
    pieces.append(.text(text, style, link))
  }

  package mutating func append(_ text: StaticString, style: Style = .plain) {
    append(Sanitized(text), style: style)
  }

  /// Goes on at `column` (zero-based): pads with blanks in `style`, or cuts what is already beyond it.
  ///
  /// This is a cell boundary: when something before it may be drawn wider or narrower than its measure, the
  /// terminal is moved to the boundary absolutely, so that the error stays inside the cell.
  package mutating func advance(to column: Int, style: Style = .plain) {
    pieces.append(.column(max(0, column), style))
  }

  /// The same text, leading nowhere.
  var withoutLinks: Line {
    var line = self
    line.pieces = pieces.map { piece in
      if case .text(let text, let style, _?) = piece { .text(text, style, nil) } else { piece }
    }
    return line
  }

  /// The same line for a terminal that has no more than ASCII for the marks of what is not drawn.
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

  /// Columns taken, padding included.
  package func width(_ model: WidthModel) -> Int {
    Row(self, columns: .max, model).width
  }
}
