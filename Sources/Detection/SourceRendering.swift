import HTTPValues
import JSON
import Search
import Text

extension SourceGuess {
  /// The source as a TOML document for the user to edit.
  ///
  /// - Parameter remarks: The findings of the second page, written as comments in the pagination table.
  package func document(
    id: String, title: String, pagination: PaginationGuess, remarks: [String] = []
  ) -> String {
    let rows = RowsDraft(
      path: rowsPath, shape: shape, names: columnNames, key: identity.key, link: identity.link,
      total: total?.expression, incomplete: incomplete, columns: columns)
    let parts = [
      head(id: id, title: title),
      request.table(
        pagination.inner?.url,
        pagination.inner?.texts ?? (pagination.style == .link ? request.firstPositions : [:])),
      request.input, request.credentials.tables,
      pagination.table(
        at: pagination.inner == nil ? pagination.parameter.map(request.slot) : .placeholder,
        sizeLine: sizeLine(pagination), remarks: remarks),
      rows.table(pagination.trial),
    ].compactMap(\.self)
    return (parts + columns.map(\.table)).joined(separator: "\n")
  }

  private func sizeLine(_ pagination: PaginationGuess) -> String {
    guard let inner = pagination.inner, let size = inner.size else {
      return request.sizeLine(largestPage: largestPage)
    }
    return Slot.placeholder.sizeLine(min(size, largestPage ?? size), most: largestPage)
  }
}

/// The lines of the keys that have a value.
func texts(_ entries: KeyValuePairs<String, String?>) -> [String] {
  entries.compactMap { key, text in text.map { "\(key) = \(TOMLText.string($0))" } }
}

/// The keys of a source before its tables.
func head(id: String, title: String) -> String {
  """
  schema = 1
  id = \(TOMLText.string(id))
  title = \(TOMLText.string(title))

  """
}

/// The table `[request]` with those in it.
struct RequestTables {
  var lines = ["[request]"]
  private var tables: [String] = []

  /// Adds a table, on one line if it is short.
  ///
  /// - Parameter fields: Names, and their values in TOML.
  mutating func add(_ name: String, _ fields: [Named<String>]) {
    if fields.isEmpty { return }
    let entries = fields.map { "\(TOMLText.key($0.name)) = \($0.value)" }
    let inline = "\(name) = { \(entries.joined(separator: ", ")) }"
    if inline.utf8.count <= 100 {
      lines.append(inline)
    } else {
      tables += ["[request.\(name)]"] + entries
    }
  }

  /// A key of `[request]` may not stand below one of its tables.
  var text: String { (lines + tables).joined(separator: "\n") + "\n" }
}

extension RequestGuess {
  /// The source of this request alone, without rows.
  package func document(id: String) -> String {
    [head(id: id, title: id), table(), input, credentials.tables, "[pagination]\ntype = \"none\"\n"]
      .compactMap(\.self).joined(separator: "\n")
  }

  /// The table `[input]`: a service that returned rows without a search text needs none.
  var input: String? { searchText == "" ? "[input]\nmin_length = 0\n" : nil }

