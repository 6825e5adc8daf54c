import Algorithms
internal import Text

/// A line laid out in columns. Columns from `characters.count` on are plain spaces.
final class Row: Sendable {
  struct CellStyle: Equatable, Sendable {
    static let plain = CellStyle(style: .plain, link: nil)

    let style: Style
    let link: Link?
  }

  /// The content of one column. A cluster of width n is a cell followed by n − 1 cells of `restOfCluster`, so equal
  /// cells at the same column of two rows imply that the cluster's other columns are equal, too.
  struct Cell {
    static let blank = Cell(character: ASCII.space, cellStyle: 0)

    /// An ASCII character; `cluster` where any other cluster begins, and `restOfCluster` in its other columns.
    let character: UInt8
    /// An index into the row's `cellStyles`.
    let cellStyle: Int

    static let cluster: UInt8 = 0x80
    static let restOfCluster: UInt8 = 0x81

    var isSpace: Bool { character == ASCII.space }
    /// Whether nothing is visible.
    var isBlank: Bool { isSpace && cellStyle == 0 }
    /// Whether every terminal draws it one column wide, which is only certain for ASCII. The width of
    /// anything else depends on the terminal's Unicode version, font, locale and settings: even `é`, `я` and
    /// `…` take two columns where ambiguous characters are wide.
    var isCertain: Bool { character < Self.cluster }
  }

  /// Adjacent clusters whose width may differ between terminals, with the spaces after them.
  struct UncertainSpan: Equatable, Sendable {
    /// The columns of the clusters as measured.
    let clusters: Range<Int>
    /// Where text that is drawn too wide is cut off: after the spaces that follow in the same cell of the
    /// line, so that the error stays within the cell.
    let end: Int
    /// The column that no terminal draws the clusters beyond: none gives a scalar more than two columns.
    let reach: Int
  }

  let columns: Int
  /// For each column, as in `Cell`. Apart from the styles, since a row is mostly drawn and compared as text.
  let characters: [UInt8]
  private let styles: [Int32]
  let cellStyles: [CellStyle]
  let uncertainSpans: [UncertainSpan]
  /// The clusters that are not ASCII, by their column, ascending; their bytes are in `text`.
  private let clusters: [(column: Int, utf8: Range<Int>)]
  private let text: [UInt8]

  /// Clips at `columns`; a cluster that does not fit is replaced with spaces, never split.
  init(_ line: Line, columns: Int, _ model: WidthModel) {
    var layout = RowLayout(line, columns: columns, model)
    self.columns = columns
    layout.dropBlanks()
    characters = layout.characters
    styles = layout.styles
    cellStyles = layout.cellStyles
    clusters = layout.clusters
    text = layout.text
    uncertainSpans = layout.uncertainSpans
  }

  subscript(column: Int) -> Cell {
    column < characters.count
      ? Cell(character: characters[column], cellStyle: Int(styles[column])) : .blank
  }

  /// The bytes of the cell at a column; none in the columns of a wide cluster after its first. O(log clusters).
  func bytes(at column: Int) -> ArraySlice<UInt8> {
    guard column < characters.count else { return [ASCII.space] }
    switch characters[column] {
    case Cell.cluster: return text[clusters[clusters.partitioningIndex { $0.column >= column }].utf8]
    case Cell.restOfCluster: return []
    default: return characters[column...column]
    }
  }

  /// The columns from the one of a cluster that is not ASCII, of it and the clusters after it in its style.
  func clusters(like column: Int, until end: Int) -> Range<Int> {
    let style = styles[column]
    var next = column + 1
    while next < end, styles[next] == style { next += 1 }
    return column..<next
  }

  /// The bytes of adjacent clusters, none of which is ASCII. O(log clusters).
  func bytes(ofClustersIn columns: Range<Int>) -> ArraySlice<UInt8> {
    let first = clusters.partitioningIndex { $0.column >= columns.lowerBound }
    let end = clusters.partitioningIndex { $0.column >= columns.upperBound }
    return first < end ? text[clusters[first].utf8.lowerBound..<clusters[end - 1].utf8.upperBound] : []
  }

  /// The columns after `column` whose cells are ASCII in its style.
  /// - Parameter gaps: The numbers of blanks that the columns may include between others; nil if any.
  func columns(like column: Int, until end: Int, over gaps: ClosedRange<Int>?) -> Range<Int> {
    let style = styles[column]
    func isAlike(_ column: Int) -> Bool {
      column < end && characters[column] < Cell.cluster && styles[column] == style
    }
    var next = column + 1
    while isAlike(next) {
      if let gaps, self[next].isBlank {
        var gap = 1
        while isAlike(next + gap), self[next + gap].isBlank, gaps.contains(gap) { gap += 1 }
        guard gaps.contains(gap), isAlike(next + gap) else { break }
        next += gap
      }
      next += 1
    }
    return column + 1..<next
  }

