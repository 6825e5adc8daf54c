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
  /// The lines from the top. Missing lines are blank; lines below the last row are not shown.
  package var lines: [Line]
  /// The position of the terminal's cursor; nil hides it.
  package var caret: Position?
  /// The window's title; nil leaves it unchanged.
  package var title: Sanitized?
  /// A counter of requested redraws: if it differs from the previous frame's, the whole screen is redrawn.
  package var redraws: Int
  package var tracksMouse = false
  /// Whether the program is busy, which some terminals show in the tab or the taskbar.
  package var isBusy = false
  /// A desktop notification; nil for none.
  package var notification: Notification?
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

  /// The frame as plain text: one line per row, without trailing spaces.
  package var text: String {
    rows.map { row in
      let text = self.row(row).plainText
      return text.lastIndex { $0 != " " }.map { text[...$0] } ?? ""
    }.joined(separator: "\n")
  }

  /// The frame for a terminal that does not show links.
  var withoutLinks: Frame {
    var frame = self
    frame.lines = lines.map(\.withoutLinks)
    return frame
  }

  var rows: Range<Int> { 0..<canvas.size.rows }

  /// The row that the cursor is left on: that of the caret or, below a prompt, the first one.
  ///
  /// - Parameter columns: The new width of a terminal that has wrapped longer lines; nil if it leaves lines alone.
  func cursorRow(wrappedTo columns: Int?) -> Int {
    guard let caret else { return 0 }
    let row = min(caret.row, canvas.size.rows - 1)
    guard let columns, columns > 0, columns < canvas.size.columns else { return row }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(row)
    return lines.reduce(caret.column / columns) { above, line in
      above + max(1, (Sanitized(String(line)).width(canvas.widthModel) + columns - 1) / columns)
    }
  }

  func line(_ row: Int) -> Line { row < lines.count ? lines[row] : Line() }

  func row(_ row: Int) -> Row { Row(line(row), columns: canvas.size.columns, canvas.widthModel) }
}

extension Frame {
  /// A desktop notification. It is sent only once, regardless of the number of frames that contain it.
  package struct Notification: Hashable, Sendable, Identifiable {
    package let id: Int
    let text: Sanitized

    /// - Parameter id: Must differ from that of all earlier notifications.
    package init(id: Int, _ text: Sanitized) { (self.id, self.text) = (id, text) }
  }

  /// Text for the user's clipboard. It is sent only once, regardless of the number of frames that contain it.
  package struct Copy: Hashable, Sendable, Identifiable {
    /// The maximum length in bytes that terminals accept: its Base64 is less than 100,000 bytes.
    package static let limit = 74_994

    package let id: Int
    let text: String

    /// - Parameter id: Must differ from that of all earlier copies.
    /// - Returns: Nil if the text is longer than `limit` bytes.
    package init?(id: Int, text: String) {
      guard text.utf8.count <= Copy.limit else { return nil }
      self.id = id
      self.text = text
    }
  }
}

/// A size in columns and rows of terminal cells, each at least 1.
package struct Size: Hashable, Sendable, Codable {
  package let columns: Int
  package let rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}

/// The canvas for layout: the size of the screen, and the width model of the terminal.
package struct Canvas: Hashable, Sendable, Codable {
  package let size: Size
  package let widthModel: WidthModel

  package init(size: Size, widthModel: WidthModel) {
    self.size = size
    self.widthModel = widthModel
  }
}

