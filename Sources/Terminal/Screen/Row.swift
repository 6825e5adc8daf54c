internal import Text

/// A line laid out in columns. Columns from `cells.count` on are plain blanks.
struct Row {
  /// How a cell is drawn, and where it leads.
  struct Look: Equatable {
    static let plain = Look(style: .plain, link: nil)

    let style: Style
    let link: Link?
  }

  /// What one column shows. A cluster of width n is a cell that holds its text, then n − 1 empty cells, so equal
  /// cells at one column of two rows mean the same picture there and in the cluster's other columns.
  struct Cell {
    static let blank = Cell(start: 0, count: 1, look: 0)

    /// Where its bytes lie in the row's `text`; a space is always the first byte.
    let start: Int
    /// Bytes; 0 in the columns of a wide cluster after its first.
    let count: Int
    /// An index into the row's `looks`.
    let look: Int

    var isSpace: Bool { start == 0 && count == 1 }
    /// Whether nothing shows.
    var isBlank: Bool { isSpace && look == 0 }
    /// Whether every terminal draws it in one column. Only ASCII is certain. How wide anything else is drawn
    /// depends on the terminal's version of Unicode, its font, its locale and its settings: even `é`, `я` and `…`
    /// take two columns where those of ambiguous width do.
    var isCertain: Bool { count == 1 }
  }

  /// Clusters side by side that terminals may measure otherwise, and the blanks after them.
  struct UncertainSpan: Equatable {
    /// The columns they take by our measure.
    let clusters: Range<Int>
    /// Where what was drawn too wide must end: after the blanks that follow in the same cell of the line, so that
    /// an error of measure stays in it.
    let end: Int
    /// The column before which every terminal is done with them: none gives a scalar more than two columns.
    let reach: Int
  }

  private(set) var text: [UInt8] = [ASCII.space]
  private(set) var looks = [Look.plain]
  private(set) var cells: [Cell] = []
  private(set) var uncertainSpans: [UncertainSpan] = []
  private(set) var width = 0
  let columns: Int
  /// Columns at which a cell of the line ends; ascending.
  private var boundaries: [Int] = []

  /// Clips at `columns`; a cluster that does not fit is replaced by blanks, never split.
  init(_ line: Line, columns: Int, _ model: WidthModel) {
    self.columns = columns
    for piece in line.pieces {
      switch piece {
      case .text(let text, let style, let link): append(text, Look(style: style, link: link), model)
      case .column(let column, let style):
        advance(to: min(column, columns), Look(style: style, link: nil))
      }
    }
    width = cells.count
    while cells.last?.isBlank == true { cells.removeLast() }
    findUncertainSpans()
  }

  subscript(column: Int) -> Cell { column < cells.count ? cells[column] : .blank }

  /// The bytes of a cell's text.
  func bytes(of cell: Cell) -> ArraySlice<UInt8> { text[cell.start..<cell.start + cell.count] }

  /// Whether both rows show the same at a column.
  func agrees(with other: Row, at column: Int) -> Bool {
    let (mine, theirs) = (self[column], other[column])
    return mine.count == theirs.count && text[mine.start] == other.text[theirs.start]
      && (mine.count < 2 || bytes(of: mine) == other.bytes(of: theirs))
      && (mine.look == 0 && theirs.look == 0 || looks[mine.look] == other.looks[theirs.look])
  }

  /// Whether nothing shows in the columns, however wide the terminal draws what is before them.
  func isBlank(in columns: Range<Int>) -> Bool {
    columns.clamped(to: cells.indices).allSatisfy { cells[$0].isBlank }
      && !uncertainSpans.contains {
        $0.end > columns.lowerBound && $0.clusters.lowerBound < columns.upperBound
      }
  }

  /// The text without blanks at its end.
  var plainText: String {
    String(decoding: cells.flatMap(bytes), as: UTF8.self)
  }
}

// MARK: Layout

extension Row {
  private mutating func append(_ text: Sanitized, _ look: Look, _ model: WidthModel) {
    let utf8 = text.string.utf8Span.span
    let look = (inked: index(of: look), blank: index(ofBlank: look))
    for cluster in text.clusters(model) {
      guard cells.count + cluster.width <= columns else { return pad(to: columns, look.blank) }
      if cluster.utf8.count == 1, utf8[cluster.utf8.lowerBound] == ASCII.space {
        cells.append(Cell(start: 0, count: 1, look: look.blank))
        continue
      }
      cells.append(Cell(start: self.text.count, count: cluster.utf8.count, look: look.inked))
      for offset in cluster.utf8 { self.text.append(utf8[offset]) }
      for _ in 1..<max(1, cluster.width) { cells.append(Cell(start: 0, count: 0, look: look.inked)) }
    }
  }

  private mutating func advance(to column: Int, _ look: Look) {
    let look = index(ofBlank: look)
    if column < cells.count { cut(at: column, look) }
    pad(to: column, look)
    // After the last column there is no place: a terminal would take the last column for it.
    if column < columns { boundaries.append(column) }
  }

  private mutating func cut(at column: Int, _ look: Int) {
    let splitsCluster = cells[column].count == 0
    cells.removeSubrange(column...)
    if splitsCluster {
      while cells.last?.count == 0 { cells.removeLast() }
      cells.removeLast()
    }
    boundaries.removeAll { $0 > column }
    pad(to: column, look)
  }

  private mutating func pad(to column: Int, _ look: Int) {
    let blank = Cell(start: 0, count: 1, look: look)
    if column > cells.count {
      cells.append(contentsOf: repeatElement(blank, count: column - cells.count))
    }
  }

  /// A blank is plain unless its style shows without a glyph.
  private mutating func index(ofBlank look: Look) -> Int {
    index(of: look.style.showsOnBlanks ? look : Look(style: .plain, link: look.link))
  }

  private mutating func index(of look: Look) -> Int {
    if let index = looks.lastIndex(of: look) { return index }
    looks.append(look)
    return looks.count - 1
  }

  private mutating func findUncertainSpans() {
    var boundaries = boundaries[...]
    var column = 0
    while column < cells.count {
      guard !cells[column].isCertain else {
        column += 1
        continue
      }
      let start = column
      boundaries = boundaries.drop { $0 <= start }
      let boundary = boundaries.first ?? columns
      var scalars = 0
      while column < min(boundary, cells.count), !cells[column].isCertain {
        scalars += bytes(of: cells[column]).count { $0 & 0xC0 != 0x80 }
        column += 1
      }
      let end = column
      while column < cells.count, cells[column].isBlank { column += 1 }
      if column == cells.count { column = columns }
      column = min(column, boundary)
      uncertainSpans.append(UncertainSpan(clusters: start..<end, end: column, reach: start + 2 * scalars))
    }
  }
}
