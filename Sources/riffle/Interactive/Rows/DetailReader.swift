import HTTPTransport
import Pager
import Search
import Text

/// Reads one row for the detail popup: from the archive, or in full from its service if the source declares a
/// detail request.
struct DetailReader: Sendable {
  let source: Source
  let reader: RowReader
  let loader: PageLoader
  let columns: RunColumns
  let context: @Sendable () -> FormatContext

  /// The maximum number of JSON lines rendered.
  private static let mostLines = 20_000
  /// The maximum number of fields shown in addition to the source's, and of characters in each.
  private static let mostOthers = (fields: 500, characters: 4_096)

  func content(of reference: RowReference, _ part: RowReadingRequest.Part) async -> RowDetail.Content {
    do {
      let kept = try reader.row(reference)
      if part == .row { return content(of: kept) }
      let query = Query("", options: kept.reply.options)
      // A row without a detail address is complete.
      return content(of: try await loader.detail(of: kept, query: query).get() ?? kept)
    } catch let error as PageError {
      return .failed(error.fullMessage)
    } catch {
      return .failed("\(error)")
    }
  }

  private func content(of rows: DocumentRows) -> RowDetail.Content {
    guard let row = rows.nodes.first else { return .read(fields: [], body: nil, json: []) }
    let chosen = source.detail.fields
    let shown = chosen.isEmpty ? columns.columns(for: rows).filter { !$0.isHidden } : chosen
    var fields = shown.map { column in
      RowDetail.Field(title: column.title, text: text(of: column, in: rows, at: row))
    }
    if let link = source.rows.link.flatMap({ rows.reply.link($0, at: row) }) {
      fields.append(RowDetail.Field(title: "Link", text: link))
    }
    let told = shown.map(\.value) + [source.rows.link, source.detail.body?.value].compactMap(\.self)
    return .read(
      fields: fields.filter { !$0.text.isEmpty },
      others: rows.reply.members(of: row, except: told, limit: Self.mostOthers).map {
        RowDetail.Field(title: $0.path, text: $0.text)
      },
      body: source.detail.body.map { text(of: $0, in: rows, at: row) },
      json: rows.reply.document.indentedLines(of: row, limit: Self.mostLines))
  }

  /// The formatted value, followed by the exact value if formatting loses information.
  private func text(of column: Column, in rows: DocumentRows, at row: JSONNode) -> String {
    var context = context()
    context.separator = column.separator
    let value = rows.reply.cell(column, at: row)
    let rendered = column.format.display(value, context)
    let exact = column.format.machineValue(value).text(separator: column.separator)
    let isShort = column.format.alignment == .trailing || !column.format.isExact
    return isShort && exact != rendered && !exact.isEmpty ? "\(rendered) (\(exact))" : rendered
  }
}
