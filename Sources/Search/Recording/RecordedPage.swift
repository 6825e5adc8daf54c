import HTTPValues
package import JSON
package import Text

extension Page: JSONCodable {
  package func write(to json: inout JSONWriter) {
    if let secretNext { json.hide(secretNext) }
    json.object {
      $0.member("rows", content)
      if !keys.isEmpty { $0.member("keys", keys) }
      $0.member("fingerprint", fingerprint)
      $0.member("received", received)
      $0.member("page_size", pageSize)
      $0.member("continuation", continuation)
      $0.member("total", total)
      $0.member("page_count", pageCount)
      $0.member("budget", budget)
      $0.member("bucket", bucket)
      $0.member("backoff", backoff)
      if !notes.isEmpty { $0.member("notes", notes) }
      $0.member("exchange", exchange)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      content: try json.member("rows"), keys: try json.member("keys") ?? [],
      fingerprint: try json.member("fingerprint"), received: try json.amount("received") as Int,
      pageSize: try json.amount("page_size"), continuation: try json.member("continuation"),
      total: try json.member("total"), pageCount: try json.size("page_count"),
      budget: try json.member("budget"), bucket: try json.member("bucket"),
      backoff: try json.seconds("backoff"), notes: try json.member("notes") ?? [],
      exchange: try json.member("exchange"))
    guard keys.isEmpty || keys.count == rowCount else {
      throw JSONCodingError("\(keys.count) keys do not match \(rowCount) rows")
    }
  }

  /// The next position, if it contains a secret.
  package var secretNext: Position? {
    if case .next(let next, _) = continuation, next != keptNext { next } else { nil }
  }

  /// The page without the texts of its rows, which are most of its size. Keeps everything that the session's
  /// decisions depend on.
  package var withoutTexts: Page {
    var page = self
    page.content = .cells(CellTable(withoutTextsOf: content.rowCount))
    return page
  }
}

/// Rows that are not cells but a document (one-shot mode) are only counted.
extension PageContent: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .cells(let table): table.write(to: &json)
    case .document(let rows): CellTable(withoutTextsOf: rows.nodes.count).write(to: &json)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) { self = .cells(try CellTable(json: json)) }
}

extension RateBudget: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("limit", limit)
      $0.member("remaining", remaining)
      $0.member("resets_at", resetsAt)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      limit: try json.member("limit"), remaining: try json.member("remaining"),
      resetsAt: try json.seconds("resets_at"))
  }
}

extension RateBucket: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("origin", origin.description)
      $0.member("name", name)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let text: String = try json.member("origin")
    guard let url = try? WebURL(text) else { throw JSONCodingError("\(text) is not an origin") }
    self.init(origin: url.origin, name: try json.member("name"))
  }
}

extension HTTPMethod: JSONCodable {}

extension Exchange: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("method", method)
      $0.member("address", address)
      $0.member("status", status)
      $0.member("bytes", bytes)
      $0.member("sent_at", sentAt)
      $0.member("arrived_at", arrivedAt)
      if requests != 1 { $0.member("requests", requests) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      method: try json.member("method"), address: try json.member("address"),
      status: try json.member("status"), bytes: try json.member("bytes"),
      sentAt: try json.seconds("sent_at"), arrivedAt: try json.seconds("arrived_at"),
      requests: max(1, try json.amount("requests") ?? 1))
  }
}

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

/// The display properties of a column. How its values are read from a reply is not included.
extension Column: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("name", name)
      $0.member("title", title)
      $0.member("format", format.name)
      $0.member("alignment", alignment)
      $0.member("width", width)
      $0.member("wrapped", isWrapped)
      $0.member("priority", priority)
      $0.member("color", color)
      $0.member("empty", empty)
      if isHidden { $0.member("hidden", isHidden) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let format: String = try json.member("format")
    guard let format = ColumnFormat.named(format) else {
      throw JSONCodingError("column format \(format) is not known to this version")
    }
    self.init(
      name: try json.member("name"), title: try json.member("title") as String, value: ValueExpression([]),
      format: format, alignment: try json.member("alignment") as Alignment, width: try json.member("width"),
      isWrapped: try json.member("wrapped"), priority: try json.member("priority"),
      color: try json.member("color"), empty: try json.member("empty"),
      isHidden: try json.member("hidden") ?? false)
  }
}

extension Alignment: JSONCodable {}

extension ColumnWidth: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .fixed(let width): json.choice("fixed", width)
    case .flexible(let least, let most, let weight):
      json.choice("flexible") {
        $0.member("min", least)
        $0.member("max", most)
        $0.member("weight", weight)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "fixed": .fixed(try value.amount())
      case "flexible":
        .flexible(
          min: try value.amount("min"), max: try value.amount("max"), weight: try value.amount("weight"))
      default: nil
      }
    }
  }
}

extension Role: JSONCodable {}

extension ColumnColor: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .always(let role): json.choice("always", role)
    case .byText(let roles): json.choice("by_text", roles)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "always": .always(try Role(json: value))
      case "by_text": .byText(try [String: Role](json: value))
      default: nil
      }
    }
  }
}

extension PageError: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("kind", kind)
      $0.member("status", status)
      $0.member("message", message)
      $0.member("service_message", serviceMessage)
      $0.member("remedy", remedy)
      $0.member("repeat", canRepeat)
      $0.member("wait", wait)
      $0.member("wait_at_least", waitAtLeast)
      $0.member("budget", budget)
      $0.member("bucket", bucket)
      $0.member("exchange", exchange)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      try json.member("kind"), status: try json.member("status"), message: try json.member("message"),
      remedy: try json.member("remedy"), canRepeat: try json.member("repeat"), wait: try json.seconds("wait"),
      waitAtLeast: try json.seconds("wait_at_least"), budget: try json.member("budget"),
      bucket: try json.member("bucket"), serviceMessage: try json.member("service_message"))
    exchange = try json.member("exchange")
  }
}

extension PageError.Kind: JSONCodable {}

extension PageError.Repeat: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .never: json.text("never")
    case .freely: json.text("freely")
    case .atMost(let count): json.choice("at-most", count)
    case .afterRestart: json.text("after-restart")
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "never": .never
      case "freely": .freely
      case "at-most": .atMost(try value.amount())
      case "after-restart": .afterRestart
      default: nil
      }
    }
  }
}
