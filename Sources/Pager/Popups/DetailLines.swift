import HTTPValues
import JSON
import Search
import Terminal
import Text

/// What the cursor of the detail popup stands on: a field, a line of the longer text, or a line of JSON.
enum DetailEntry {
  /// - Parameters:
  ///   - part: The part of its text on the lines of this entry.
  ///   - isContinued: Whether it is not the first part.
  case field(RowDetail.Field, part: Substring, isContinued: Bool)
  case text(Substring)
  /// The number of a line of the outline.
  case json(Int)
  case note(String, Role)
}

/// One row in full: the source's fields, its longer text and, below a rule, its other fields; or its JSON.
/// Until the row is read from its response, its table cells are shown.
struct DetailLines {
  let state: PagerState
  /// The terminal columns of the lines.
  let width: Int
  /// All entries but the lines of JSON, which come after them.
  private let entries: [DetailEntry]
  private let jsonLines: [Int]
  /// The number of the first of the other fields, which a rule separates; nil without such fields.
  private let firstOther: Int?
  private let titleWidth: Int
  /// The number of characters that fit the screen.
  private let most: Int

  static let maxLines = 5_000

  /// - Parameter height: A text with more lines than this is several entries, so that each fits the screen.
  init(state: PagerState, width: Int, height: Int, showsJSON: Bool) {
    (self.state, self.width) = (state, width)
    let detail = state.readDetail
    var jsonLines: [Int] = []
    var entries = detail?.failure.map { [DetailEntry.note("\(state.glyphs.failure)\($0)", .error)] } ?? []
    let (fields, others, body): ([RowDetail.Field], [RowDetail.Field], String?)
    switch detail?.content {
    case .read where showsJSON:
      (fields, others, body) = ([], [], nil)
      jsonLines = detail?.outline.shown ?? []
      if let outline = detail?.outline, outline.isCut {
        let text = "Only the first \(Digits.counted(outline.lines.count, "line")) are shown"
        entries.append(.note(text, .warning))
      }
    case .read(let own, let more, let text, _): (fields, others, body) = (own, more, text)
    case nil, .failed: (fields, others, body) = (Self.cells(of: state), [], nil)
    }
    let titles = (fields + others).map { Sanitized($0.title).width(state.widthModel) }.max() ?? 0
    titleWidth = min(titles, width / 3)
    let most = max(2, height - 1) * max(1, width - titleWidth - 4)
    entries += fields.flatMap { Self.entries(of: $0, most: most) }
    if let body, !body.isEmpty {
      // CR LF is one character.
      let lines = body.split(maxSplits: Self.maxLines, omittingEmptySubsequences: false) {
        $0 == "\n" || $0 == "\r\n"
      }
      entries += lines.flatMap { line in line.parts(of: most).map { .text($0) } }
    }
    firstOther = others.isEmpty ? nil : entries.count
    entries += others.flatMap { Self.entries(of: $0, most: most) }
    (self.entries, self.jsonLines, self.most) = (entries, jsonLines, most)
  }

  var count: Int { entries.count + jsonLines.count }

  /// The entry of a field, or of the closest one around it; the first one without any.
  func place(of path: JSONPath) -> Int {
    if let outline = state.readDetail?.outline, !jsonLines.isEmpty {
      let line = outline.shownLine(at: path)
      return entries.count + (jsonLines.firstIndex(of: line) ?? 0)
    }
    var (place, length) = (0, 0)
    for (number, entry) in entries.enumerated() {
      guard case .field(let field, _, false) = entry, let steps = field.path?.steps, steps.count > length,
        path.steps.starts(with: steps)
      else { continue }
      (place, length) = (number, steps.count)
    }
    return place
  }

  func entry(_ number: Int) -> DetailEntry? { 0..<count ~= number ? self[number] : nil }

  private subscript(number: Int) -> DetailEntry {
    number < entries.count ? entries[number] : .json(jsonLines[number - entries.count])
  }