  /// The table `[request]`.
  ///
  /// - Parameters:
  ///   - address: The URL; nil for that of the example.
  ///   - texts: The strings in place of those of the example.
  func table(_ address: String? = nil, _ texts: [Slot: String] = [:]) -> String {
    var request = RequestTables()
    request.lines.append("url = \(TOMLText.string(address ?? url))")
    if example.method != (example.body == nil ? .get : .post) {
      request.lines.append("method = \"\(example.method.rawValue)\"")
    }
    let isGraphQL = example.body?.graphQL != nil
    if example.method == .post, !isGraphQL {
      request.lines.append("safe = true   # the request only reads: it may be repeated")
    }
    if example.bodyType == .form, example.body != nil { request.lines.append("body_type = \"form\"") }
    func templates(_ fields: [Named<WrittenText>]) -> [Named<String>] {
      fields.map { Named(name: $0.name, value: $0.value.template) }
    }
    /// The fields, with the strings that have a position in place of those of the same name.
    func entries(_ fields: [Named<String>], _ slot: (String) -> Slot) -> [Named<String>] {
      let known = fields.map(\.name)
      let others = texts.filter { $0.key == slot($0.key.name) && !known.contains($0.key.name) }
        .map { Named(name: $0.key.name, value: $0.value) }.sorted { $0.name < $1.name }
      return (fields.map { Named(name: $0.name, value: texts[slot($0.name)] ?? $0.value) } + others)
        .map { Named(name: $0.name, value: TOMLText.string($0.value)) }
    }
    request.add("params", entries(parameters + templates(credentials.parameters)) { .query($0) })
    request.add("headers", entries(templates(credentials.headers)) { .header($0) })
    if let (document, _) = example.body?.graphQL {
      request.lines.append("graphql = \(TOMLText.block(document.text) ?? TOMLText.string(document.text))")
      request.add("variables", members(of: example.body?["variables"], at: ["variables"], [:]))
    } else {
      request.add("body", members(of: example.body, at: [], texts))
    }
    if searchText == nil {
      request.lines += [
        TOMLText.comment("Nothing looks like a search text, so the source takes no query."),
        TOMLText.comment("If there is one, set its value to \"{query}\": params = { q = \"{query}\" }"),
      ]
    }
    return request.text
  }

  /// The fields of a table of the body, without those that pagination sets.
  private func members(
    of body: BodyExample?, at path: [String], _ texts: [Slot: String]
  ) -> [Named<String>] {
    guard case .table(let members)? = body else { return [] }
    return members.compactMap { member in
      text(of: member.value, at: path + [member.name], texts).map { Named(name: member.name, value: $0) }
    }
  }

  /// A value of the body as TOML, which has no null; nil if it is left out. Recursion is bounded by the depth of a
  /// document.
  private func text(of body: BodyExample, at path: [String], _ texts: [Slot: String]) -> String? {
    if let text = texts[.body(path)] { return TOMLText.string(text) }
    switch roles[.body(path)] {
    case .search?: return TOMLText.string("{query}")
    case .pageSize?, .page?, .offset?, .cursor?: return nil
    case .credential?, .literal?, nil: break
    }
    switch body {
    case .token("null"): return nil
    case .token(let token): return Self.isTOML(token) ? token : TOMLText.string(token)
    case .text(let text): return TOMLText.string(text.template)
    case .list(let elements):
      // A path cannot lead into a list.
      return "[\(elements.compactMap { self.text(of: $0, at: [], [:]) }.joined(separator: ", "))]"
    case .table:
      let fields = members(of: body, at: path, texts).map { "\(TOMLText.key($0.name)) = \($0.value)" }
      return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
    }
  }

  /// Whether a JSON number or Boolean is a TOML value: an integer of 64 bits, or a number with a fraction or exponent.
  private static func isTOML(_ token: String) -> Bool {
    Int(token) != nil || Double(token)?.isFinite == true && token.contains { ".eE".contains($0) }
      || ["true", "false"].contains(token)
  }

  fileprivate func sizeLine(largestPage: Int?) -> String {
    guard let pageSize else {
      let most = largestPage ?? 100
      return
        "# size = { param = \"per_page\", default = \(min(30, most)), max = \(most) }   # if the service lets you set the page size"
    }
    return pageSize.slot.sizeLine(min(pageSize.value, largestPage ?? pageSize.value), most: largestPage)
  }
}

extension Slot {
  /// The key of `[pagination]` for the position; nil if it needs none.
  var positionEntry: String? {
    switch self {
    case .query(let name): "param = \(TOMLText.string(name))"
    case .header(let name): "into = \(TOMLText.string("header:\(name)"))"
    case .body(let path): "into = \(TOMLText.string("body:\(Self.path(path))"))"
    case .placeholder: nil
    }
  }

  /// The key `size` of `[pagination]`.
  func sizeLine(_ standard: Int, most: Int?) -> String {
    let size = "size = { \(sizeEntry)default = \(standard)"
    if let most { return size + ", max = \(most) }" }
    return size + " }   # add max = N, the largest page size of the service"
  }

