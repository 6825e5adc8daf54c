import HTTPValues
package import JSON
import Text

// What a recording contains is checked as a reply is: everything that a session computes with is within limits,
// so that no file can cause an overflow or work without end.

extension SessionEvent: JSONChecked {
  package func check() throws(JSONCodingError) {
    switch self {
    case .searched(_, let demand), .wanted(let demand): try demand.check()
    case .refreshed(let rows): try rows.check("rows")
    case .reached(let time): try time.check("reached")
    case .stopped, .retried: break
    case .loaded(let page, let request):
      try page.check()
      try request.check()
    case .failed(let error, let request, let moment):
      try error.check()
      try request.check()
      try moment.check()
    case .totalReceived(let reply, let query):
      try reply.total?.count.checkSize("total")
      try reply.exchange?.check()
      try query.check()
    case .totalFailed(let error, let query, let moment):
      try error.check()
      try query.check()
      try moment.check()
    case .written(let ordinal, let generation):
      try ordinal.check("ordinal")
      try generation.check("generation")
    }
  }
}

extension Session.Rules: JSONChecked {
  package mutating func check() throws(JSONCodingError) {
    try first.check()
    try numbering?.first.check("numbering")
    try pagingCap?.check()
    try overlap.check("overlap")
    try concurrency.check("concurrency")
    try minInterval.check("minInterval")
    try maxEmptyPages.check("maxEmptyPages")
    try maxRows?.checkSize("maxRows")
    try maxPages?.checkSize("maxPages")
    try retry.attempts.checkSize("attempts")
    try retry.longestWait.check("longestWait")
    try minLength.checkSize("minLength")
    try resumePoint?.check()
    concurrency = min(concurrency, Self.mostPages)
    // Rows that are not written out stay in memory.
    if !awaitsWriting { maxRows = min(maxRows ?? .max, Self.mostRows) }
  }

  /// Limits that are above what the settings allow in any session.
  private static let mostPages = 64
  private static let mostRows = 10_000_000
}

extension RunLists.Rules: JSONChecked {
  package mutating func check() throws(JSONCodingError) {
    guard 1...Parent.deepest + 1 ~= levels.count else {
      throw JSONCodingError("\(levels.count) levels of lists")
    }
    for index in levels.indices { try levels[index].rules.check() }
    try demand.check()
  }
}

extension ResumePoint: JSONChecked {
  package func check() throws(JSONCodingError) {
    try next.check()
    try received.check("received")
    try skipped.check("skipped")
  }
}

extension Page: JSONChecked {
  package func check() throws(JSONCodingError) {
    try received.check("received")
    try pageSize?.check("pageSize")
    try pageCount?.checkSize("pageCount")
    try total?.count.checkSize("total")
    try budget?.resetsAt?.check("resetsAt")
    try backoff?.check("backoff")
    try exchange.check()
    if case .next(let position, _) = continuation { try position.check() }
    guard keys.isEmpty || keys.count == rowCount else {
      throw JSONCodingError("\(keys.count) keys do not match \(rowCount) rows")
    }
  }

  /// The page without the texts of its rows, most of its size: the session's decisions do not depend on them.
  package var withoutTexts: Page {
    var page = self
    page.content = .cells(CellTable(withoutTextsOf: content.rowCount))
    return page
  }
}

extension PageError {
  fileprivate func check() throws(JSONCodingError) {
    if case .atMost(let count) = canRepeat { try count.check("atMost") }
    try wait?.check("wait")
    try waitAtLeast?.check("waitAtLeast")
    try budget?.resetsAt?.check("resetsAt")
    try exchange?.check()
  }
}

extension Exchange {
  fileprivate func check() throws(JSONCodingError) {
    try sentAt.check("sentAt")
    try arrivedAt.check("arrivedAt")
    try requests.check("requests", in: 1...Int(Int32.max))
  }
}

extension Moment {
  fileprivate func check() throws(JSONCodingError) {
    try now.check("now")
    try jitter.check("jitter")
  }
}

extension PageRequest {
  fileprivate func check() throws(JSONCodingError) {
    try position.check()
    try generation.check("generation")
    try attempt.check("attempt")
    try list?.level.check("level", in: 0...Parent.deepest)
    try list?.number.check("number")
  }
}

extension TotalQuery {
  fileprivate func check() throws(JSONCodingError) {
    try generation.check("generation")
    try attempt.check("attempt")
  }
}

extension Demand: JSONChecked {
  package func check() throws(JSONCodingError) {
    switch self {
    case .pages(let count): try count.check("pages")
    case .rows(let count): try count.checkSize("rows")
    case .nothing, .everything: break
    }
  }
}

extension Position: JSONChecked {
  package func check() throws(JSONCodingError) {
    try ordinal.check("ordinal")
    // Small enough to count the following pages without overflow.
    if case .number(let number) = value { try number.check("number", in: -1 << 53...1 << 53) }
  }
}

extension PagingCap {
  fileprivate func check() throws(JSONCodingError) {
    try cap.count.check("count")
    try pageSize?.check("pageSize")
    try numbering?.first.check("numbering")
  }
}

extension Column {
  package func check() throws(JSONCodingError) {
    switch width {
    case .fixed(let width): try width.check("width")
    case .flexible(let least, let most, let weight):
      for number in [least, most, weight] { try number?.check("width") }
    }
  }
}