  private static func cells(of state: PagerState) -> [RowDetail.Field] {
    guard let row = state.list.selectedRow, let (cells, place) = state.list.cells(of: row) else { return [] }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(
        title: cells.columns[column].title, text: cells.cell(row: place, column: column).string,
        path: cells.columns[column].value.onlyPath)
    }
    let link = cells.link(row: place)
    if !link.isEmpty { fields.append(RowDetail.Field(title: "Link", text: link)) }
    return fields
  }

  private static func entries(of field: RowDetail.Field, most: Int) -> [DetailEntry] {
    field.text.parts(of: most).enumerated().map { number, part in
      .field(field, part: part, isContinued: number > 0)
    }
  }

  var popupEntries: PopupEntries {
    PopupEntries(
      count: count, lines: lines(of:), separators: { separators(before: $0).count }, text: text(of:))
  }

  /// The lines of an entry, after those that separate it from the one before.
  func lines(of number: Int) -> [Line] {
    0..<count ~= number ? separators(before: number) + ownLines(of: number) : []
  }

  func separators(before number: Int) -> [Line] {
    if number == firstOther { return [rule] }
    guard number > 0 else { return [] }
    return switch (self[number - 1], self[number]) {
    case (.field, .text), (.note, .field), (.note, .json), (.note, .text): [Line()]
    default: []
    }
  }

  private func ownLines(of number: Int) -> [Line] {
    switch self[number] {
    case .field(let field, let part, let isContinued): lines(of: field, part, isContinued: isContinued)
    case .text(let text): state.paragraph(String(text), width: width)
    case .json(let line):
      state.detail.map { JSONLine(bounded($0.outline.text(of: line))).lines(state, width: width) } ?? []
    case .note(let text, let role): state.paragraph(text, state.theme[role], width: width)
    }
  }

  /// A line of JSON up to what fits the screen.
  private func bounded(_ text: String) -> String {
    text.utf8.count <= most ? text : text.prefix(most - 1) + state.glyphs.ellipsis.string
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

  private func lines(of field: RowDetail.Field, _ part: Substring, isContinued: Bool) -> [Line] {
    let title = Sanitized(field.title).fitted(
      to: titleWidth, ellipsis: state.glyphs.ellipsis, state.widthModel)
    // A text with whitespace may start with an address, but is not a link.
    let link = field.text.contains(where: \.isWhitespace) ? nil : Link(field.text)
    let texts = Sanitized(String(part)).wrapped(to: width - titleWidth - 4, state.widthModel)
    return texts.enumerated().map { number, text in
      var line = Line(.spaces(1))
      line.append(
        (number == 0 && !isContinued ? title : .spaces(titleWidth)) + .spaces(2), style: state.theme[.header])
      line.append(text, link: link)
      return line
    }
  }

  /// The text that a search finds an entry by.
  func text(of number: Int) -> String {
    switch self[number] {
    case .field(let field, let part, _): "\(field.title) \(part)"
    case .text(let text): String(text)
    case .json(let line): state.detail?.outline.text(of: line) ?? ""
    case .note(let text, _): text
    }
  }
}

/// The field under the cursor of the detail popup.
extension PagerState {
  private var detailEntry: DetailEntry? {
    guard let popup = overlays.popup, popup.kind == .detail else { return nil }
    return detailLines(popup).entry(popup.selection)
  }

  func detailLines(_ popup: Popup) -> DetailLines {
    let inner = popupBox.inner
    return DetailLines(state: self, width: inner.columns, height: inner.rows, showsJSON: popup.showsJSON)
  }

  /// Folds or unfolds the object or list under the cursor; folding one that is folded leads to the one around it.
  mutating func fold(_ isFolded: Bool) {
    guard case .json(let line)? = detailEntry, var outline = detail?.outline else {
      return notify("fields cannot be folded" + hint("toggle-json", "show JSON"), .warning)
    }
    var target = outline.start(of: line)
    if isFolded, !outline.folds(target) || outline.isFolded(target) {
      target = outline.parent(of: target) ?? target
    }
    outline.setFolded(isFolded, target)
    detail?.outline = outline
    let before = overlays.popup.map { detailLines($0).count - outline.shown.count } ?? 0
    guard let place = outline.shown.firstIndex(of: target) else { return }
    overlays.change { $0.selection = before + place }
  }

