/// The texts row by row, each row with its link after the cells. The archive ranges of the rows are not
/// included.
extension CellTable: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("count", rowCount)
      guard !columns.isEmpty else { return }
      $0.member("columns", columns)
      $0.member("widths", naturalWidths)
      $0.member("cells") { $0.array(writeCells) }
      if sortBits.contains(where: { !$0.isEmpty }) { $0.member("sort", sortBits) }
      if moreSortBits.contains(where: { !$0.isEmpty }) { $0.member("sort_more", moreSortBits) }
    }
  }

  private func writeCells(to json: inout JSONWriter) {
    var start = 0
    for end in ends {
      json.text(text[start..<Int(end)])
      start = Int(end)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let count: Int = try json.amount("count")
    let columns: [Column] = try json.member("columns") ?? []
    guard !columns.isEmpty else {
      guard count <= Self.mostWithoutTexts else { throw JSONCodingError("too many rows (\(count))") }
      self.init(withoutTextsOf: count)
      return
    }
    let widths: [Int] = try json.member("widths")
    let none: [[UInt64]] = columns.map { _ in [] }
    let sortBits: [[UInt64]] = try json.member("sort") ?? none
    let moreSortBits: [[UInt64]] = try json.member("sort_more") ?? none
    guard widths.count == columns.count, widths.allSatisfy({ 0...Self.cellLimit * 2 ~= $0 }) else {
      throw JSONCodingError("the widths do not match \(columns.count) columns")
    }
    for bits in [sortBits, moreSortBits] {
      guard bits.count == columns.count, bits.allSatisfy({ $0.isEmpty || $0.count == count }) else {
        throw JSONCodingError("the sort keys do not match \(count) rows")
      }
    }
    let (text, ends) = try Self.cells(of: json)
    guard ends.count == count * (columns.count + 1) else {
      throw JSONCodingError("\(ends.count) cells do not match \(count) rows and \(columns.count) columns")
    }
    self.init(
      columns: columns, rowCount: count, naturalWidths: widths, text: text, ends: ends,
      sortBits: sortBits, moreSortBits: moreSortBits)
  }

  private static func cells(of json: JSONValue) throws(JSONCodingError) -> (text: [UInt8], ends: [UInt32]) {
    guard let cells = json["cells"], cells.kind == .array else {
      throw JSONCodingError("\"cells\" is missing")
    }
    var text: [UInt8] = []
    var ends: [UInt32] = []
    for node in json.document.elements(of: cells.node) {
      guard json.document.kind(of: node) == .string else { throw JSONCodingError("a cell is not a string") }
      json.document.withUTF8(of: node) { text.append(contentsOf: $0.prefix(cellLimit)) }
      ends.append(UInt32(truncatingIfNeeded: text.count))
    }
    return (text, ends)
  }

  /// The maximum number of rows of a page.
  private static let mostWithoutTexts = 100_000
}

/// `[kind, bits, more bits]`.
extension SortKey: JSONCodable {
  package func write(to json: inout JSONWriter) {
    [UInt64(kind.rawValue), bits, moreBits].write(to: &json)
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let parts = try [UInt64](json: json)
    guard parts.count == 3, let kind = Kind(rawValue: UInt8(truncatingIfNeeded: parts[0])) else {
      throw JSONCodingError(json, isNot: "a sort key")
    }
    self.init(kind: kind, bits: parts[1], moreBits: parts[2])
  }
}
