import Output
import Pager
import Search

/// Reads the original rows of the list from the archive.
struct RowReader: Sendable {
  let archive: RowArchive

  struct Failure: Error, CustomStringConvertible {
    let description =
      "cannot read the row's JSON: no space for a temporary file. Set TMPDIR to another folder"
  }

  func row(_ reference: RowReference) throws(Failure) -> DocumentRows {
    guard let rows = rows([reference.row], of: reference.content) else { throw Failure() }
    return rows
  }

  /// Passes rows to `body` in list order, grouping consecutive rows of the same page. Only one group is in
  /// memory at a time.
  func forEachPage(
    of selection: RowSelection, _ body: (OutputRows) throws -> Void
  ) throws {
    var numbers = selection.numbers[...]
    while let first = numbers.first, let (block, _) = selection.rows.locate(first) {
      let run = numbers.prefix { block.start..<block.end ~= $0 }.prefix(Self.mostTogether)
      numbers = numbers.dropFirst(run.count)
      let places = run.map { Int(block.kept[$0 - block.start]) }
      guard let content = block.content, let rows = rows(places, of: content) else { throw Failure() }
      try body(OutputRows(rows, arrivedAt: block.arrivedAt, pageNumber: block.position.ordinal + 1))
    }
  }

  private static let mostTogether = 1_000

  private func rows(_ places: [Int], of content: PageContent) -> DocumentRows? {
    switch content {
    case .cells(let cells): cells.archived.flatMap { archive.rows(places, of: $0) }
    case .document(let rows): DocumentRows(reply: rows.reply, nodes: places.map { rows.nodes[$0] })
    }
  }
}
