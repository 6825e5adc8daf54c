private import Search
import Terminal
private import Text

/// The content of the detail popup: one row.
package struct RowDetail: Sendable {
  package struct Identity: Sendable, Hashable {
    let version: Int
    let row: Int
  }

  /// What was read of the row; texts are not sanitized.
  package enum Content: Sendable {
    /// The source's fields by title, the others by path, a longer text, and the row's JSON as indented lines.
    case read(fields: [Field], others: [Field] = [], body: String?, json: [String])
    /// Why it could not be read, and what to do.
    case failed(String)
  }

  package struct Field: Sendable, Hashable {
    package let title: String
    package let text: String

    package init(title: String, text: String) {
      self.title = title
      self.text = text
    }
  }

  let identity: Identity
  /// The row as loaded with its page.
  let row: Content
  /// The service's response to the detail request.
  var response: Content?

  /// The fields of the row: those of the response, completed with the row's own fields; nil if it could not be read.
  var content: Content? {
    switch (row, response) {
    case (.failed, _): nil
    case (_, nil), (_, .failed?): row
    case (
      .read(let own, let otherOwnSettings, let ownBody, _), .read(let fields, let others, let body, let json)?
    ):
      .read(
        fields: Self.merged(fields, into: own), others: Self.merged(others, into: otherOwnSettings),
        body: body.flatMap { $0.isEmpty ? nil : $0 } ?? ownBody, json: json)
    }
  }

  var failure: String? {
    for case .failed(let why)? in [row, response] { return why }
    return nil
  }

  /// Merges the fields of the response into the row's own; both keep their order.
  private static func merged(_ fields: [Field], into own: [Field]) -> [Field] {
    var merged = own
    var place = 0
    for field in fields {
      if let known = merged[place...].firstIndex(where: { $0.title == field.title }) {
        merged[known] = field
        place = known + 1
      } else {
        merged.insert(field, at: place)
        place += 1
      }
    }
    return merged
  }
}

package struct RowReadingRequest: Sendable, Equatable {
  /// The row from its page, or the service's response to the detail request.
  package enum Part: Sendable, Hashable { case row, response }

  package let identity: RowDetail.Identity
  package let part: Part
  package let row: RowReference
  /// How long to wait first: the preview asks the service only for a row that stays selected.
  package let delay: Duration

  /// Whether the row is read faster than a frame is drawn. Then it is read before the frame, which is drawn once.
  package var isQuick: Bool {
    guard part == .row, case .cells(let cells) = row.content else { return false }
    return cells.archived?.size(of: row.row).map { $0 <= Self.maxQuickBytes } ?? true
  }

  private static let maxQuickBytes = 16_384

  package static func == (a: RowReadingRequest, b: RowReadingRequest) -> Bool {
    a.identity == b.identity && a.part == b.part
  }
}

extension PagerState {
  /// The row shown in the detail popup or the preview; nil if both are closed.
  var readingIdentity: RowDetail.Identity? {
    guard overlays.isDetailOpen || screen.preview != nil, let row = list.selectedRow else { return nil }
    return RowDetail.Identity(version: list.version, row: row)
  }

  /// What was read of that row.
  var readDetail: RowDetail? { detail.flatMap { $0.identity == readingIdentity ? $0 : nil } }

  /// Stores what was read: first the row itself, then the response.
  mutating func take(_ content: RowDetail.Content, for identity: RowDetail.Identity) {
    guard identity == readingIdentity else { return }
    if case .failed(let why) = content { messages.note(why, .error) }
    if readDetail == nil {
      detail = RowDetail(identity: identity, row: content)
    } else {
      detail?.response = content
    }
  }

  mutating func showRow(by places: Int) {
    guard overlays.popup?.kind == .detail else { return }
    list.viewport.select(list.viewport.selection + places, of: list.count)
    moveAnchor()
    overlays.change { $0.scroll = 0 }
  }
}

/// One row in full: the source's fields, its longer text and, below a rule, its other fields; or its JSON.
/// Until the row is read from its response, its table cells are shown.
struct DetailLines {
  let state: PagerState
  /// The terminal columns of the lines.
  let width: Int
  /// Lines from this number on need not be laid out.
  var limit = Int.max

  static let maxLines = 5_000

  func lines(showsJSON: Bool) -> [Line] {
    var lines = LineList(limit: limit)
    if let why = state.readDetail?.failure {
      let text = "\(state.glyphs.failure)\(why)"
      lines.append { _ in state.paragraph(text, state.theme[.error], width: width) + [Line()] }
    }
    appendRow(to: &lines, showsJSON: showsJSON)
    return lines.lines
  }

  private func appendRow(to lines: inout LineList, showsJSON: Bool) {
    switch state.readDetail?.content {
    case .read(_, _, _, let json) where showsJSON:
      for line in json.prefix(Self.maxLines) {
        lines.append { _ in JSONLine(line).lines(state, width: width) }
      }
      let more = json.count - Self.maxLines
      guard more > 0 else { return }
      let note = "\(Digits.counted(more, "more line")) not shown"
      lines.append { _ in state.paragraph(note, state.theme[.dim], width: width) }
    case .read(let fields, let others, let body, _):
      let titles = titleWidth(fields + others)
      append(fields, to: &lines, titles: titles)
      if let body, !body.isEmpty {
        lines.append { _ in [Line()] }
        let most = min(limit, Self.maxLines)
        let newline = UInt8(ascii: "\n")
        for line in body.utf8.split(separator: newline, maxSplits: most, omittingEmptySubsequences: false) {
          let text = Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
          lines.append { state.paragraph(String(text), width: width, most: $0) }
        }
      }
      if !others.isEmpty { lines.append { _ in [rule] } }
      append(others, to: &lines, titles: titles)
    case nil, .failed: appendCells(to: &lines)
    }
  }