  /// Whether nothing is visible in the columns, however wide the terminal draws the text before them.
  func isBlank(in columns: Range<Int>) -> Bool {
    columns.clamped(to: characters.indices).allSatisfy { self[$0].isBlank }
      && !uncertainSpans.contains {
        $0.end > columns.lowerBound && $0.clusters.lowerBound < columns.upperBound
      }
  }

  /// The text without trailing spaces.
  var plainText: String { String(decoding: characters.indices.flatMap(bytes), as: UTF8.self) }
}

/// The columns of a row while its line is laid out. Those from `width` on are blank.
private struct RowLayout {
  private let columns: Int
  private(set) var width = 0
  private(set) var characters: [UInt8]
  private(set) var styles: [Int32]
  private(set) var cellStyles = [Row.CellStyle.plain]
  private(set) var clusters: [(column: Int, utf8: Range<Int>)] = []
  private(set) var text: [UInt8] = []
  /// The columns at which a cell of the line ends, ascending.
  private var boundaries: [Int] = []

  init(_ line: Line, columns: Int, _ model: WidthModel) {
    self.columns = columns
    characters = Array(repeating: ASCII.space, count: columns)
    styles = Array(repeating: 0, count: columns)
    boundaries.reserveCapacity(line.pieces.count)
    for piece in line.pieces {
      switch piece {
      case .text(let text, let style, let link): append(text, style, link, model)
      case .column(let column, let style): advance(to: min(column, columns), style)
      }
    }
  }

  /// Drops the columns after the last one that is not blank.
  mutating func dropBlanks() {
    while width > 0, isBlank(width - 1) { width -= 1 }
    characters.removeLast(columns - width)
    styles.removeLast(columns - width)
  }

  private func isBlank(_ column: Int) -> Bool { characters[column] == ASCII.space && styles[column] == 0 }

  private mutating func append(_ text: Sanitized, _ style: Style, _ link: Link?, _ model: WidthModel) {
    let utf8 = text.string.utf8Span.span
    let inked = index(of: style, link)
    let blank = style.showsOnBlanks ? inked : index(of: .plain, link)
    var offset = 0
    while offset < utf8.count {
      var ascii = utf8.asciiClusters(from: offset, atMost: columns - width)
      if ascii.isEmpty {
        let cluster = utf8.cluster(at: offset, model)
        guard width + cluster.width <= columns else { return pad(to: columns, blank) }
        if cluster.utf8.count > 1 {
          append(utf8.extracting(cluster.utf8), width: cluster.width, inked)
          offset = cluster.utf8.upperBound
          continue
        }
        ascii = cluster.utf8
      }
      append(utf8.extracting(ascii), inked: inked, blank: blank)
      offset = ascii.upperBound
    }
  }

  /// Appends ASCII, of which every byte takes a column.
  private mutating func append(_ ascii: Span<UInt8>, inked: Int32, blank: Int32) {
    let start = width
    width += ascii.count
    do {
      var characters = characters.mutableSpan
      for offset in ascii.indices { characters[start + offset] = ascii[offset] }
    }
    guard inked != 0 || blank != 0 else { return }
    var styles = styles.mutableSpan
    for offset in ascii.indices { styles[start + offset] = ascii[offset] == ASCII.space ? blank : inked }
  }

  private mutating func append(_ cluster: Span<UInt8>, width count: Int, _ style: Int32) {
    if clusters.isEmpty {
      clusters.reserveCapacity(16)
      text.reserveCapacity(64)
    }
    clusters.append((width, text.count..<text.count + cluster.count))
    cluster.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    for column in width..<width + max(1, count) {
      characters[column] = column == width ? Row.Cell.cluster : Row.Cell.restOfCluster
      styles[column] = style
    }
    width += max(1, count)
  }

  private mutating func advance(to column: Int, _ style: Style) {
    let style = style.showsOnBlanks ? index(of: style, nil) : 0
    if column < width { cut(at: column) }
    pad(to: column, style)
    // There is no column after the last one: a terminal would clamp the move to the last column.
    if column < columns { boundaries.append(column) }
  }

  private mutating func cut(at column: Int) {
    var start = column
    if characters[column] == Row.Cell.restOfCluster {
      repeat { start -= 1 } while characters[start] == Row.Cell.restOfCluster
    }
    for column in start..<width {
      characters[column] = ASCII.space
      styles[column] = 0
    }
    width = start
    clusters.removeAll { $0.column >= start }
    text.removeLast(text.count - (clusters.last?.utf8.upperBound ?? 0))
    boundaries.removeAll { $0 > column }
  }

  private mutating func pad(to column: Int, _ style: Int32) {
    guard column > width else { return }
    if style != 0 { for column in width..<column { styles[column] = style } }
    width = column
  }

  private mutating func index(of style: Style, _ link: Link?) -> Int32 {
    if let index = cellStyles.lastIndex(where: { $0.style == style && $0.link == link }) {
      return Int32(index)
    }
    cellStyles.append(Row.CellStyle(style: style, link: link))
    return Int32(cellStyles.count - 1)
  }