/// One row of a frame: styled text with cell boundaries. It accepts only `Sanitized` text and literals, so
/// that no raw text of a service reaches the screen. It has no widths; the frame's width model measures it.
package struct Line: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text(Sanitized, Style, Link?)
    case column(Int, Style)
  }

  private(set) var pieces: [Piece] = []

  package init() {}

  package init(_ text: Sanitized, style: Style = .plain) { append(text, style: style) }

  /// - Parameter link: The target of the text, if the terminal shows links.
  package mutating func append(_ text: Sanitized, style: Style = .plain, link: Link? = nil) {
    pieces.append(.text(text, style, link))
  }

  /// Continues at `column` (zero-based): pads with spaces in `style`, or cuts text beyond it.
  ///
  /// The column becomes a cell boundary: if the terminal may draw something before it wider or narrower than
  /// measured, the cursor is moved there absolutely, so that the error stays within the cell.
  package mutating func advance(to column: Int, style: Style = .plain) {
    pieces.append(.column(max(0, column), style))
  }

  /// Continues at column `start` with the part of another line within `columns`. The content at and after `start` is
  /// cut off; a cluster that an end of the part would split becomes spaces.
  package mutating func append(_ other: Line, columns: Range<Int>, at start: Int, _ model: WidthModel) {
    advance(to: start)
    var x = 0
    for piece in other.pieces {
      switch piece {
      case .column(let column, let style):
        let place = max(columns.lowerBound, min(column, columns.upperBound))
        advance(to: start + place - columns.lowerBound, style: style)
        x = column
      case .text(let text, let style, let link):
        let width = text.width(model)
        let part = (x..<x + width).clamped(to: columns)
        if part.count == width {
          append(text, style: style, link: link)
        } else if !part.isEmpty {
          let rest = text.dropping(columns: part.lowerBound - x, model)
          append(rest.prefix(columns: part.count, model), style: style, link: link)
        }
        x += width
      }
    }
  }

  /// The text, without the gaps between columns.
  package var text: String {
    pieces.map { if case .text(let text, _, _) = $0 { text.string } else { "" } }.joined()
  }

  /// The line with each text split into parts of other styles.
  package func split(_ parts: (Sanitized, Style) -> [(Sanitized, Style)]) -> Line {
    mapTexts { text, style, link in parts(text, style).map { ($0, $1, link) } }
  }

  /// The same text without links.
  var withoutLinks: Line { mapTexts { text, style, _ in [(text, style, nil)] } }

  /// The line with ASCII placeholders for characters that are not drawn.
  package var withPlainMarks: Line { mapTexts { [($0.withPlainMarks, $1, $2)] } }

  private func mapTexts(_ change: (Sanitized, Style, Link?) -> [(Sanitized, Style, Link?)]) -> Line {
    var line = Line()
    for piece in pieces {
      switch piece {
      case .text(let text, let style, let link):
        for (text, style, link) in change(text, style, link) { line.append(text, style: style, link: link) }
      case .column: line.pieces.append(piece)
      }
    }
    return line
  }

  /// The number of columns, including padding.
  package func width(_ model: WidthModel) -> Int {
    pieces.reduce(0) { width, piece in
      switch piece {
      case .text(let text, _, _): width + text.width(model)
      case .column(let column, _): column
      }
    }
  }
}

/// A URL that the terminal opens when its text is clicked.
///
/// Source: egmontkob, "Hyperlinks in terminal emulators": printable ASCII only, of at most the length that
/// browsers accept.
package struct Link: Hashable, Sendable {
  package static let limit = 2_083

  /// The URL, as printable ASCII without spaces.
  let address: String

  /// Removes control characters and percent-encodes other illegal characters.
  /// - Returns: Nil if the text is not an http or https URL, or is longer than `limit` bytes.
  package init?(_ text: String) {
    guard text.utf8.count <= Link.limit else { return nil }
    let address = text.utf8.allSatisfy(Link.isLegal) ? text : Link.encoded(text)
    let isWeb = ["http://", "https://"].contains(where: address.lowercased().hasPrefix)
    guard isWeb, address.utf8.count <= Link.limit else { return nil }
    self.address = address
  }

  /// Identifies the parts of one link to terminals: a short hash of the URL (FNV-1a, 32 bits).
  var id: String {
    let hash = address.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return String(hash, radix: 36)
  }

  private static func isLegal(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  private static func encoded(_ text: String) -> String {
    var address = ""
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
      for byte in UTF8.encode(scalar) ?? .init() {
        if isLegal(byte) {
          address.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return address
  }
}
