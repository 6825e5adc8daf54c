import Glibc
import JSON
import Locking
import Output
import Pager
import Search
import Text

/// Reads the original rows of the list from the archive.
struct RowReader: Sendable {
  let archive: RowArchive

  struct ReadError: Error, CustomStringConvertible {
    let description =
      "cannot read the row's JSON: no space for a temporary file. Set TMPDIR to another directory"
  }

  func row(_ reference: RowReference) throws(ReadError) -> DocumentRows {
    guard let rows = rows([reference.row], of: reference.content) else { throw ReadError() }
    return rows
  }

  /// Passes rows to `body` in list order, grouping consecutive rows of the same page. Only one group is in
  /// memory at a time.
  func forEachPage(of selection: RowSelection, _ body: (OutputRows) throws -> Void) throws {
    var numbers = selection.numbers[...]
    while let first = numbers.first, let (block, _) = selection.rows.locate(first) {
      let run = numbers.prefix { block.start..<block.end ~= $0 }.prefix(1_000)
      numbers = numbers.dropFirst(run.count)
      let places = run.map { Int(block.kept[$0 - block.start]) }
      guard let content = block.content, let rows = rows(places, of: content) else { throw ReadError() }
      try body(OutputRows(rows, arrivedAt: block.arrivedAt, pageNumber: block.position.ordinal + 1))
    }
  }

  /// The maximum number of rows that are counted, and of the bytes read for it, besides one row of each page.
  private static let maxCounted = (rows: 1_000, bytes: 16 << 20)

  /// The fields of rows from all pages, evenly spread.
  func fields(of rows: RowStore) -> FieldCensus {
    var census = FieldCensus()
    let step = max(1, (rows.count + Self.maxCounted.rows - 1) / Self.maxCounted.rows)
    var bytes = 0
    for block in rows.blocks {
      let first = (block.start + step - 1) / step * step
      let all = stride(from: first, to: block.end, by: step).map { Int(block.kept[$0 - block.start]) }
      let places =
        all.prefix(1)
        + all.dropFirst().prefix { place in
          bytes += size(of: place, in: block.content)
          return bytes < Self.maxCounted.bytes
        }
      guard !places.isEmpty, let content = block.content, let rows = self.rows(Array(places), of: content)
      else {
        continue
      }
      census.add(rows)
    }
    return census
  }

  private func size(of row: Int, in content: PageContent?) -> Int {
    if case .cells(let cells)? = content { cells.archived?.size(of: row) ?? 0 } else { 0 }
  }

  /// All rows of a page; nil if they cannot be read.
  func rows(of page: CellTable) -> DocumentRows? {
    page.archived.flatMap { archive.rows(Array(0..<page.rowCount), of: $0) }
  }

  private func rows(_ places: [Int], of content: PageContent) -> DocumentRows? {
    switch content {
    case .cells(let cells): cells.archived.flatMap { archive.rows(places, of: $0) }
    case .document(let rows): DocumentRows(response: rows.response, nodes: places.map { rows.nodes[$0] })
    case .parents: nil
    }
  }
}

/// Reads one row for the detail popup: from the archive, or in full from its service if the source declares a
/// detail request.
struct DetailReader: Sendable {
  let source: Source
  let reader: RowReader
  let loader: PageLoader
  let columns: RunColumns
  let context: @Sendable () -> FormatContext

  private static let maxLines = 1_000_000
  /// The maximum number of fields shown in addition to the source's, and of characters in each.
  private static let maxOthers = (fields: 500, characters: 4_096)

  func content(of reference: RowReference, _ part: RowReadingRequest.Part) async -> RowDetail.Content {
    if part == .row { return content(of: reference) }
    do {
      let kept = try reader.row(reference)
      let query = Query("", options: kept.response.options)
      // A row without a detail address is complete.
      return content(of: try await loader.detail(of: kept, query: query).get() ?? kept)
    } catch let error as PageError {
      return .failed(error.fullMessage)
    } catch {
      return .failed("\(error)")
    }
  }

  /// The row as it is in the archive.
  func content(of reference: RowReference) -> RowDetail.Content {
    do { return content(of: try reader.row(reference)) } catch { return .failed("\(error)") }
  }

  private func content(of rows: DocumentRows) -> RowDetail.Content {
    guard let row = rows.nodes.first else { return .read(fields: [], body: nil, json: []) }
    let chosen = source.detail.fields
    let shown = chosen.isEmpty ? columns.columns(for: rows).filter { !$0.isHidden } : chosen
    var fields = shown.map { column in
      RowDetail.Field(
        title: column.title, text: text(of: column, in: rows, at: row), path: column.value.onlyPath)
    }
    if let link = source.rows.link.flatMap({ rows.response.link($0, at: row) }) {
      fields.append(RowDetail.Field(title: "Link", text: link))
    }
    let told = shown.map(\.value) + [source.rows.link, source.detail.body?.value].compactMap(\.self)
    let lines = rows.response.document.indentedLines(of: row, limit: Self.maxLines)
    return .read(
      fields: fields.filter { !$0.text.isEmpty },
      others: rows.response.members(of: row, except: told, limit: Self.maxOthers).map {
        RowDetail.Field(title: "\($0.path)", text: $0.text, path: $0.path)
      },
      body: source.detail.body.map { text(of: $0, in: rows, at: row) },
      json: JSONOutline(lines, isCut: lines.count == Self.maxLines))
  }

  /// The formatted value, followed by the exact value if formatting loses information.
  private func text(of column: Column, in rows: DocumentRows, at row: JSONNode) -> String {
    var context = context()
    context.separator = column.separator
    let value = rows.response.cell(column, at: row)
    let rendered = column.format.display(value, context)
    let exact = column.format.machineValue(value).text(separator: column.separator)
    let isShort = column.format.alignment == .trailing || !column.format.isExact
    return isShort && exact != rendered && !exact.isEmpty ? "\(rendered) (\(exact))" : rendered
  }
}

/// The rows of a session on disk, in an unlinked file that disappears with the process. The file is created
/// on the first write.
final class ArchiveFile: Sendable {
  private struct State {
    var file: Descriptor?
    var length = 0
  }

  private let folders: [String]
  private let state = Lock(State())

  /// - Parameter folders: Folders for the file, in order of preference.
  init(in folders: [String]) { self.folders = folders }

  deinit { state.withLock { $0.file?.close() } }

  var archive: RowArchive { RowArchive(keep: keep, read: read) }

  /// `TMPDIR`, then folders for large temporary files, then any temporary folder.
  static func folders(environment: [String: String]) -> [String] {
    [environment["TMPDIR"], "/var/tmp", "/tmp"].compactMap { $0 }.filter { $0.hasPrefix("/") }
  }

  @Sendable private func keep(_ bytes: [UInt8]) -> Int? {
    state.withLock { state in
      guard let file = state.file ?? Self.made(in: folders) else { return nil }
      state.file = file
      guard (try? file.write(bytes, at: state.length)) != nil else { return nil }
      defer { state.length += bytes.count }
      return state.length
    }
  }

  @Sendable private func read(_ range: Range<Int>) -> [UInt8]? {
    let bytes = try? state.withLock { $0.file }?.bytes(in: range)
    return bytes?.count == range.count ? bytes : nil
  }

  private static func made(in folders: [String]) -> Descriptor? {
    for folder in folders {
      var name = Array("\(folder)/riffle-XXXXXX".utf8CString)
      let descriptor = mkstemp(&name)
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(name)
      return Descriptor(descriptor)
    }
    return nil
  }
}
