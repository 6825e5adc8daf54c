internal import Text

/// A line laid out in cells. Columns from `cells.count` on are plain blanks.
struct Row {
  /// What one column shows. A cluster of width n is a cell that holds its text, then n − 1 empty cells, so equal
  /// cells at one column of two rows mean the same picture there and in the cluster's other columns.
  struct Cell: Equatable {
    static let blank = Cell(text: " ", width: 1, style: .plain)

    let text: String
    let width: Int
    let style: Style
    let link: Link?

    /// A blank is plain unless its style shows without a glyph.
    init(text: String, width: Int, style: Style, link: Link? = nil) {
      self.text = text
      self.width = width
      self.link = link
      self.style = text == " " && !style.showsOnBlanks ? .plain : style
    }
  }

  static let blank = Row(Line(), columns: 0, .codePoints)

  private(set) var cells: [Cell] = []
  /// Columns to which the terminal must be moved absolutely; ascending.
  private(set) var boundaries: [Int] = []
  /// The columns of clusters that terminals disagree about; ascending.
  private(set) var uncertainColumns: [Int] = []
  private(set) var width = 0
  private let columns: Int

  /// Clips at `columns`; a cluster that does not fit is replaced by blanks, never split.
  init(_ line: Line, columns: Int, _ model: WidthModel) {
    self.columns = columns
    for piece in line.pieces {
      switch piece {
      case .text(let text, let style, let link): append(text, style, link, model)
      case .column(let column, let style): advance(to: min(column, columns), style)
      }
    }
    width = cells.count
    while cells.last == .blank { cells.removeLast() }
  }

  var isCertain: Bool { uncertainColumns.isEmpty }

  subscript(column: Int) -> Cell { column < cells.count ? cells[column] : .blank }

  private mutating func append(_ text: Sanitized, _ style: Style, _ link: Link?, _ model: WidthModel) {
    let utf8 = text.string.utf8
    for cluster in text.clusters(model) {
      guard cells.count + cluster.width <= columns else {
        return pad(to: columns, style)
      }
      if cluster.isUncertain { uncertainColumns.append(cells.count) }
      let start = utf8.index(utf8.startIndex, offsetBy: cluster.utf8.lowerBound)
      let end = utf8.index(start, offsetBy: cluster.utf8.count)
      let cell = Cell(text: String(text.string[start..<end]), width: cluster.width, style: style, link: link)
      cells.append(cell)
      pad(cluster.width - 1, Cell(text: "", width: 0, style: style, link: link))
    }
  }

  private mutating func advance(to column: Int, _ style: Style) {
    if column < cells.count { cut(at: column, style) }
    pad(to: column, style)
    // Behind the last column there is no place: a terminal would take the last column for it.
    if column < columns { boundaries.append(column) }
  }

  private mutating func cut(at column: Int, _ style: Style) {
    let splitsCluster = cells[column].width == 0
    cells.removeSubrange(column...)
    if splitsCluster {
      while cells.last?.width == 0 { cells.removeLast() }
      cells.removeLast()
    }
    uncertainColumns.removeAll { $0 >= cells.count }
    boundaries.removeAll { $0 > column }
    pad(to: column, style)
  }

  private mutating func pad(to column: Int, _ style: Style) {
    pad(column - cells.count, Cell(text: " ", width: 1, style: style))
  }

  private mutating func pad(_ count: Int, _ cell: Cell) {
    if count > 0 { cells.append(contentsOf: repeatElement(cell, count: count)) }
  }
}