  private func appendCells(to lines: inout LineList) {
    guard let row = state.list.selectedRow, let (cells, place) = state.list.cells(of: row) else { return }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(title: cells.columns[column].title, text: cells.cell(row: place, column: column).string)
    }
    let link = cells.link(row: place)
    if !link.isEmpty { fields.append(RowDetail.Field(title: "Link", text: link)) }
    append(fields, to: &lines, titles: titleWidth(fields))
  }

  /// The line between the source's fields and the others.
  private var rule: Line {
    let (rule, label) = (state.glyphs.rule, Sanitized("other fields"))
    var line = Line(.spaces(1))
    guard !rule.isEmpty else {
      line.append(label, style: state.theme[.header])
      return line
    }
    line.appendRule(
      label, state.theme[.dim], lead: 2 * rule.width(state.widthModel), width: width - 2, state)
    return line
  }

  private func titleWidth(_ fields: [RowDetail.Field]) -> Int {
    let widest = fields.map { Sanitized($0.title).width(state.widthModel) }.max() ?? 0
    return min(widest, width / 3)
  }

  /// - Parameter titles: The terminal columns for the titles.
  private func append(_ fields: [RowDetail.Field], to lines: inout LineList, titles: Int) {
    for field in fields { lines.append { self.lines(of: field, titles: titles, most: $0) } }
  }

  private func lines(of field: RowDetail.Field, titles: Int, most: Int) -> [Line] {
    let title = Sanitized(field.title).fitted(to: titles, ellipsis: state.glyphs.ellipsis, state.widthModel)
    // A text with whitespace may start with an address, but is not a link.
    let link = field.text.contains(where: \.isWhitespace) ? nil : Link(field.text)
    let texts = Sanitized(field.text).wrapped(to: width - titles - 4, most: most, state.widthModel)
    return texts.enumerated().map { number, text in
      var line = Line(.spaces(1))
      line.append((number == 0 ? title : .spaces(titles)) + .spaces(2), style: state.theme[.header])
      line.append(text, link: link)
      return line
    }
  }
}

/// Lines up to a limit; what comes after it is not laid out.
private struct LineList {
  let limit: Int
  private(set) var lines: [Line] = []

  init(limit: Int) { self.limit = limit }

  /// - Parameter more: Lines, of which only the first ones, as many as its argument, are used.
  mutating func append(_ more: (Int) -> [Line]) {
    let room = limit - lines.count
    if room > 0 { lines += more(room).prefix(room) }
  }
}

/// A line of indented JSON with syntax coloring. Characters that a terminal cannot show are escaped.
private struct JSONLine {
  private let text: Sanitized
  /// The end of each part in bytes, and its role.
  private var parts: [(end: Int, role: Role?)] = []

  init(_ line: String) {
    text = Sanitized(String(decoding: Sanitized.escapedJSON(line.utf8), as: UTF8.self))
    let bytes = Array(text.string.utf8)
    var start = 0
    while start < bytes.count {
      let (end, role) = Self.part(of: bytes, from: start)
      parts.append((end, role))
      start = end
    }
  }

  func lines(_ state: PagerState, width: Int) -> [Line] {
    var start = 0
    return text.wrapped(to: width - 2, state.widthModel).map { line in
      let end = start + line.string.utf8.count
      var styled = Line(.spaces(1))
      for (part, role) in pieces(of: start..<end) {
        styled.append(part, style: role.map { state.theme[$0] } ?? .plain)
      }
      // A line is broken at a space, which is dropped, or within a word.
      let bytes = text.string.utf8
      start =
        end < bytes.count && bytes[bytes.index(bytes.startIndex, offsetBy: end)] == UInt8(ascii: " ")
        ? end + 1 : end
      return styled
    }
  }

  private func pieces(of range: Range<Int>) -> [(Sanitized, Role?)] {
    var start = 0
    return parts.compactMap { end, role in
      let piece = (start..<end).clamped(to: range)
      start = end
      return piece.isEmpty ? nil : (text[piece], role)
    }
  }

  private static func part(of bytes: [UInt8], from start: Int) -> (end: Int, role: Role?) {
    switch bytes[start] {
    case UInt8(ascii: "\""):
      var end = start + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      end = min(end + 1, bytes.count)
      return (end, end < bytes.count && bytes[end] == UInt8(ascii: ":") ? .accent : .success)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return (wordEnd(bytes, start), .warning)
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      let end = wordEnd(bytes, start)
      let isLiteral = ["true", "false", "null"].contains(String(decoding: bytes[start..<end], as: UTF8.self))
      return (end, isLiteral ? .header : nil)
    default:
      let rest = bytes[(start + 1)...]
      return (rest.firstIndex { $0 == UInt8(ascii: "\"") || isWord($0) } ?? bytes.count, nil)
    }
  }

  private static func wordEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[(start + 1)...].firstIndex { !isWord($0) } ?? bytes.count
  }

  /// A byte of a number or a literal.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isBareKeyByte || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }
}