/// Rows that are not cells but a document (one-shot mode) are only counted.
extension PageContent: Codable {
  private enum CodingKeys: CodingKey { case parents }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .parents(let parents):
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(parents, forKey: .parents)
    case .cells(let table): try table.encode(to: encoder)
    case .document(let rows): try CellTable(withoutTextsOf: rows.nodes.count).encode(to: encoder)
    }
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if let parents = try members.decodeIfPresent([ParentRow?].self, forKey: .parents) {
      self = .parents(parents)
    } else {
      self = .cells(try CellTable(from: decoder))
    }
  }
}

/// The texts row by row, each with its link after the cells, without the archive ranges of the rows.
extension CellTable: Codable {
  private enum CodingKeys: CodingKey { case rowCount, columns, naturalWidths, cells, sortBits, moreSortBits }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(rowCount, forKey: .rowCount)
    if columns.isEmpty { return }
    try members.encode(columns, forKey: .columns)
    try members.encode(naturalWidths, forKey: .naturalWidths)
    var cells = members.nestedUnkeyedContainer(forKey: .cells)
    for (start, end) in zip([0] + ends, ends) {
      try cells.encode(String(decoding: text[Int(start)..<Int(end)], as: UTF8.self))
    }
    if sortBits.contains(where: { !$0.isEmpty }) { try members.encode(sortBits, forKey: .sortBits) }
    if moreSortBits.contains(where: { !$0.isEmpty }) {
      try members.encode(moreSortBits, forKey: .moreSortBits)
    }
  }

  package convenience init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let count = try members.decode(Int.self, forKey: .rowCount)
    try count.check("rowCount")
    func error(_ problem: String) -> JSONCodingError { JSONCodingError(problem, at: decoder.codingPath) }
    let columns = try members.decodeIfPresent([Column].self, forKey: .columns) ?? []
    guard !columns.isEmpty else {
      guard count <= Self.mostWithoutTexts else { throw error("too many rows (\(count))") }
      self.init(withoutTextsOf: count)
      return
    }
    for column in columns { try column.check() }
    let widths = try members.decode([Int].self, forKey: .naturalWidths)
    guard widths.count == columns.count, widths.allSatisfy({ 0...Self.cellLimit * 2 ~= $0 }) else {
      throw error("the widths do not match \(columns.count) columns")
    }
    let none: [[UInt64]] = columns.map { _ in [] }
    let sortBits = try members.decodeIfPresent([[UInt64]].self, forKey: .sortBits) ?? none
    let moreSortBits = try members.decodeIfPresent([[UInt64]].self, forKey: .moreSortBits) ?? none
    for bits in [sortBits, moreSortBits] {
      guard bits.count == columns.count, bits.allSatisfy({ $0.isEmpty || $0.count == count }) else {
        throw error("the sort keys do not match \(count) rows")
      }
    }
    var text: [UInt8] = []
    let ends = try members.decode([String].self, forKey: .cells).map { cell in
      text += cell.utf8.prefix(Self.cellLimit)
      return UInt32(truncatingIfNeeded: text.count)
    }
    guard ends.count == count * (columns.count + 1) else {
      throw error("\(ends.count) cells do not match \(count) rows and \(columns.count) columns")
    }
    self.init(
      columns: columns, rowCount: count, naturalWidths: widths, text: text, ends: ends,
      sortBits: sortBits, moreSortBits: moreSortBits)
  }

  /// The maximum number of rows of a page.
  private static let mostWithoutTexts = 100_000
}

/// Writes what is recorded as JSON without secrets: they are replaced in strings and names, and a position that
/// contains one by a token, which is the same for all positions with the same request.
package struct RecordingEncoder {
  private let redacted: (String) -> String
  /// The tokens of positions, by the position at the ordinal 0.
  private var tokens: [Position: JSONToken] = [:]

  /// - Parameter redacted: Replaces the secrets in a text.
  package init(redacting redacted: @escaping (String) -> String) { self.redacted = redacted }

  /// Replaces a position that contains a secret in all further output.
  package mutating func hide(_ position: Position) {
    let key = Position(ordinal: 0, value: position.value, carried: position.carried)
    if tokens[key] == nil { tokens[key] = JSONToken("secret-\(tokens.count + 1)") }
  }

  /// The value on one line.
  package mutating func bytes(of value: some Encodable) -> [UInt8] {
    let bytes = JSONCoding.bytes(of: value)
    guard let document = try? JSONDocument(bytes) else { return [] }
    return document.replacing { node in
      if let text = document.string(of: node) {
        let shown = redacted(text)
        return shown == text ? nil : Array(JSONText.quoted(shown).utf8)
      }
      return replacement(for: JSONValue(document: document, node: node))
    }
  }

  /// The JSON of the position in place of one that contains a secret; nil for any other value.
  private mutating func replacement(for value: JSONValue) -> [UInt8]? {
    let names = Set(value.members.map(\.name))
    guard names == ["ordinal", "value", "carried"], let position = try? value.decoded(as: Position.self)
    else { return nil }
    if position.texts.contains(where: { redacted($0) != $0 }) { hide(position) }
    let token = tokens[Position(ordinal: 0, value: position.value, carried: position.carried)]
    return token.map { JSONCoding.bytes(of: Position(ordinal: position.ordinal, value: .token($0))) }
  }
}