  var uncertainSpans: [Row.UncertainSpan] {
    var spans: [Row.UncertainSpan] = []
    var nextBoundary = 0
    var next = 0
    while next < clusters.count {
      let start = clusters[next].column
      while nextBoundary < boundaries.count, boundaries[nextBoundary] <= start { nextBoundary += 1 }
      let boundary = nextBoundary < boundaries.count ? boundaries[nextBoundary] : columns
      var scalars = 0
      var column = start
      while next < clusters.count, clusters[next].column == column, column < boundary {
        for byte in text[clusters[next].utf8] where byte & 0xC0 != 0x80 { scalars += 1 }
        repeat { column += 1 } while column < width && characters[column] == Row.Cell.restOfCluster
        next += 1
      }
      let end = column
      while column < width, isBlank(column) { column += 1 }
      spans.append(
        Row.UncertainSpan(
          clusters: start..<end, end: min(column == width ? columns : column, boundary),
          reach: start + 2 * scalars))
    }
    return spans
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
  }

  /// The changes that turn `old` into this row, from left to right. All other columns already look as if the
  /// row had been drawn on a blank one, however wide the terminal draws non-ASCII text.
  func changes(from old: Row) -> [Change] { RowDifference(new: self, old: old).changes }
}

/// A row and the one that it is drawn over, compared column by column.
private struct RowDifference {
  let new: Row
  let old: Row
  /// Whether a style of `new` equals one of `old`, for each pair, so that styles are not compared for each column.
  private let equalStyles: [Bool]

  init(new: Row, old: Row) {
    self.new = new
    self.old = old
    equalStyles = new.cellStyles.flatMap { style in old.cellStyles.map { $0 == style } }
  }

  /// The longest run of unchanged columns that is cheaper to write again than to skip: about the length of a
  /// cursor move.
  private static let bridgeableGap = 7

  var changes: [Row.Change] {
    var changes: [Row.Change] = []
    var zones = zones[...]
    changes.reserveCapacity(2 * zones.count + 1)
    var column = 0
    /// The last change, while what follows may continue it.
    var open: Range<Int>?
    let end = max(new.characters.count, old.characters.count)
    func close() {
      if let open { changes.append(.cells(open)) }
      open = nil
    }
    while column < end {
      if let zone = zones.first, zone.lowerBound == column {
        zones.removeFirst()
        column = zone.upperBound
        close()
        guard differs(in: zone) else { continue }
        let reach = zone.lowerBound..<(zone.upperBound < new.characters.count ? zone.upperBound : new.columns)
        changes.append(canBeDrawnOver(in: reach) ? .cells(reach) : .span(reach))
        if reach.upperBound == new.columns { break }
      } else if agrees(at: column) {
        column += 1
      } else {
        let next = column < new.characters.count ? column + 1 : new.columns
        if let last = open, column - last.upperBound <= Self.bridgeableGap {
          open = last.lowerBound..<next
        } else {
          close()
          open = column..<next
        }
        if next == new.columns { break }
        column += 1
      }
    }
    close()
    return changes
  }

  /// Whether both rows have the same content at a column.
  private func agrees(at column: Int) -> Bool {
    let (mine, theirs) = (new[column], old[column])
    return mine.character == theirs.character
      && equalStyles[mine.cellStyle * old.cellStyles.count + theirs.cellStyle]
      && (mine.character != Row.Cell.cluster || new.bytes(at: column) == old.bytes(at: column))
  }

  private func differs(in zone: Range<Int>) -> Bool {
    zone.contains { !agrees(at: $0) } || new.uncertainSpans(in: zone) != old.uncertainSpans(in: zone)
  }

  /// Whether a zone needs no erasing: it is certain now and every column is written, or its only uncertain
  /// span is unchanged.
  private func canBeDrawnOver(in zone: Range<Int>) -> Bool {
    let spans = new.uncertainSpans(in: zone)
    guard let span = spans.first else {
      return zone.upperBound == new.columns
        || zone.count(where: { new[$0].isBlank }) <= Self.bridgeableGap
    }
    return spans.count == 1 && old.uncertainSpans.contains(span)
      && span.clusters.allSatisfy { agrees(at: $0) }
      && zone.allSatisfy { (span.clusters.lowerBound..<span.end).contains($0) || !new[$0].isBlank }
  }

  /// The zones that uncertain clusters of either row may touch, ascending; overlapping ones are joined. They
  /// start and end next to columns that are certain in both rows. A cluster that the terminal gives no column
  /// joins the one before it. One that is too wide is cut at the span's end, as it was in the old row.
  private var zones: [Range<Int>] {
    let touched =
      new.uncertainSpans.map { $0.clusters.lowerBound..<min(new.columns, max($0.end, $0.reach)) }
      + old.uncertainSpans.map { $0.clusters.lowerBound..<$0.end }
    var zones: [Range<Int>] = []
    zones.reserveCapacity(touched.count)
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

extension Row {
  fileprivate func uncertainSpans(in columns: Range<Int>) -> ArraySlice<UncertainSpan> {
    uncertainSpans.drop { !columns.contains($0.clusters.lowerBound) }
      .prefix { columns.contains($0.clusters.lowerBound) }
  }
}
