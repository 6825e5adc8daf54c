import JSON
import Search
import Text

/// A table for display: titles and formatted values, in columns as wide as those of the first page.
///
/// On a terminal the columns share its width, and a wider cell is truncated with `…` if its row would exceed
/// the terminal; in a pipe nothing is truncated.
struct TableDocument: DocumentWriter {
  /// Cells are padded up to this many terminal columns, so that one long cell does not lengthen every row.
  private static let mostPadding = 2_048

  let outputOptions: OutputOptions
  let style: TableStyle
  /// Empty while no column is known.
  var columns: [TableColumn] = []

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    columns = zip(outputOptions.columns, widths(for: preview)).filter { $1 > 0 }.map(TableColumn.init)
    append(rule: style.rules.top, to: &output)
    guard outputOptions.hasHeader, !columns.isEmpty else { return }
    output += style.line(columns.map { $0.fitted(title(of: $0.column), isCut: room != nil) }).utf8
    append(rule: style.rules.heading, to: &output)
    if style.hasDelimiterRow { output += style.line(columns.map(\.ruler)).utf8 }
  }

  func append(_ rows: OutputRows, into output: inout [UInt8]) {
    guard !columns.isEmpty else { return }
    for node in rows.nodes {
      output += style.line(fitted(columns.map { cell(of: $0.column, at: node, in: rows) })).utf8
      append(rule: style.rules.row, to: &output)
    }
  }

  func end(into output: inout [UInt8]) { append(rule: style.rules.bottom, to: &output) }

  private func append(rule stroke: String?, to output: inout [UInt8]) {
    if !columns.isEmpty { output += style.rule(stroke, columns.map(\.width)).utf8 }
  }

  /// The width of each column of the document; 0 if it does not fit.
  private func widths(for pages: [OutputRows]) -> [Int] {
    var widths = outputOptions.columns.map {
      max(style.leastWidth, outputOptions.hasHeader ? width(title(of: $0)) : 0)
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
      return ColumnLayout.Column(content: width, width: own.width, priority: own.priority)
    }
    return ColumnLayout(columns, available: room, gap: style.gap.count).widths
  }

  /// The part of a terminal's width for the columns and the gaps between them; nil if nothing is truncated.
  private var room: Int? {
    guard outputOptions.isTerminal, style.isCut, let available = outputOptions.width else { return nil }
    return max(1, available - style.edges)
  }

  /// The cells of a row, fitted to their columns: a wider cell is truncated only if the row would not fit.
  private func fitted(_ cells: [String]) -> [String] {
    let widths = zip(cells, columns).map { max(width($0), $1.width) }
    let isCut = room.map { $0 < widths.reduce(style.gap.count * (columns.count - 1), +) } ?? false
    return zip(cells, columns).map { $1.fitted($0, isCut: isCut) }
  }

  private func cell(of column: OutputColumn, at node: JSONNode, in rows: OutputRows) -> String {
    style.escaped(column.rendered(at: node, in: rows, on: outputOptions))
  }

  private func title(of column: OutputColumn) -> String { style.escaped(outputOptions.shown(column.title)) }

  private func width(_ text: String) -> Int {
    min(Sanitized(text).width(.clusters), Self.mostPadding)
  }
}

/// A column of a table whose width is determined.
struct TableColumn: Sendable {
  let column: OutputColumn
  /// In terminal columns.
  let width: Int

  /// The text padded to the width of the column.
  ///
  /// - Parameter isCut: Whether a wider text is truncated with `…`; otherwise it moves the cells after it.
  func fitted(_ text: String, isCut: Bool) -> String {
    let safe = Sanitized(text)
    guard !isCut else { return safe.fitted(to: width, column.alignment, .clusters).string }
    let blanks = max(0, width - safe.width(.clusters))
    let before =
      switch column.alignment {
      case .leading: 0
      case .center: blanks / 2
      case .trailing: blanks
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: blanks - before)
  }

  /// The delimiter of the column in Markdown, as wide as the column: `---`, `--:`, or `:-:` by its alignment.
  var ruler: String {
    switch column.alignment {
    case .leading: String(repeating: "-", count: width)
    case .trailing: String(repeating: "-", count: max(1, width - 1)) + ":"
    case .center: ":" + String(repeating: "-", count: max(1, width - 2)) + ":"
    }
  }
}
