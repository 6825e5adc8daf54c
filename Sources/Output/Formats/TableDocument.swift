import JSON
import Search
import Text

/// Writes a table in any style: titles and formatted values, in columns as wide as those of the first page.
///
/// On a terminal the columns share its width, and a wider cell is truncated with `…` if its row would exceed
/// the terminal; in a pipe nothing is truncated.
struct TableDocument<Style: TableStyle>: DocumentWriter {
  /// Cells are padded up to this many terminal columns, so that one long cell does not lengthen every row.
  private static var maxPadding: Int { 2_048 }

  let outputOptions: OutputOptions
  /// The columns; empty until they are known.
  private var columns: [TableColumn] = []
  private var hasRows = false

  init(outputOptions: OutputOptions) { self.outputOptions = outputOptions }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    columns = zip(outputOptions.columns, widths(for: preview)).filter { $1 > 0 }.map(TableColumn.init)
    output += (columns.isEmpty ? Style.look.withoutColumns : Style.opening(titles, columns)).utf8
  }

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    guard !columns.isEmpty, !rows.nodes.isEmpty else { return }
    let block = Style.block(rows.nodes, widths: columns.map(\.width), isFirst: !hasRows) { [self] node in
      fitted(columns.map { cell(of: $0.column, at: node, in: rows) })
    }
    output += block.utf8
    hasRows = true
  }

  func end(into output: inout [UInt8]) {
    if !columns.isEmpty { output += Style.closing(columns, hasRows: hasRows).utf8 }
  }

  /// The cells of the heading; none if there is no heading.
  private var titles: [String] {
    guard outputOptions.hasHeader else { return [] }
    let titles = columns.map { Style.cell(title(of: $0.column), in: $0, isCut: room != nil) }
    return Style.look.hasStyledTitles ? TableLook.trimmed(titles).map(outputOptions.heading) : titles
  }

  /// The width of each column of the document; 0 if it does not fit.
  private func widths(for pages: [OutputRows]) -> [Int] {
    var widths = outputOptions.columns.map {
      max(Style.look.minWidth, outputOptions.hasHeader ? width(title(of: $0)) : 0)
    }
    for rows in pages {
      for node in rows.nodes {
        for (index, column) in outputOptions.columns.enumerated() {
          widths[index] = max(widths[index], width(cell(of: column, at: node, in: rows)))
        }
      }
    }
    guard let room else { return widths }
    let columns = zip(outputOptions.columns, widths).map { column, width in
      guard case .column(let own) = column.content else { return ColumnLayout.Column(content: width) }
      return ColumnLayout.Column(
        content: width, width: own.width, priority: own.priority, whole: own.canBeCut ? 0 : width)
    }
    return ColumnLayout(columns, available: room, gap: Style.look.gap.count).widths
  }

  /// The part of a terminal's width for the columns and the gaps between them; nil if nothing is truncated.
  private var room: Int? {
    guard outputOptions.isTerminal, Style.look.isCut, let available = outputOptions.width else { return nil }
    return max(1, available - Style.look.edges)
  }

  /// The cells of a row, fitted to their columns: a wider cell is truncated only if the row would not fit.
  private func fitted(_ cells: [String]) -> [String] {
    let isCut =
      room.map { room in
        let widths = zip(cells, columns).map { max(width($0), $1.width) }
        return room < widths.reduce(Style.look.gap.count * (columns.count - 1), +)
      } ?? false
    return zip(cells, columns).map { Style.cell($0, in: $1, isCut: isCut) }
  }

  private func cell(of column: OutputColumn, at node: JSONNode, in rows: OutputRows) -> String {
    Style.look.escaped(column.rendered(at: node, in: rows, on: outputOptions))
  }

  private func title(of column: OutputColumn) -> String {
    Style.look.escaped(outputOptions.shown(column.title))
  }

  private func width(_ text: String) -> Int {
    min(Sanitized(text).width(.clusters), Self.maxPadding)
  }
}

/// A column of a table whose width is determined.
struct TableColumn: Sendable {
  let column: OutputColumn
  /// The width in terminal columns.
  let width: Int

  var alignment: Alignment { column.alignment }

  private var canBeCut: Bool {
    if case .column(let column) = column.content { column.canBeCut } else { true }
  }

  /// The text padded to the width of the column.
  ///
  /// - Parameter isCut: Whether a wider text is truncated with `…`, and a wider number replaced by it; otherwise it
  ///   moves the cells after it.
  func fitted(_ text: String, isCut: Bool) -> String {
    let safe = Sanitized(text)
    guard !isCut else { return safe.fitted(to: width, alignment, canBeCut: canBeCut, .clusters).string }
    let blanks = max(0, width - safe.width(.clusters))
    let before =
      switch alignment {
      case .leading: 0
      case .center: blanks / 2
      case .trailing: blanks
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: blanks - before)
  }
}
