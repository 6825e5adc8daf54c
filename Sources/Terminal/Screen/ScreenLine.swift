internal import Text

/// A line laid out in columns. Columns from `cells.count` on are plain spaces.
struct Row {
  struct CellStyle: Equatable {
    static let plain = CellStyle(style: .plain, link: nil)

    let style: Style
    let link: Link?
  }

  /// The content of one column. A cluster of width n is a cell with its text followed by n − 1 empty cells, so equal
  /// cells at the same column of two rows imply that the cluster's other columns are also equal.
  struct Cell {
    static let blank = Cell(start: 0, count: 1, cellStyle: 0)

    /// The offset of its bytes in the row's `text`; a space is always the first byte.
    let start: Int
    /// The number of bytes; 0 in the columns of a wide cluster after its first.
    let count: Int
    /// An index into the row's `cellStyles`.
    let cellStyle: Int

    var isSpace: Bool { start == 0 && count == 1 }
    /// Whether the cell shows nothing.
    var isBlank: Bool { isSpace && cellStyle == 0 }
    /// Whether every terminal draws it one column wide, which is only certain for ASCII. The width of
    /// anything else depends on the terminal's Unicode version, font, locale and settings: even `é`, `я` and
    /// `…` take two columns where ambiguous characters are wide.
    var isCertain: Bool { count == 1 }
  }

  /// Adjacent clusters whose width may differ between terminals, with the spaces after them.
  struct UncertainSpan: Equatable {
    /// The columns of the clusters as measured.
    let clusters: Range<Int>
    /// The column at which text that is drawn too wide is cut off. It is after the spaces that follow in the same cell
    /// of the line, so that the error stays within the cell.
    let end: Int
    /// The maximum end of the clusters on any terminal: two columns per scalar.
    let reach: Int
  }

  private(set) var text: [UInt8] = [ASCII.space]
  private(set) var cellStyles = [CellStyle.plain]
  private(set) var cells: [Cell] = []
  private(set) var uncertainSpans: [UncertainSpan] = []
  let columns: Int
  /// The columns at which a cell of the line ends, ascending.
  private var boundaries: [Int] = []

  /// Clips at `columns`; a cluster that does not fit is replaced with spaces, never split.
  init(_ line: Line, columns: Int, _ model: WidthModel) {
    self.columns = columns
    for piece in line.pieces {
      switch piece {
      case .text(let text, let style, let link): append(text, CellStyle(style: style, link: link), model)
      case .column(let column, let style):
        advance(to: min(column, columns), CellStyle(style: style, link: nil))
      }
    }
    while cells.last?.isBlank == true { cells.removeLast() }
    findUncertainSpans()
  }

  subscript(column: Int) -> Cell { column < cells.count ? cells[column] : .blank }

  func bytes(of cell: Cell) -> ArraySlice<UInt8> { text[cell.start..<cell.start + cell.count] }

  /// Whether both rows have the same content at a column.
  func agrees(with other: Row, at column: Int) -> Bool {
    let (mine, theirs) = (self[column], other[column])
    return mine.count == theirs.count && text[mine.start] == other.text[theirs.start]
      && (mine.count < 2 || bytes(of: mine) == other.bytes(of: theirs))
      && (mine.cellStyle == 0 && theirs.cellStyle == 0
        || cellStyles[mine.cellStyle] == other.cellStyles[theirs.cellStyle])
  }

  /// Whether nothing is visible in the columns, however wide the terminal draws the text before them.
  func isBlank(in columns: Range<Int>) -> Bool {
    columns.clamped(to: cells.indices).allSatisfy { cells[$0].isBlank }
      && !uncertainSpans.contains {
        $0.end > columns.lowerBound && $0.clusters.lowerBound < columns.upperBound
      }
  }

  /// The text without trailing spaces.
  var plainText: String { String(decoding: cells.flatMap(bytes), as: UTF8.self) }
}

// MARK: Layout

extension Row {
  private mutating func append(_ text: Sanitized, _ cellStyle: CellStyle, _ model: WidthModel) {
    let utf8 = text.string.utf8Span.span
    let cellStyle = (inked: index(of: cellStyle), blank: index(ofBlank: cellStyle))
    for cluster in text.clusters(model) {
      guard cells.count + cluster.width <= columns else { return pad(to: columns, cellStyle.blank) }
      if cluster.utf8.count == 1, utf8[cluster.utf8.lowerBound] == ASCII.space {
        cells.append(Cell(start: 0, count: 1, cellStyle: cellStyle.blank))
        continue
      }
      cells.append(Cell(start: self.text.count, count: cluster.utf8.count, cellStyle: cellStyle.inked))
      for offset in cluster.utf8 { self.text.append(utf8[offset]) }
      for _ in 1..<max(1, cluster.width) {
        cells.append(Cell(start: 0, count: 0, cellStyle: cellStyle.inked))
      }
    }
  }

  private mutating func advance(to column: Int, _ cellStyle: CellStyle) {
    let cellStyle = index(ofBlank: cellStyle)
    if column < cells.count { cut(at: column, cellStyle) }
    pad(to: column, cellStyle)
    // No column follows the last one; a terminal would clamp the move to the last column.
    if column < columns { boundaries.append(column) }
  }