  /// Switches between fields and JSON; the cursor stays on its field, or at the beginning.
  mutating func toggleJSON() {
    let path = overlays.popup?.selection == 0 ? nil : detailField?.path
    overlays.change {
      $0.showsJSON.toggle()
      ($0.scroll, $0.selection) = (0, 0)
    }
    guard let path, let popup = overlays.popup else { return }
    let place = detailLines(popup).place(of: path)
    overlays.change { $0.selection = place }
  }

  mutating func toggleFold() {
    guard case .json(let line)? = detailEntry, let outline = detail?.outline else { return }
    let start = outline.start(of: line)
    if outline.folds(start) { fold(!outline.isFolded(start)) }
  }

  /// The value and the path of the field under the cursor.
  private var detailField: (text: String, path: JSONPath?, title: String)? {
    switch detailEntry {
    case .field(let field, _, _): (field.text, field.path, field.title)
    case .json(let line): detail.map { ($0.outline.value(of: line), $0.outline.path(of: line), "value") }
    case .text(let text): (String(text), nil, "line")
    case .note(let text, _): (text, nil, "message")
    case nil: nil
    }
  }

  mutating func copyField() {
    guard let field = detailField else { return }
    request(.copy(Sanitized(field.text).string, what: field.title))
  }

  mutating func copyPath() {
    guard let path = detailField?.path else { return notify("not a field", .warning) }
    request(.copy(Sanitized("\(path)").string, what: "path"))
  }

  /// The index of the column that shows the field under the cursor.
  private var fieldColumn: Int? {
    guard let path = detailField?.path else { return nil }
    return table.columns.firstIndex { $0.value.onlyPath == path }
  }

  /// The line with the value at a path in the JSON of the row; nil if it has none, or several.
  private func place(of path: JSONPath) -> (json: JSONOutline, line: Int)? {
    guard case .read(_, _, _, let json)? = detail?.row else { return nil }
    return json.line(at: path).map { (json, $0) }
  }

  mutating func filterByField() {
    if let column = fieldColumn, !isBeingRead(table.columns[column]), let row = list.selectedRow,
      let (cells, place) = list.cells(of: row)
    {
      return addFilter(CellTerm(row: place, column: column, of: cells, in: table.columns[column]).text)
    }
    guard let path = detailField?.path, !path.steps.isEmpty else { return notify("not a field", .warning) }
    guard let (json, line) = place(of: path), !json.folds(line) else {
      return notify("the rows can be filtered by a single value", .warning)
    }
    let value = json.kind(of: line) == .null ? "\"\"" : RowFilter.quoted(json.value(of: line))
    // A short name may also be the beginning of a column's.
    let named = RowFilter("\(path)=").terms.first?.named?.index(in: table.columns)
    addFilter("\(named == fieldColumn ? "" : "$.")\(path)=\(value)")
  }

  /// Shows the field under the cursor as a column.
  mutating func addFieldAsColumn() {
    guard let path = detailField?.path, !path.steps.isEmpty else {
      return notify("not a field", .warning)
    }
    let shown = table.shown.map { table.columns[$0].name }
    let kind = place(of: path).map { $0.json.kind(of: $0.line) } ?? .mixed
    let column = fieldColumn.map { table.columns[$0] } ?? Column(path, kind)
    if shown.contains(column.name) { return notify("\(column.title) is already a column") }
    show(columns: shown + [column.name], adding: fieldColumn == nil ? [column] : [])
    notify("\(column.title) is a column now", .success)
  }

  /// The address under the cursor; nil if there is none.
  var fieldAddress: String? {
    guard let text = detailField?.text, !text.contains(where: \.isWhitespace) else { return nil }
    return WebURL.link(text)
  }
}

/// A line of indented JSON with syntax coloring. Characters that a terminal cannot show are escaped.
struct JSONLine {
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