  private var sizeEntry: String {
    switch self {
    case .query(let name): "param = \(TOMLText.string(name)), "
    case .header(let name): "header = \(TOMLText.string(name)), "
    case .body(let path): "body = \(TOMLText.string(Self.path(path))), "
    case .placeholder: ""
    }
  }

  private static func path(_ names: [String]) -> String {
    "\(JSONPath(steps: names.map { .member(JSONKey($0)) }))"
  }
}

extension PaginationGuess {
  /// The table `[pagination]`.
  ///
  /// - Parameters:
  ///   - slot: The slot of its parameter; nil if it has none.
  ///   - sizeLine: The line of the page size.
  ///   - remarks: Comments.
  ///   - isDoubtful: Whether the pagination is a comment, because a wrong one could return the first page repeatedly.
  func table(at slot: Slot?, sizeLine: String?, remarks: [String], isDoubtful: Bool = false) -> String {
    let found = isCertain ? reason : "guessed: \(reason)"
    var keys = texts(["type": style.rawValue])
    if let entry = slot?.positionEntry { keys.append(entry) }
    if let first { keys.append("first = \(first.text)") }
    keys += texts(["next": next, "more": more, "done": done, "pages": pages])
    if usesRequestPath { keys.append("next_origin = \"request\"") }
    if trial.hasOverlap { keys.append("overlap = 1") }
    if let endStatus { keys.append("end_status = [\(endStatus)]") }
    var lines = ["[pagination]"] + ([found] + remarks).map(TOMLText.comment)
    lines += isDoubtful ? ["type = \"none\""] + keys.map(TOMLText.comment) : keys
    if let sizeLine { lines.append(sizeLine) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PaginationGuess.First {
  var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): TOMLText.string(text)
    }
  }
}

extension ColumnGuess {
  var table: String {
    let align = isAlignedRight ? "right" : nil
    var lines = ["[[columns]]"]
    lines += texts([
      "name": name, "path": path, "title": title, "format": format, "html": html, "align": align,
    ])
    if isWide { lines.append("width = { min = 10, weight = 5 }") }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A source to complete by hand, for a service whose response cannot be analyzed.
package enum SourceSkeleton {
  /// - Parameter failure: If a credential is missing, the document gets an `[auth]` table to fill in.
  package static func document(
    id: String, title: String, _ example: RequestExample, failure: DetectionError
  ) -> String {
    let request = RequestGuess(example)
    let auth = request.credentials.tables ?? auth(failure)
    let heading = "# A template to complete: nothing in [pagination] and [rows] was detected.\n"
    return [heading, head(id: id, title: title), request.table(), request.input, auth, pagination, rows]
      .compactMap { $0 }.joined(separator: "\n")
  }

  private static func auth(_ failure: DetectionError) -> String? {
    switch failure {
    case .unauthorized(_, let scheme?, _, _): AuthSchemes.all.first { $0.name == scheme }?.table()
    case .unauthorized:
      AuthScheme.bearer.table(remark: "          # or: type = \"header\", header = \"X-Api-Key\"")
    case .credential, .status, .webPage, .rateLimited, .empty, .notJSON, .noRows, .emptyRows: nil
    }
  }

  private static let pagination = """
    [pagination]
    type = "none"
    # By page number:   type = "page", param = "page", first = 1
    # By rows to skip:  type = "offset", param = "offset"
    # By cursor:        type = "cursor", next = "next_cursor", into = "query:cursor"
    # By next link:     type = "link", next = "link:next", or next = "links.next"

    """

  private static let rows = """
    [rows]
    path = "items"             # path of the list of rows in the response; "$" is the response itself
    id = "id"                  # identifies a row
    # total = "total_count"    # total number of rows
    # link = "url"             # URL of a row's web page

    """
}

extension AuthScheme {
  /// An `[auth]` table to fill in.
  fileprivate func table(remark: String = "") -> String {
    let lines =
      ["[auth]", "type = \(TOMLText.string(name))\(remark)"]
      + inputs.map {
        "\($0.key) = [\"env:\($0.variable)\"]   # the environment variable with the \($0.meaning)"
      }
    return lines.joined(separator: "\n") + "\n"
  }
}