  private mutating func cut(at column: Int, _ cellStyle: Int) {
    let splitsCluster = cells[column].count == 0
    cells.removeSubrange(column...)
    if splitsCluster {
      while cells.last?.count == 0 { cells.removeLast() }
      cells.removeLast()
    }
    boundaries.removeAll { $0 > column }
    pad(to: column, cellStyle)
  }

  private mutating func pad(to column: Int, _ cellStyle: Int) {
    let blank = Cell(start: 0, count: 1, cellStyle: cellStyle)
    if column > cells.count {
      cells.append(contentsOf: repeatElement(blank, count: column - cells.count))
    }
  }

  /// A space is plain unless its style is visible without a glyph.
  private mutating func index(ofBlank cellStyle: CellStyle) -> Int {
    index(of: cellStyle.style.showsOnBlanks ? cellStyle : CellStyle(style: .plain, link: cellStyle.link))
  }

  private mutating func index(of cellStyle: CellStyle) -> Int {
    if let index = cellStyles.lastIndex(of: cellStyle) { return index }
    cellStyles.append(cellStyle)
    return cellStyles.count - 1
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

/// The differences between two rows.
extension Row {
  enum Change: Equatable {
    /// Each column is drawn over the old one, to the row's last column if the rest is blank.
    case cells(Range<Int>)
    /// The columns are erased and drawn, because their old content would show through, or is at unknown
    /// positions.
    case span(Range<Int>)

    var end: Int {
      switch self {
      case .cells(let columns), .span(let columns): columns.upperBound
      }
    }
  }

  /// The longest run of unchanged columns that is cheaper to write again than to skip: about the length of a
  /// cursor move.
  private static let bridgeableGap = 7

  /// The changes that turn `old` into this row, from left to right. All other columns already look as if the
  /// row had been drawn on a blank one, however wide the terminal draws non-ASCII text.
  func changes(from old: Row) -> [Change] {
    var changes: [Change] = []
    var zones = Row.zones(of: self, over: old)[...]
    var column = 0
    /// Whether unchanged columns since the last change may be written again.
    var canBridge = false
    while column < max(cells.count, old.cells.count) {
      let zone = zones.first.flatMap { $0.lowerBound == column ? $0 : nil }
      let next = zone?.upperBound ?? column + 1
      defer {
        if zone != nil { zones.removeFirst() }
        column = next
      }
      if let zone, differs(from: old, in: zone) {
        let zone = zone.lowerBound..<(zone.upperBound < cells.count ? zone.upperBound : columns)
        changes.append(canBeDrawnOver(old, in: zone) ? .cells(zone) : .span(zone))
      } else if zone == nil, !agrees(with: old, at: column) {
        let end = column < cells.count ? next : columns
        if canBridge, case .cells(let last)? = changes.last, column - last.upperBound <= Row.bridgeableGap {
          changes[changes.count - 1] = .cells(last.lowerBound..<end)
        } else {
          changes.append(.cells(column..<end))
        }
        canBridge = true
      }
      if zone != nil { canBridge = false }
      if changes.last?.end == columns { break }
    }
    return changes
  }

  private func differs(from old: Row, in zone: Range<Int>) -> Bool {
    zone.contains { !agrees(with: old, at: $0) } || spans(in: zone) != old.spans(in: zone)
  }

  private func spans(in zone: Range<Int>) -> ArraySlice<UncertainSpan> {
    uncertainSpans.drop { !zone.contains($0.clusters.lowerBound) }
      .prefix { zone.contains($0.clusters.lowerBound) }
  }

  /// Whether a zone needs no erasing: it is certain now and every column is written, or its only uncertain
  /// span is unchanged.
  private func canBeDrawnOver(_ old: Row, in zone: Range<Int>) -> Bool {
    let spans = spans(in: zone)
    guard let span = spans.first else {
      return zone.upperBound == columns
        || zone.count(where: { self[$0].isBlank }) <= Row.bridgeableGap
    }
    return spans.count == 1 && old.uncertainSpans.contains(span)
      && span.clusters.allSatisfy { agrees(with: old, at: $0) }
      && zone.allSatisfy { (span.clusters.lowerBound..<span.end).contains($0) || !self[$0].isBlank }
  }

  /// The zones that uncertain clusters of either row may touch, ascending; overlapping ones are joined. They start and
  /// end next to columns that are certain in both rows. A cluster to which the terminal gives no column joins the one
  /// before it. One that is too wide is cut at the span's end, as it was in the old row.
  private static func zones(of new: Row, over old: Row) -> [Range<Int>] {
    let touched =
      new.uncertainSpans.map { $0.clusters.lowerBound..<min(new.columns, max($0.end, $0.reach)) }
      + old.uncertainSpans.map { $0.clusters.lowerBound..<$0.end }
    var zones: [Range<Int>] = []
    for range in touched.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = max(0, range.lowerBound - 1)
      if let last = zones.last, start < last.upperBound {
        zones[zones.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        zones.append(start..<range.upperBound)
      }
    }
    return zones
  }
}
